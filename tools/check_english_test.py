# SPDX-License-Identifier: Apache-2.0
"""Each phrase is found where it is prose, and plain English is left alone."""
import subprocess
import sys
from pathlib import Path

import check_english
import pytest

BAD = [
    "one row a channel", "a plane a depth", "give a line an antenna", "bytes a sample", "3 to 1024 a side",
    "{} rows a piece", "one small file a rung", "'x' is no number", "names are no options", "is made anew",
    "all methods but for fft", "every so many frames", "figures lie beside it", "Done. Of integers sums are exact",
    "Of two zeros the negative is smaller", "which the line that says what ran tells", "What is missing becomes NaN",
    "worked on on its own", "is held against the reference", "as SciPy has it", "in the place of a sort", "the dearest",
    "its defects mended",
]
GOOD = [
    "one row per channel", "there is no such file", "There are no cells", "is no longer there", "it is no slower",
    "the tile a pixel lies in", "frames a cell may be unseen", "names a row of the image", "a row times a column",
    "once a second", "besides the image", "the type of a sample", "so many that none fits", "What is a cell?",
    "of 2 polarisations", "except the last", "say what would be right", "Of course",
]


def phrases(path: Path, text: str, comments: bool = False) -> list[str]:
    path.write_text(text)
    return [f"{line}: {phrase}" for line, phrase, _ in check_english.findings(path, comments)]


@pytest.mark.parametrize("text", BAD)
def test_bad_phrases_are_found(text, tmp_path):
    assert phrases(tmp_path / "a.cpp", f'refuse("{text}");\n')
    assert phrases(tmp_path / "a.py", f'print("""{text}""")\n')
    assert phrases(tmp_path / "a.md", f"# Title\n\n{text}.\n")


@pytest.mark.parametrize("text", GOOD)
def test_plain_english_is_left_alone(text, tmp_path):
    assert phrases(tmp_path / "a.cpp", f'refuse("{text}");\n') == []
    assert phrases(tmp_path / "a.md", f"{text}.\n") == []


def test_only_literals_are_read_and_neighbours_are_one_text(tmp_path):
    text = ('// made anew\n#include "anew/a b.hpp"\nint anew = 1;\nsay(R"(begins\nanew)");\n'
            'say("rows a "\n    "piece");\n')
    assert phrases(tmp_path / "a.hpp", text) == ["5: anew", "6: rows a piece"]
    assert phrases(tmp_path / "a.hpp", text, comments=True) == ["1: anew", "5: anew", "6: rows a piece"]


def test_lines_of_a_comment_are_one_text(tmp_path):
    text = "/// There is one row\n/// a channel.\n"
    assert phrases(tmp_path / "a.cpp", text, comments=True) == ["1: one row a channel"]
    assert phrases(tmp_path / "a.cpp", text) == []


def test_shell_scripts_and_cmake_files_are_read(tmp_path):
    text = ("#!/usr/bin/env bash\n# It has one row\n# a channel, made anew.\n"
            "if [ $# -gt 0 ]; then sed 's/anew//' $anew; fi\n"
            'fail "no options, ${#list[@]}; made anew"  # and anew\n')
    assert phrases(tmp_path / "script", text) == ["5: anew"]
    assert phrases(tmp_path / "lib.sh", text, comments=True) == [
        "2: one row a channel", "3: anew", "5: anew", "5: anew"]
    text = '# Made anew.\nmessage(STATUS "made anew")\nset(anew ON)\n'
    for name in ("CMakeLists.txt", "a.cmake"):
        assert phrases(tmp_path / name, text, comments=True) == ["1: anew", "2: anew"]


def test_files_of_a_folder(tmp_path):
    for name in ("a.cpp", "a.cuh", "a.md", "a.cmake", "CMakeLists.txt", "a.sh", "a.cpp.in", "a.md.in", "notes.txt",
                 "a.json", *check_english.OWN_FILES):
        (tmp_path / name).write_text("text\n")
    (tmp_path / "script").write_text("#!/usr/bin/env bash\n")
    (tmp_path / "other").write_text("#!/usr/bin/env perl\n")
    assert {file.name for file in check_english.files_of(tmp_path)} == {
        "a.cpp", "a.cuh", "a.md", "a.cmake", "CMakeLists.txt", "a.sh", "a.cpp.in", "a.md.in", "script"}


def test_code_and_quotations_in_markdown_are_not_prose(tmp_path):
    text = ("# What it does\n\n    anew\n\n```\nanew\n```\n\n`anew`\n\n> anew\n\n"
            "| this | not that |\n| --- | --- |\n| again | anew |\n\n* one row\n  a channel\n")
    assert phrases(tmp_path / "a.md", text) == ["17: one row a channel"]


def test_program_prints_place_and_advice(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/a.md").write_text("fine\n\nmade anew\n")
    (tmp_path / "other.txt").write_text("anew\n")
    command = [sys.executable, check_english.__file__, tmp_path]
    found = subprocess.run(command, capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (1, f"{tmp_path}/deep/a.md:3: 'anew': write 'again'\n")
    (tmp_path / "deep/a.md").write_text("fine\n")
    assert subprocess.run(command, capture_output=True).returncode == 0
    assert subprocess.run([*command, "nowhere"], capture_output=True).returncode == 2
