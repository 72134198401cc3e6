#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The licences of the libraries that programs, modules and wheels are linked with.

    tools/linked_licences.py FILE…     programs, modules (.so) and wheels (.whl)

Follows the libraries of each file (readelf, ldd) and prints one line per library: its name, how it
is reached, the Debian package it comes from and the licence that package states. A library under
the GPL is a fault if a file is linked with it directly or a wheel contains it; otherwise it is only
printed. The same holds for a library whose licence is not found. Exit code 1 if there is a fault.
"""
import re
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

DOCUMENTS = Path("/usr/share/doc")
UNKNOWN = "not found"

# package -> the licence of its library, if the package's copyright file states that of other parts first or in
# prose.
STATED_OTHERWISE = {
    "libc6": "LGPL-2.1+",
    "libcfitsio10": "permissive (NASA)",  # the parts under the GPL "are not used"
    "libcom-err2": "Expat",
    "libgnutls30": "LGPL-2.1+",
    "libidn2-0": "LGPL-3+ or GPL-2+",
    "libkeyutils1": "LGPL-2+",
    "libkrb5-3": "Expat",
    "librtmp1": "LGPL-2.1+",
    "libtasn1-6": "LGPL-2.1+",
}
SAME_SOURCE = {"libgssapi-krb5-2": "libkrb5-3", "libk5crypto3": "libkrb5-3", "libkrb5support0": "libkrb5-3"}

# The loader and the kernel's vdso are part of every program.
LOADER = re.compile(r"^(ld-linux|linux-vdso|ld64)")
HASH_OF_AUDITWHEEL = re.compile(r"-[0-9a-f]{8}(?=\.)")


@dataclass(frozen=True)
class Line:
    """One library of a file."""

    library: str
    reached: str  # "direct", "in the wheel" or "through libtiff.so.6"
    package: str
    licence: str

    def fault(self) -> bool:
        return not self.reached.startswith("through ") and (self.licence == UNKNOWN or is_gpl(self.licence))

    def __str__(self) -> str:
        fault = "  <- not allowed here" if self.fault() else ""
        return f"  {self.library:32} {self.reached:28} {self.package:24} {self.licence}{fault}"


def is_gpl(licence: str) -> bool:
    """Whether a licence leaves no choice but the GPL (or AGPL), without an exception for programs that link to it."""
    choices = re.split(r"\s+or\s+|\s*\|\s*", licence, flags=re.IGNORECASE)
    return all(any(map(is_gpl_alone, re.split(r"\s+and\s+|,\s*", choice, flags=re.IGNORECASE))) for choice in choices)


def is_gpl_alone(licence: str) -> bool:
    if re.search(r"\bwith\b.*\b(runtime|linking|classpath)\b", licence, re.IGNORECASE):
        return False
    return re.match(r"\s*(GNU\s+)?A?GPL", licence, re.IGNORECASE) is not None


def licence_of_text(text: str) -> str:
    """The licence that a Debian copyright file states for most of a package."""
    if re.search(r"^Format:", text, re.MULTILINE):
        return licence_of_fields(text)
    plain = " ".join(text.split())
    if re.search("gcc runtime library exception", plain, re.IGNORECASE):
        return "GPL-3+ with GCC runtime library exception"
    lesser = re.search(r"(Lesser|Library)\s+General Public|\bLGPL", plain)
    full = re.search(r"(?<!Lesser )(?<!Library )General Public|\bGPL", plain)
    if full:
        return "GPL" if not lesser else UNKNOWN  # prose that names both has to be read
    return "LGPL" if lesser else "no part of the GPL family"


def licence_of_fields(text: str) -> str:
    """The licence of `Files: *`, or of all files if they are listed one by one."""
    stated = []
    for paragraph in re.split(r"\n\s*\n", text):
        fields = dict(re.findall(r"^(Files|License):[ \t]*(.*(?:\n[ \t]+\S.*)*)", paragraph, re.MULTILINE))
        if "Files" not in fields or "License" not in fields:
            continue
        licence = " ".join(fields["License"].splitlines()[0].split())
        if fields["Files"].split() == ["*"]:
            return licence
        if not fields["Files"].startswith("debian/") and licence not in stated:
            stated.append(licence)
    return " and ".join(stated) or UNKNOWN


def lines_of(root: str, needed: dict[str, list[str]], origin: dict[str, tuple[str, str]],
             carried: set[str] = frozenset()) -> list[Line]:
    """A line for each library that `root` reaches, breadth first: those it is linked with come first.

    needed: file or library -> the libraries it names; origin: library -> its package and licence; carried: libraries
    that lie in the wheel `root`.
    """
    lines, seen, queue = [], set(), [(library, "") for library in needed.get(root, [])]
    queue += [(library, "") for library in sorted(carried - set(needed.get(root, [])))]
    while queue:
        library, through = queue.pop(0)
        if library in seen or LOADER.match(library):
            continue
        seen.add(library)
        reached = "in the wheel" if library in carried else f"through {through}" if through else "direct"
        lines.append(Line(library, reached, *origin.get(library, ("", UNKNOWN))))
        queue += [(below, library) for below in needed.get(library, [])]
    return lines


def output_of(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


def needed_by(path: Path) -> list[str]:
    return re.findall(r"\(NEEDED\).*\[(.*)\]", output_of("readelf", "-d", str(path)))


def places_of(path: Path) -> dict[str, Path]:
    """Where the loader finds each library of a file, including indirect ones."""
    found = re.findall(r"^\s*(\S+) => (/\S+)", output_of("ldd", str(path)), re.MULTILINE)
    return {name: Path(place) for name, place in found}


def package_of(path: Path) -> str:
    """The Debian package that a library belongs to; /lib may be a link to /usr/lib that dpkg does not know of."""
    real = str(path.resolve())
    for name in (real, real.removeprefix("/usr"), str(path), f"*/{path.name}"):
        if owner := output_of("dpkg", "-S", name):
            return owner.split(":")[0].split(",")[0]
    return ""


def origin_of(path: Path) -> tuple[str, str]:
    package = package_of(path)
    package = SAME_SOURCE.get(package, package)
    if package in STATED_OTHERWISE:
        return package, STATED_OTHERWISE[package]
    text = DOCUMENTS / package / "copyright"
    return package, licence_of_text(text.read_text(errors="replace")) if package and text.is_file() else UNKNOWN


def inspect(path: Path) -> list[Line]:
    """The libraries of a program or module."""
    needed, places = {path.name: needed_by(path)}, places_of(path)
    for name, place in places.items():
        needed[name] = needed_by(place)
    return lines_of(path.name, needed, {name: origin_of(place) for name, place in places.items()})


def inspect_wheel(wheel: Path) -> list[Line]:
    """The libraries that a wheel carries, and those that its modules are linked with."""
    lines: list[Line] = []
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(wheel).extractall(folder)
        files = sorted(path for path in Path(folder).rglob("*") if re.search(r"\.so(\.\d+)*$", path.name))
        carried = {path.name: path for path in files if path.name.startswith("lib")}
        for module in files:
            if module.name in carried:
                continue
            needed, places = {wheel.name: needed_by(module)}, places_of(module)
            for name, place in {**places, **carried}.items():
                needed[name] = needed_by(place)
            origin = {name: origin_of(place) for name, place in places.items()}
            # auditwheel adds a hash to the names of the libraries it copies.
            origin |= {name: origin_of(Path(HASH_OF_AUDITWHEEL.sub("", name))) for name in carried}
            lines += lines_of(wheel.name, needed, origin, set(carried))
    return lines


def main(files: list[str]) -> int:
    if not files or files[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if files else 2
    faults = []
    for file in map(Path, files):
        if not file.is_file():
            print(f"linked_licences: {file} is not a file; give programs, modules or wheels", file=sys.stderr)
            return 2
        lines = inspect_wheel(file) if file.suffix == ".whl" else inspect(file)
        print(file.name, *lines, sep="\n", flush=True)
        faults += [line.library for line in lines if line.fault()]
    if faults:
        print(f"linked_licences: {', '.join(faults)}: under the GPL or a licence that is not found; such a library may "
              "neither be linked directly nor lie in a wheel", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
