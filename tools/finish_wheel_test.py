# SPDX-License-Identifier: Apache-2.0
"""A finished wheel has the licences of its libraries, the maintainer, and a correct RECORD."""
import base64
import csv
import hashlib
import zipfile
from pathlib import Path

import finish_wheel
import pytest
from finish_wheel import Fault, finish, licence_of_distribution, third_party, with_lines

INFO = "tessera-1.2.3.dist-info"
FILES = {
    "tessera/__init__.py": b"from ._tessera import *\n",
    "tessera/_tessera.so": b"\x7fELF",
    "tessera.libs/libpng16-0123abcd.so.16.39.0": b"\x7fELF png",
    "tessera.libs/libopenblasp-r0-0123abcd.3.21.so": b"\x7fELF blas",
    f"{INFO}/METADATA": b"Name: tessera\nVersion: 1.2.3\n\n# Tessera\n\nText.\n",
    f"{INFO}/RECORD": b"old,,\n",
}


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    path = tmp_path / "tessera-1.2.3-cp311-cp311-manylinux_2_36_aarch64.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in FILES.items():
            archive.writestr(name, data)
    return path


def finished(wheel: Path, folder: Path) -> Path:
    folder.mkdir()
    return finish(wheel, folder, {"libpng16-16": b"PNG's", "nanobind": b"BSD"}, "Ada <ada@lovelace.name>")


def test_what_is_added(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(finished(wheel, tmp_path / "out")) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert names[-1] == f"{INFO}/RECORD"
        assert set(names) == {*FILES, f"{INFO}/licenses/third-party/libpng16-16.txt",
                              f"{INFO}/licenses/third-party/nanobind.txt"}
        assert archive.read(f"{INFO}/METADATA").decode() == (
            "Name: tessera\nVersion: 1.2.3\nLicense-File: third-party/libpng16-16.txt\n"
            "License-File: third-party/nanobind.txt\nMaintainer-email: Ada <ada@lovelace.name>\n\n# Tessera\n\nText.\n")
        for name, digest, size in csv.reader(archive.read(f"{INFO}/RECORD").decode().splitlines()):
            if name != f"{INFO}/RECORD":
                right = base64.urlsafe_b64encode(hashlib.sha256(archive.read(name)).digest()).rstrip(b"=").decode()
                assert (digest, int(size)) == (f"sha256={right}", len(archive.read(name)))


def test_the_same_bytes_again(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert finished(wheel, tmp_path / "a").read_bytes() == finished(wheel, tmp_path / "b").read_bytes()


def test_licences_are_those_of_the_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packages = {"libpng16.so.16.39.0": "libpng16-16", "libopenblasp-r0.3.21.so": "libopenblas0"}
    monkeypatch.setattr(finish_wheel, "package_of", lambda path: packages[path.name])
    monkeypatch.setattr(finish_wheel, "DOCUMENTS", tmp_path)
    monkeypatch.setattr(finish_wheel, "COMPILED_IN_DISTRIBUTIONS", ["pytest"])
    monkeypatch.setattr(finish_wheel, "COMPILED_IN_PACKAGES", [])
    for package in packages.values():
        (tmp_path / package).mkdir()
        (tmp_path / package / "copyright").write_text(package)
    found = third_party(list(FILES))
    assert list(found) == ["libopenblas0", "libpng16-16", "pytest"] and found["libpng16-16"] == b"libpng16-16"
    (tmp_path / "libpng16-16" / "copyright").unlink()
    with pytest.raises(Fault, match=r"libpng16\.so\.16\.39\.0: the licence was not found"):
        third_party(list(FILES))


def test_licences_of_distributions() -> None:
    assert b"MIT" in licence_of_distribution("pytest")


def test_a_metadata_file_without_text() -> None:
    assert with_lines("Name: a\nVersion: 1", ["B: c"]) == "Name: a\nVersion: 1\nB: c"
