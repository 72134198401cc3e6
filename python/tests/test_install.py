# SPDX-License-Identifier: Apache-2.0
"""`cmake --install` of the finished build: what lies where, and examples/consumer built with it."""
import math
import re
import shutil
import subprocess

import pytest
from doc_examples import read_help
from package_build import (
    BUILD,
    ROOT,
    VERSION,
    check_that_it_filters,
    configure_with,
    files_that_name_the_build,
    from_cache,
    names_in,
    needs_build,
    run,
)

pytestmark = needs_build
CONSUMER = ROOT / "examples" / "consumer"
SONAME = ".".join(VERSION.split(".")[:2])


def test_the_tool_filters(prefix, tmp_path):
    check_that_it_filters(prefix / "bin" / "tessera", tmp_path)


@pytest.mark.skipif(from_cache("CMAKE_GENERATOR") != "Ninja", reason="asks ninja what a target makes")
def test_the_build_of_the_demo_can_be_installed(tmp_path):
    """scripts/demo does not build everything: a build folder with only what its target makes is installed."""
    target = re.search(r"configure_and_build user (\S+)$", (ROOT / "scripts/demo").read_text(), re.MULTILINE)[1]
    build = tmp_path / "build"
    for name in ["tessera", *(path.name for path in BUILD.glob("libtessera*.[as]*")), "CMakeFiles/Export",
                 *(path.relative_to(BUILD) for path in BUILD.glob("**/cmake_install.cmake")),
                 *(path.name for path in BUILD.glob("*.cmake"))]:
        copy_of(BUILD / name, build / name)
    for script in build.rglob("*.cmake"):
        script.write_text(script.read_text().replace(f"{BUILD}/", f"{build}/"))
    commands = run(from_cache("CMAKE_MAKE_PROGRAM"), "-C", BUILD, "-t", "commands", target).splitlines()
    for command in commands:
        if "-DTOOL=" in command:  # what the finished tool makes: completion scripts and man pages
            run("sh", "-c", command.replace(str(BUILD), str(build)))
    run("cmake", "--install", build, "--prefix", tmp_path / "prefix")
    check_that_it_filters(tmp_path / "prefix/bin/tessera", tmp_path)
    assert (tmp_path / "prefix/share/bash-completion/completions/tessera").is_file()
    assert (tmp_path / "prefix/share/man/man1/tessera-convolve.1").is_file() == bool(from_cache("TESSERA_HELP2MAN"))


def copy_of(this, there):
    there.parent.mkdir(parents=True, exist_ok=True)
    if this.is_dir():
        shutil.copytree(this, there)
    else:
        shutil.copy2(this, there)


@pytest.mark.parametrize("shell, name", [("bash", "bash-completion/completions/tessera"),
                                         ("zsh", "zsh/site-functions/_tessera"),
                                         ("fish", "fish/vendor_completions.d/tessera.fish")])
def test_completion_is_what_the_tool_prints(prefix, shell, name):
    assert (prefix / "share" / name).read_text() == run(prefix / "bin" / "tessera", "completion", shell)


@pytest.mark.skipif(not from_cache("TESSERA_HELP2MAN"), reason="help2man was missing when it was built")
def test_every_command_has_a_man_page(prefix):
    pages = names_in(prefix / "share" / "man")
    commands = read_help(run(prefix / "bin" / "tessera", "--help")).commands
    assert {"convolve", "sample"} <= set(commands)
    assert {f"man1/tessera-{command}.1" for command in commands} | {"man1/tessera.1"} <= pages
    assert {"man1/tessera-sample-scene.1", "man1/tessera-faraday-fit-i.1"} <= pages
    page = (prefix / "share/man/man1/tessera-convolve.1").read_text()
    assert "tessera-convolve \\- Filter an image." in page
    assert ".nf\ntessera convolve photo.png gauss:2.5 soft.png\n" in page  # a line each, as typed


def test_all_public_headers_are_there(prefix):
    assert names_in(prefix / "include" / "tessera") == names_in(ROOT / "include" / "tessera")


def test_nothing_names_the_build_machine(prefix):
    assert files_that_name_the_build(prefix) == []


needs_shared = pytest.mark.skipif(from_cache("TESSERA_SHARED") != "ON", reason="built without TESSERA_SHARED")


@pytest.mark.parametrize("shared", ["OFF", pytest.param("ON", marks=needs_shared)])
def test_a_project_of_its_own_finds_links_and_runs_it(prefix, tmp_path, shared):
    run(*configure_with(prefix, CONSUMER, tmp_path, f"-DSHARED={shared}"))
    assert f"tessera_DIR:PATH={prefix}/lib" in (tmp_path / "CMakeCache.txt").read_text()
    run("cmake", "--build", tmp_path)
    said = run(tmp_path / "consumer")
    assert said.startswith("convolve 640x480 f32 by 21x21: ")
    light, point = map(float, re.search(r"light (\S+), at the point (\S+)\n", said).groups())
    assert light == pytest.approx(1, abs=1e-5)
    weight = 1 / sum(math.exp(-(x / 2.5) ** 2 / 2) for x in range(-10, 11))
    assert point == pytest.approx(weight ** 2, rel=1e-5)
    needed = re.findall(r"NEEDED.*\[(libtessera\S*)\]", run("readelf", "-d", tmp_path / "consumer"))
    assert needed == ([f"libtessera.so.{SONAME}"] if shared == "ON" else [])


@needs_shared
def test_the_shared_library_exports_the_public_headers_alone(prefix):
    library, = (prefix / "lib").rglob("libtessera.so")
    assert library.resolve().name == f"libtessera.so.{VERSION}"
    symbols = run("nm", "-D", "--defined-only", "-C", library)
    ours = set(re.findall(r" T tessera::([A-Za-z_:]+)\(", symbols))
    assert {"convolve", "read_image", "Noise::Noise", "Cells::Cells", "FaradaySynth::FaradaySynth"} <= ours
    hidden = {"methods_of", "parallel_for", "open_image", "convolve_methods"}
    assert not hidden & ours


@needs_shared
def test_the_shared_library_needs_no_other_package(prefix, tmp_path):
    """Not even those that the archives are linked with."""
    without = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("HWY", "fmt", "OpenMP", "PNG", "TIFF")]
    run(*configure_with(prefix, CONSUMER, tmp_path, "-DSHARED=ON", *without))


def what_configuring_fails_with(prefix, source, folder, *more):
    done = subprocess.run(configure_with(prefix, source, folder, *more), capture_output=True, text=True)
    assert done.returncode != 0
    return " ".join(done.stderr.split())


@pytest.mark.parametrize("component, fault", [
    pytest.param("files", "tessera was built with PNG::PNG, which is not found here", marks=pytest.mark.skipif(
        not from_cache("PNG_LIBRARY_RELEASE"), reason="built without libpng")),
    ("jobs", "tessera has no component jobs; it has files"),
])
def test_a_component_that_is_not_there_is_named(prefix, tmp_path, component, fault):
    (tmp_path / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(asks LANGUAGES CXX)\n"
                                             f"find_package(tessera REQUIRED COMPONENTS {component})\n")
    said = what_configuring_fails_with(prefix, tmp_path, tmp_path / "build", "-DCMAKE_DISABLE_FIND_PACKAGE_PNG=ON")
    assert fault in said
