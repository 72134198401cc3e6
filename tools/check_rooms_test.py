# SPDX-License-Identifier: Apache-2.0
"""Plants one fault after another in a small sound tree and sees each one caught."""
from pathlib import Path

import pytest
from check_rooms import SPDX, faults

CPP = f"// {SPDX}\n"
SOUND = {
    "include/tessera/view.hpp": CPP,
    "include/tessera/border.hpp": CPP + '#include "tessera/view.hpp"\n',
    "include/tessera/convolve.hpp": CPP + '#include <string>\n\n#include "tessera/view.hpp"\n',
    "core/parallel.hpp": CPP + '#include "tessera/view.hpp"\n',
    "core/parallel_openmp.cpp": CPP + "#include <omp.h>\n#pragma omp parallel\n",
    "core/cuda/stream_cuda.cpp": CPP + '#include <cuda.h>\n\n#include "core/parallel.hpp"\n',
    "tune/table.hpp": CPP,
    "ops/convolve/convolve.cpp": CPP + '#include "core/parallel.hpp"\n#include "ops/convolve/parts/row.hpp"\n',
    "ops/convolve/parts/row.hpp": CPP + '#include <hwy/highway.h>\n\n#include "tessera/view.hpp"\n',
    "ops/convolve/convolve_direct.cuh": CPP + '#include "tessera/border.hpp"\n',
    "ops/convolve/convolve_test.cpp": CPP + '#include "tests/support/poison.hpp"\n',
    "ops/convolve/study/r01_plain.cu": CPP + "void f() { kernel<<<1, 1>>>(); }\n",
    "ops/cells/cells.cpp": CPP + '#include "ops/convolve/parts/row.hpp"\n#include "tessera/convolve.hpp"\n',
    "ops/noise/noise_vnni.cpp": CPP + "#include <immintrin.h>\n",
    "io/png.hpp": CPP + '#include "core/parallel.hpp"\n',
    "jobs/convolve/convolve_job.hpp": CPP + '#include "io/png.hpp"\n',
    "cli/convolve_command.cpp": CPP + '#include "jobs/convolve/convolve_job.hpp"\n',
    "tests/support/poison.hpp": CPP + "// cudaMalloc, omp and <<< in a comment are no fault\n",
    "tools/new_operation.py": f"#!/usr/bin/env python3\n# {SPDX}\n",
    "README.md": "anything\n",
    "ops/convolve/README.md": "anything\n",
}

# (file, its text, a part of what must be said)
PLANTED = [
    ("core/pool.cpp", CPP + '#include "ops/convolve/parts/row.hpp"\n', "core may not include"),
    ("core/pool.cpp", CPP + '#include "tune/table.hpp"\n', "core may not include"),
    ("include/tessera/image.hpp", CPP + '#include "core/parallel.hpp"\n', "may not include core"),
    ("tune/search.cpp", CPP + '#include "io/png.hpp"\n', "tune may not include"),
    ("io/npy.cpp", CPP + '#include "jobs/convolve/convolve_job.hpp"\n', "io may not include"),
    ("cli/main.cpp", CPP + '#include "core/parallel.hpp"\n', "cli may not include"),
    ("jobs/noise/noise_job.cpp", CPP + '#include "tests/support/poison.hpp"\n', "may not include tests"),
    ("jobs/noise/noise_job.cpp", CPP + '#include "jobs/convolve/convolve_job.hpp"\n', "may not include"),
    ("ops/noise/noise.cpp", CPP + '#include "ops/convolve/parts/row.hpp"\n', "may not include"),
    ("ops/noise/noise.cpp", CPP + '#include "tessera/convolve.hpp"\n', "may not use the operation convolve"),
    ("ops/convolve/parts/tile.hpp", CPP + '#include "core/parallel.hpp"\n', "may not include"),
    ("ops/convolve/convolve_fft.cuh", CPP + '#include "tessera/convolve.hpp"\n', "may not include"),
    ("core/pool.cpp", CPP + "\n#include <cuda_runtime.h>\n", "core/pool.cpp:3: includes cuda_runtime.h"),
    ("io/npy.cpp", CPP + "#include <omp.h>\n", "includes omp.h"),
    ("io/npy.cpp", CPP + "/* one\ntwo */\n#pragma omp simd\n", "io/npy.cpp:4: uses OpenMP"),
    ("ops/noise/noise.cu", CPP + "void f() { kernel<<<1, 1>>>(); }\n", "launches with <<<>>>"),
    ("ops/noise/noise.cpp", CPP + "#include <arm_neon.h>\n", "raw intrinsics"),
    ("io/npy.cpp", CPP + '#include "png.h"\n', "not in the tree"),
    ("core/utils/pool.hpp", CPP, "a room named utils"),
    ("docs/misc/notes.md", "text\n", "a room named misc"),
    ("io/parallel.hpp", CPP, "has the name of core/parallel.hpp"),
    ("io/npy.cpp", CPP + "\n" * 400, "has 401 lines"),
    ("io/npy.cpp", "// Copyright\n" + CPP, "does not begin with the line"),
    ("tools/release.py", "import os\n", "does not begin with the line"),
    ("scripts/deploy", "#!/bin/sh\necho\n", "does not begin with the line"),
]


def plant(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def test_a_sound_tree_has_no_faults(tmp_path: Path) -> None:
    plant(tmp_path, SOUND)
    assert list(faults(tmp_path)) == []


@pytest.mark.parametrize("name, text, expected", PLANTED)
def test_a_planted_fault_is_caught(tmp_path: Path, name: str, text: str, expected: str) -> None:
    plant(tmp_path, SOUND | {name: text})
    found = list(faults(tmp_path))
    assert len(found) == 1, found
    assert found[0].startswith(name) and expected in found[0]
