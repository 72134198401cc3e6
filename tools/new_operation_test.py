# SPDX-License-Identifier: Apache-2.0
"""Makes an operation in a copy of the tree, compiles it like its neighbours, and runs its tests."""
import json
import os
import re
import shlex
import shutil
import subprocess
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from check_rooms import SOURCES, faults, listed_files
from new_operation import LINES_OF_CONVOLVE, Refused, make_operation, next_steps
from tidy_changed import single_commands

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("TESSERA_BUILD", ROOT / "build"))
NAME = "box_sharpen"  # two words, so that sharpen and BoxSharpen are told apart


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    for path in listed_files(ROOT):
        if path.parts[:2] != ("tests", "data"):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, root / path)
    return root


@pytest.fixture(scope="module")
def made(tree: Path) -> list[Path]:
    if not shutil.which("clang-format"):
        pytest.skip("clang-format is missing")
    return [tree / path for path in make_operation(tree, NAME, "a sentence of some length.")[0]]


@pytest.mark.parametrize("name, sentence, reason", [
    ("Sharpen", "x", "is not a name"), ("2d", "x", "is not a name"), ("a__b", "x", "is not a name"),
    ("", "x", "is not a name"), ("../up", "x", "is not a name"), ("while", "x", "a word of C++"),
    ("lambda", "x", "a word of C++ or Python"),
    ("speed_bench", "x", "another ending"), ("convolve", "x", "exists"), ("info", "x", "exists"),
    ("check", "x", "would have the same name as core/check"), ("gaussian", "x", "include/tessera/filters.hpp"),
    ("sharpen", "", "one line"), ("sharpen", "a\nb", "one line"), ("sharpen", 'the "best"', "one line")])
def test_bad_names_and_sentences_are_refused(name: str, sentence: str, reason: str) -> None:
    before = listed_files(ROOT)
    with pytest.raises(Refused, match=re.escape(reason)):
        make_operation(ROOT, name, sentence)
    assert listed_files(ROOT) == before


def test_it_keeps_the_house_in_order(tree: Path, made: list[Path]) -> None:
    assert set(faults(tree)) <= set(faults(ROOT))
    sources = [path for path in made if path.suffix in SOURCES]
    subprocess.run(["clang-format", "--dry-run", "-Werror", *sources], check=True)
    for path in made:
        assert not re.search(r"@[A-Za-z]+@", path.read_text()), path


def test_it_has_every_kind_of_file_convolve_has(tree: Path, made: list[Path]) -> None:
    """The files that every operation has: the plan, the reference, the direct method on both backends, the doors.
    Only convolve has further methods, pictures and tests."""
    every = re.compile(r"(_(methods|ref|direct_cpu|direct_simd|direct_cuda|test|bench|job|command|python))?\.cpp"
                       r"|(_(problem|direct_cpu|job))?\.hpp|_direct(_args)?\.cuh|_direct\.cu|\.py|\.md")
    wanted = {str(path).replace("convolve", NAME) for path in listed_files(ROOT)
              if path.parts[0] in ("include", "ops", "jobs", "cli", "python", "docs")
              and not {"parts", "study"} & set(path.parts)
              and re.match(r"(test_)?convolve\b|convolve_", path.name)
              and every.fullmatch(path.name.removeprefix("test_").removeprefix("convolve"))}
    assert len(wanted) >= 20
    assert wanted <= {str(path.relative_to(tree)) for path in made}


def test_it_is_entered_where_convolve_is(tree: Path, made: list[Path]) -> None:
    for path, lines in LINES_OF_CONVOLVE.items():
        text = (tree / path).read_text()
        for line in lines:
            assert line.replace("convolve", NAME).replace("Convolve", "BoxSharpen") + "\n" in text
    package = (tree / "python/tessera/__init__.py").read_text()
    names = re.search(r"__all__ = \[\n(.*?)\]", package, re.DOTALL)[1].splitlines()
    assert names == sorted(names)
    assert f"| {NAME} | rows | `[a, b)` | none |\n" in (tree / "ARCHITECTURE.md").read_text()
    assert f"docs/{NAME}.md" in (tree / "README.md").read_text()
    assert next_steps(tree, NAME).startswith("1. ") and f"{NAME}_ref.cpp" in next_steps(tree, NAME)


def command_like(source: Path, tree: Path, output: Path) -> list[str]:
    """The command that compiles convolve's file of the same role, for this file of the tree. Not optimised."""
    twin = ROOT / str(source.relative_to(tree)).replace(NAME, "convolve")
    entries = single_commands(json.loads((BUILD / "compile_commands.json").read_text()))
    words = next(shlex.split(entry["command"]) for entry in entries if entry["file"] == str(twin))
    words = words[:words.index("-o")] + ["-O0", "-o", str(output), "-c", str(source)]
    return [re.sub(rf"^(-I|){re.escape(str(ROOT))}(/include)?$", rf"\g<1>{tree}\g<2>", word) for word in words]


def run(command: list[str]) -> None:
    done = subprocess.run(command, cwd=BUILD, capture_output=True, text=True)
    assert done.returncode == 0, f"{shlex.join(map(str, command))}\n{done.stdout}{done.stderr}"


def needs_build() -> None:
    for path in ("compile_commands.json", "build.ninja", "libtessera.a", "libtessera_test_support.a"):
        if not (BUILD / path).exists():
            pytest.skip(f"{BUILD / path} is missing; build first")


def test_it_compiles_and_its_tests_pass(tree: Path, made: list[Path], tmp_path: Path) -> None:
    needs_build()
    objects = {path: tmp_path / (path.name + ".o") for path in made
               if path.suffix == ".cpp" and path.parent.name != "python"}
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda item: run(command_like(item[0], tree, item[1])), objects.items()))
    # The link command of convolve's tests, with the objects of this operation instead.
    linked = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", "tests/convolve_tests"], check=True,
                            capture_output=True, text=True).stdout.splitlines()[-1]
    words = shlex.split(linked.removeprefix(": && ").removesuffix(" && :"))
    program = tmp_path / f"{NAME}_test"
    words[words.index("-o") + 1] = str(program)
    place = next(i for i, word in enumerate(words) if "convolve_tests.dir" in word)
    words = [word for word in words if "convolve_tests.dir" not in word]
    words[place:place] = [str(o) for path, o in objects.items() if NAME in path.relative_to(tree).parts
                              and "bench" not in path.name]
    run(words)
    tests = subprocess.run([program], capture_output=True, text=True)
    assert tests.returncode == 0 and "[  PASSED  ]" in tests.stdout, tests.stdout + tests.stderr
    assert "BoxSharpen.CpuMatchesReference" in tests.stdout


def test_its_kernels_compile(tree: Path, made: list[Path], tmp_path: Path) -> None:
    needs_build()
    listed = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", "kernels/convolve_direct.fatbin"],
                            capture_output=True, text=True).stdout
    found = re.search(r"\S*nvcc .*convolve_direct\.cu\b", listed)
    if not found:
        pytest.skip("built without CUDA")
    words = shlex.split(found[0].replace(f"-I{ROOT}", f"-I{tree}"))
    source = tree / "ops" / NAME / "cuda" / f"{NAME}_direct.cu"
    run([*words[:words.index("-MD")], "-o", str(tmp_path / "kernels.fatbin"), str(source)])


def test_its_python_door_compiles(tree: Path, made: list[Path]) -> None:
    nanobind = pytest.importorskip("nanobind")
    door = tree / "python" / f"{NAME}_python.cpp"
    includes = [nanobind.include_dir(), sysconfig.get_paths()["include"]]
    run(["c++", "-std=c++20", "-fsyntax-only", "-fvisibility=hidden", "-Wall", "-Wextra", "-Wshadow", "-Werror",
         f"-I{tree}", f"-I{tree}/include", *[f"-isystem{path}" for path in includes], str(door)])
