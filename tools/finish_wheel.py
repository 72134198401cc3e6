#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Completes a wheel after auditwheel: adds the licences of the libraries in it, and the maintainer.

    tools/finish_wheel.py REPAIRED.whl --output FOLDER [--maintainer "NAME <ADDRESS>"]

The licence files of the libraries that auditwheel copied, and of those compiled in, come from the Debian packages and
Python distributions of these libraries. A library without a licence file is a fault. The same input gives the same
bytes (SOURCE_DATE_EPOCH).
"""
import argparse
import base64
import hashlib
import os
import re
import sys
import time
import zipfile
from importlib.metadata import distribution
from pathlib import Path

from linked_licences import DOCUMENTS, HASH_OF_AUDITWHEEL, package_of

CARRIED = re.compile(r"^tessera\.libs/(lib[^/]+)$")
COMPILED_IN_PACKAGES = ["nlohmann-json3-dev"]  # header files only
COMPILED_IN_DISTRIBUTIONS = ["nanobind"]


class Fault(Exception):
    pass


def licence_of_package(package: str, what: str) -> bytes:
    path = DOCUMENTS / package / "copyright"
    if not package or not path.is_file():
        raise Fault(f"{what}: the licence was not found; {path} is missing")
    return path.read_bytes()


def licence_of_distribution(name: str) -> bytes:
    files = [file for file in distribution(name).files or [] if re.match(r"LICEN[CS]E|COPYING", file.name)]
    if not files:
        raise Fault(f"{name}: its distribution has no licence file")
    return b"\n".join(Path(file.locate()).read_bytes() for file in files)


def third_party(names: list[str]) -> dict[str, bytes]:
    """Licence files by package: one per package, however many libraries it has."""
    found = {}
    for name in filter(None, (CARRIED.match(name) for name in names)):
        library = HASH_OF_AUDITWHEEL.sub("", name[1])
        package = package_of(Path(library))
        found[package] = licence_of_package(package, library)
    for package in COMPILED_IN_PACKAGES:
        found[package] = licence_of_package(package, package)
    for name in COMPILED_IN_DISTRIBUTIONS:
        found[name] = licence_of_distribution(name)
    return dict(sorted(found.items()))


def with_lines(metadata: str, lines: list[str]) -> str:
    """The fields of a METADATA file end where its text begins, after an empty line."""
    fields, gap, text = metadata.partition("\n\n")
    return "\n".join([fields, *lines]) + gap + text


def record_of(files: dict[str, bytes], record: str) -> bytes:
    lines = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(data)}\n")
    return "".join([*lines, f"{record},,\n"]).encode()


def finish(wheel: Path, output: Path, licences: dict[str, bytes], maintainer: str) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        entries = {info.filename: info for info in archive.infolist()}
        files = {name: archive.read(name) for name in entries if not name.endswith("/")}
    info = next(name.split("/")[0] for name in files if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
    lines = [f"License-File: third-party/{name}.txt" for name in licences]
    if maintainer:
        lines.append(f"Maintainer-email: {maintainer}")
    files[f"{info}/METADATA"] = with_lines(files[f"{info}/METADATA"].decode(), lines).encode()
    files |= {f"{info}/licenses/third-party/{name}.txt": text for name, text in licences.items()}
    record = f"{info}/RECORD"
    files.pop(record, None)
    files[record] = record_of(files, record)
    when = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", "315532800")))[:6]
    target = output / wheel.name
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files, key=lambda name: (name == record, name)):
            entry = zipfile.ZipInfo(name, when)
            entry.external_attr = entries[name].external_attr if name in entries else 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[name])
    return target


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--maintainer", default="")
    options = parser.parse_args()
    try:
        with zipfile.ZipFile(options.wheel) as archive:
            licences = third_party(archive.namelist())
        target = finish(options.wheel, options.output, licences, options.maintainer)
    except Fault as fault:
        print(f"finish_wheel: {fault}", file=sys.stderr)
        return 1
    print(f"licences: {', '.join(licences)}\n=> {target.name}, {target.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
