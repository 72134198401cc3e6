# SPDX-License-Identifier: Apache-2.0
"""The wheel in a fresh environment that has NumPy and nothing else.

It is made with the library of the finished build. Under TESSERA_TEST_ALL it is also made as plain
`pip install .` does, which compiles the library once more: as long as the whole build takes.
"""
import os
import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from doc_examples import python_of
from package_build import BUILD, ROOT, VERSION, files_that_name_the_build, needs_build, run

pytest.importorskip("scikit_build_core", reason="scikit-build-core is not installed")
pytest.importorskip("pip", reason="pip is not installed")
pytestmark = needs_build
COMPILED = pytest.param("compiled", marks=pytest.mark.skipif(
    "TESSERA_TEST_ALL" not in os.environ, reason="compiles the library; TESSERA_TEST_ALL is not set"))


def pip(*arguments, **how):
    return run(sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments, **how)


@pytest.fixture(scope="module", params=["finished", COMPILED])
def wheel(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    setting = {"finished": f"cmake.define.tessera_DIR={BUILD}", "compiled": f"build-dir={folder / 'build'}"}
    pip("wheel", ROOT, "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", folder,
        f"--config-settings={setting[request.param]}", cwd=ROOT)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def fresh(wheel, tmp_path_factory):
    """The interpreter of an environment with the wheel. NumPy is lent, so that no network is needed."""
    folder = tmp_path_factory.mktemp("fresh")
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin" / "python"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    numpy = distribution("numpy")
    for name in {file.parts[0] for file in numpy.files} - {"..", "__pycache__"}:
        (site / name).symlink_to(Path(numpy.locate_file(name)).resolve())
    pip("--python", python, "install", "--no-index", wheel)  # fails if it asks for more than is there
    return python


def test_it_holds_the_module_and_nothing_else(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
        names = archive.namelist()
    assert {name.split("/")[0] for name in names} == {"tessera", f"tessera-{VERSION}.dist-info"}
    inside = {name.removeprefix("tessera/") for name in names if name.startswith("tessera/")}
    modules = {name for name in inside if name.endswith(".so")}
    package = ROOT / "python" / "tessera"
    sources = {str(file.relative_to(package)) for file in package.rglob("*.py")}
    assert len(modules) == 1 and inside - modules == {*sources, "_tessera.pyi", "py.typed"}
    assert files_that_name_the_build(tmp_path) == []


def test_the_example_of_the_readme_runs(fresh, tmp_path):
    example = python_of(ROOT / "README.md")[0]
    program = ("import numpy, tessera\ntessera.write('galaxy.fits', numpy.ones((30, 40), 'float32'))\n"
               f"{example}\n"
               "print(tessera.__version__, smooth.shape, smooth.dtype, float(abs(smooth - 1).max()) < 1e-6)\n")
    said = run(fresh, "-I", "-c", program, cwd=tmp_path)
    assert said == f"{VERSION} (30, 40) float32 True\n"


def test_it_is_the_installed_module_that_runs(fresh, tmp_path):
    place = run(fresh, "-I", "-c", "import tessera; print(tessera.__file__)", cwd=tmp_path).strip()
    assert Path(place).is_relative_to(fresh.parents[1])


def commands_of_the_module(folder, *settings):
    """The commands Ninja would run for the module, in a folder that is only configured."""
    run("cmake", "-S", ROOT / "python", "-B", folder, "-G", "Ninja", f"-DPython_EXECUTABLE={sys.executable}",
        "-DCMAKE_BUILD_TYPE=Release", *settings)
    return run("ninja", "-C", folder, "-t", "commands", "_tessera")


def test_without_a_finished_build_the_library_would_be_compiled(tmp_path):
    commands = commands_of_the_module(tmp_path)
    assert "convolve_ref.cpp.o" in commands and "libtessera_jobs.a" in commands
    assert "_test.cpp" not in commands and "-Werror " not in commands


def test_a_format_can_be_left_out(tmp_path):
    commands = commands_of_the_module(tmp_path, "-DTESSERA_WITHOUT_FORMATS=TIFF")
    assert "libtiff" not in commands and "TESSERA_HAVE_TIFF" not in commands and "tiff_read" not in commands
    assert "npy.cpp.o" in commands


def test_a_format_that_is_unknown_is_not_left_out(tmp_path):
    with pytest.raises(AssertionError, match=r"TESSERA_WITHOUT_FORMATS\s+names\s+'GIF'"):
        commands_of_the_module(tmp_path, "-DTESSERA_WITHOUT_FORMATS=GIF")
