# SPDX-License-Identifier: Apache-2.0
"""`cpack -G DEB` of the finished build: its fields, what it holds, and that it runs where it is unpacked."""
import gzip
import shutil

import pytest
from package_build import (
    BUILD,
    VERSION,
    check_that_it_filters,
    files_that_name_the_build,
    from_cache,
    names_in,
    needs_build,
    run,
)

pytestmark = [needs_build, pytest.mark.skipif(not (shutil.which("dpkg-deb") and shutil.which("dpkg-shlibdeps")),
                                              reason="dpkg-deb or dpkg-shlibdeps is missing")]


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("deb")
    run("cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", folder, umask=0o077)
    return folder / f"tessera_{VERSION}_{architecture()}.deb"


@pytest.fixture(scope="module")
def unpacked(package, tmp_path_factory):
    folder = tmp_path_factory.mktemp("unpacked")
    run("dpkg-deb", "-x", package, folder)
    return folder / "usr"


def architecture():
    return run("dpkg", "--print-architecture").strip()


def field(package, name):
    return run("dpkg-deb", "-f", package, name).strip()


def test_fields(package):
    assert field(package, "Package") == "tessera"
    assert field(package, "Version") == VERSION
    assert field(package, "Architecture") == architecture()
    assert field(package, "Section") == "science"
    wanted = from_cache("TESSERA_MAINTAINER") or "Unreleased build <nobody@tessera.invalid>"
    assert field(package, "Maintainer") == wanted
    assert int(field(package, "Installed-Size")) > 1000
    summary, *rest = field(package, "Description").splitlines()
    assert summary.startswith("image science") and len(summary) < 80
    assert rest and all(line.startswith(" ") and len(line) <= 80 for line in rest)


def test_dependencies_are_those_of_the_linked_libraries(package):
    depends = {one.split()[0] for one in field(package, "Depends").split(",")}
    assert {"libc6", "libgcc-s1", "libgomp1", "libstdc++6"} <= depends
    assert any(name.startswith("libfmt") for name in depends)
    assert not any(name.startswith(("libcuda", "nvidia", "libnvidia")) for name in depends)
    assert "ffmpeg" in field(package, "Recommends")
    known = run("dpkg-query", "-W", "-f", "${Package} ${Status}\n", *sorted(depends)).splitlines()
    assert {line.split()[0] for line in known if line.endswith(" ok installed")} == depends


def test_the_tool_filters(unpacked, tmp_path):
    check_that_it_filters(unpacked / "bin" / "tessera", tmp_path)


def test_it_lies_where_debian_looks(unpacked):
    there = names_in(unpacked)
    assert {"bin/tessera", "lib/libtessera.a", "lib/cmake/tessera/tesseraConfig.cmake",
            "include/tessera/convolve.hpp", "share/bash-completion/completions/tessera",
            "share/zsh/vendor-completions/_tessera", "share/fish/vendor_completions.d/tessera.fish",
            "share/doc/tessera/copyright", "share/doc/tessera/CITATION.cff"} <= there
    assert gzip.decompress((unpacked / "share/doc/tessera/changelog.gz").read_bytes()).startswith(b"# Changelog\n")
    outside = [name for name in there if not name.startswith(("bin/", "include/", "lib/", "share/"))]
    assert outside == []
    if from_cache("TESSERA_HELP2MAN"):
        page = gzip.decompress((unpacked / "share/man/man1/tessera-convolve.1.gz").read_bytes())
        assert b"Filter an image." in page
        assert [name for name in there if name.startswith("share/man/") and name.endswith(".1")] == []


def test_files_belong_to_root_and_others_may_read_them(package):
    for line in run("dpkg-deb", "-c", package).splitlines():
        rights, owner = line.split()[:2]
        assert owner == "root/root", line
        if not rights.startswith("l"):  # links have the rights of what they name
            assert rights[7] == "r" and rights[8] == "-", line


def test_nothing_names_the_build_machine(unpacked):
    assert files_that_name_the_build(unpacked) == []


@pytest.mark.skipif(not (BUILD / "libtessera_casacore.so").is_file(), reason="casacore is missing")
def test_the_writer_of_measurement_sets_is_a_package_of_its_own(package, tmp_path):
    run("cpack", "-G", "DEB", "--config", BUILD / "CPackCasacore.cmake", "-B", tmp_path)
    own = tmp_path / f"tessera-casacore_{VERSION}_{architecture()}.deb"
    assert field(own, "Package") == "tessera-casacore"
    depends = {one.split()[0] for one in field(own, "Depends").split(",")}
    assert any(name.startswith("libcasa-ms") for name in depends)
    assert f"tessera (= {VERSION})" in field(own, "Recommends")
    run("dpkg-deb", "-x", own, tmp_path / "own")
    held = names_in(tmp_path / "own")
    assert held == {"usr/lib/tessera/libtessera_casacore.so", "usr/share/doc/tessera-casacore/copyright"}
    assert "GPL-3" in (tmp_path / "own/usr/share/doc/tessera-casacore/copyright").read_text()
    assert "casa" not in field(package, "Depends")
    run("dpkg-deb", "-x", package, tmp_path / "tool")
    assert not any("casacore" in name for name in names_in(tmp_path / "tool"))
