# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import tidy_changed


def test_a_folder_compiled_as_one_source_gives_one_command_per_file(tmp_path: Path) -> None:
    united = tmp_path / "Unity" / "unity_core_0_cxx.cxx"
    united.parent.mkdir()
    united.write_text('#include "/house/core/a.cpp"\n\n#include "/house/core/b.cpp"\n')
    command = f"c++ -O3 -fpch-preprocess -Winvalid-pch -include /b/cmake_pch.hxx -o x.o -c {united}"
    entries = [{"directory": "/b", "command": command, "file": str(united)},
               {"directory": "/b", "command": "c++ -c /house/core/alone_simd.cpp",
                "file": "/house/core/alone_simd.cpp"}]
    found = {entry["file"]: entry["command"] for entry in tidy_changed.single_commands(entries)}
    assert found == {"/house/core/a.cpp": "c++ -O3 -o x.o -c /house/core/a.cpp",
                     "/house/core/b.cpp": "c++ -O3 -o x.o -c /house/core/b.cpp",
                     "/house/core/alone_simd.cpp": "c++ -c /house/core/alone_simd.cpp"}
