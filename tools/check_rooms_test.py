# SPDX-License-Identifier: Apache-2.0
"""Plants one fault after another in a small correct tree and checks that each one is found."""
from pathlib import Path

import pytest
from check_rooms import SPDX, TOP_LIMIT, faults

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
    "ops/convolve/cuda/convolve_direct.cuh": CPP + '#include "tessera/border.hpp"\n',
    "ops/convolve/convolve_test.cpp": CPP + '#include "tests/support/poison.hpp"\n',
    "ops/convolve/study/r01_plain.cu": CPP + "void f() { kernel<<<1, 1>>>(); }\n",
    "ops/noise/noise_problem.hpp": CPP,
    "ops/noise/noise_values.cuh": CPP,
    "ops/noise/cpu/noise_columns.hpp": CPP + '#include "ops/noise/noise_problem.hpp"\n',
    "ops/noise/cuda/noise_slide_args.cuh": CPP + '#include "ops/noise/noise_values.cuh"\n',
    "ops/noise/noise_methods.cpp": CPP + '#include "ops/noise/cpu/noise_columns.hpp"\n'
                                   '#include "ops/noise/cuda/noise_slide_args.cuh"\n',
    "ops/noise/grid/noise_grid.hpp": CPP + '#include "ops/noise/noise_problem.hpp"\n',
    "ops/noise/grid/cuda/noise_points.cuh": CPP + '#include "ops/noise/cuda/noise_slide_args.cuh"\n',
    "ops/noise/maps/noise_maps_test.cpp": CPP + '#include "ops/noise/grid/noise_grid.hpp"\n',
    "ops/noise/study/noise_rungs.cpp": CPP + '#include "ops/noise/cpu/noise_columns.hpp"\n'
                                       '#include "ops/noise/cuda/noise_slide_args.cuh"\n',
    "ops/noise/tests/noise_bits_test.cpp": CPP + '#include "ops/noise/cpu/noise_columns.hpp"\n',
    "ops/cells/life/cells_life.cuh": CPP,
    "ops/cells/follow/cells_outline.hpp": CPP + '#include "ops/cells/life/cells_life.cuh"\n',
    "ops/cells/cells.cpp": CPP + '#include "ops/convolve/parts/row.hpp"\n#include "tessera/convolve.hpp"\n',
    "ops/noise/noise_vnni.cpp": CPP + "#include <immintrin.h>\n",
    "io/png/png.hpp": CPP + '#include "core/parallel.hpp"\n',
    "io/formats.hpp": CPP,
    "io/formats.cpp": CPP + '#include "io/png/png.hpp"\n',
    "io/npy/npy_header.hpp": CPP + '#include "io/formats.hpp"\n',
    "io/voltages/voltage_plain.cpp": CPP + '#include "io/npy/npy_header.hpp"\n',
    "jobs/sample/film_job.cpp": CPP + '#include "jobs/convolve/convolve_job.hpp"\n',
    "jobs/convolve/convolve_job.hpp": CPP + '#include "io/png/png.hpp"\n',
    "cli/convolve_command.cpp": CPP + '#include "jobs/convolve/convolve_job.hpp"\nauto a = "give --force";\n',
    "core/cuda/compile.cpp": CPP + 'auto options = {"--fmad=false"};\n',
    "core/strips.hpp": CPP + '// --memory-limit\nauto text = "a -- b";\n',
    "tests/support/poison.hpp": CPP + "// cudaMalloc, omp and <<< in a comment are allowed\n",
    "tools/new_operation.py": f"#!/usr/bin/env python3\n# {SPDX}\n",
    "README.md": "anything\n",
    "ops/convolve/README.md": "anything\n",
}

# (file, its text, a part of the message)
PLANTED = [
    ("core/pool.cpp", CPP + 'auto text = "give a smaller --memory-limit";\n', ":2: names command-line options"),
    ("include/tessera/noise.hpp", CPP + '\nauto help = "as --like bane";\n', ":3: names command-line options"),
    ("python/noise_python.cpp", CPP + 'auto text = "see --max-side";\n', "name options without dashes"),
    ("core/pool.cpp", CPP + '#include "ops/convolve/parts/row.hpp"\n', "core may not include"),
    ("core/pool.cpp", CPP + '#include "tune/table.hpp"\n', "core may not include"),
    ("include/tessera/image.hpp", CPP + '#include "core/parallel.hpp"\n', "may not include core"),
    ("tune/search.cpp", CPP + '#include "io/png/png.hpp"\n', "tune may not include"),
    ("io/npy/npy.cpp", CPP + '#include "jobs/convolve/convolve_job.hpp"\n', "io may not include"),
    ("cli/main.cpp", CPP + '#include "core/parallel.hpp"\n', "cli may not include"),
    ("jobs/noise/noise_job.cpp", CPP + '#include "tests/support/poison.hpp"\n', "may not include tests"),
    ("jobs/noise/noise_job.cpp", CPP + '#include "jobs/convolve/convolve_job.hpp"\n', "may not include"),
    ("ops/noise/noise.cpp", CPP + '#include "ops/convolve/parts/row.hpp"\n', "may not include"),
    ("ops/noise/noise.cpp", CPP + '#include "tessera/convolve.hpp"\n', "may not use the operation convolve"),
    ("ops/convolve/parts/tile.hpp", CPP + '#include "core/parallel.hpp"\n', "may not include"),
    ("ops/convolve/cuda/convolve_fft.cuh", CPP + '#include "tessera/convolve.hpp"\n', "may not include"),
    ("ops/noise/cuda/noise_cuda.cpp", CPP + '#include "ops/noise/cpu/noise_columns.hpp"\n', "cuda/ may not include"),
    ("ops/noise/cpu/noise_cpu.cpp", CPP + '#include "ops/noise/cuda/noise_slide_args.cuh"\n', "cpu/ may not include"),
    ("ops/noise/cpu/noise_cpu.cpp", CPP + '#include "ops/noise/grid/cuda/noise_points.cuh"\n', "cpu/ may not include"),
    ("ops/noise/maps/noise_maps.cpp", CPP + '#include "ops/noise/grid/noise_grid.hpp"\n', "maps/ may not include"),
    ("ops/noise/maps/cuda/noise_maps.cuh", CPP + '#include "ops/noise/grid/cuda/noise_points.cuh"\n',
     "maps/ may not include"),
    ("ops/cells/life/cells_birth.hpp", CPP + '#include "ops/cells/follow/cells_outline.hpp"\n',
     "life/ may not include"),
    ("ops/noise/noise.cpp", CPP + '#include "ops/noise/study/noise_rungs.cpp"\n', "ops/X may not include"),
    ("ops/noise/cpu/columns/noise_rows.hpp", CPP, "lies too deep"),
    ("ops/noise/grid/nodes/noise_rows.hpp", CPP, "lies too deep"),
    ("ops/noise/tests/noise_rows.hpp", CPP, "is not a test"),
    ("io/png/png_read.cpp", CPP + '#include "io/npy/npy_header.hpp"\n', "png may not include io/npy/npy_header.hpp"),
    ("jobs/noise/noise_job.cpp", CPP + '#include "jobs/sample/film_job.cpp"\n', "may not include jobs/sample"),
    ("core/pool.cpp", CPP + "\n#include <cuda_runtime.h>\n", "core/pool.cpp:3: includes cuda_runtime.h"),
    ("io/npy/npy.cpp", CPP + "#include <omp.h>\n", "includes omp.h"),
    ("io/npy/npy.cpp", CPP + "/* one\ntwo */\n#pragma omp simd\n", "io/npy/npy.cpp:4: uses OpenMP"),
    ("ops/noise/noise.cu", CPP + "void f() { kernel<<<1, 1>>>(); }\n", "launches with <<<>>>"),
    ("ops/noise/noise.cpp", CPP + "#include <arm_neon.h>\n", "raw intrinsics"),
    ("io/npy/npy.cpp", CPP + '#include "png.h"\n', "not in the tree"),
    ("core/utils/pool.hpp", CPP, "a room named utils"),
    ("docs/misc/notes.md", "text\n", "a room named misc"),
    ("io/parallel.hpp", CPP, "has the same name as core/parallel.hpp"),
    ("io/npy/npy.cpp", CPP + "\n" * 400, "has 401 lines"),
    ("io/npy/npy.cpp", "// Copyright\n" + CPP, "does not begin with the line"),
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


def test_the_top_of_an_operation_stays_readable(tmp_path: Path) -> None:
    many = {f"ops/brick/brick_{number}.cpp": CPP for number in range(TOP_LIMIT + 1)}
    behind = {f"ops/brick/cpu/brick_row_{number}.cpp": CPP for number in range(TOP_LIMIT + 1)}
    plant(tmp_path, SOUND | many | behind)
    assert list(faults(tmp_path)) == [f"ops/brick:1: has {TOP_LIMIT + 1} sources at its top; at most {TOP_LIMIT}, "
                                      "the others go behind doors"]
