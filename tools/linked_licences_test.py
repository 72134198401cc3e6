# SPDX-License-Identifier: Apache-2.0
"""The verdicts of linked_licences on invented trees of libraries and copyright files."""
import zipfile
from pathlib import Path

import linked_licences
import pytest
from linked_licences import UNKNOWN, inspect_wheel, is_gpl, licence_of_text, lines_of

ORIGIN = {
    "libpng.so": ("libpng16-16", "libpng"),
    "libtiff.so": ("libtiff6", "Hylafax"),
    "libjbig.so": ("libjbig0", "GPL-2+"),
    "libgomp.so": ("libgomp1", "GPL-3+ with GCC runtime library exception"),
    "libfftw3.so": ("libfftw3-double3", "GPL-2+"),
    "libzstd.so": ("libzstd1", "BSD-3-clause or GPL-2"),
}


def faults(needed, carried=frozenset()):
    return [line.library for line in lines_of("tool", needed, ORIGIN, set(carried)) if line.fault()]


@pytest.mark.parametrize("licence", ["GPL-2+", "GPL-3", "GPLv3+", "AGPL-3+", "GPL-2+ or GPL-3",
                                     "BSD-3-clause and GPL-2+",
                                     "GPL-3+ with autoconf exception", "GNU GPL 2"])
def test_the_gpl_without_another_choice_is_the_gpl(licence):
    assert is_gpl(licence)


@pytest.mark.parametrize("licence", ["LGPL-2.1+", "LGPL-3+ or GPL-2+", "GPL-2+ or LGPL-3+", "BSD-3-clause or GPL-2",
                                     "Expat",
                                     "GPL-3+ with GCC runtime library exception", "GPL-2 with Classpath exception",
                                     "MPL-1.1 or GPL-2+ or LGPL-2.1+", "Apache-2.0"])
def test_what_leaves_another_choice_is_not(licence):
    assert not is_gpl(licence)


def test_a_direct_dependency_under_the_gpl_is_a_fault():
    assert faults({"tool": ["libpng.so", "libgomp.so", "libfftw3.so"]}) == ["libfftw3.so"]


def test_a_library_of_a_library_may_be_under_the_gpl():
    needed = {"tool": ["libtiff.so", "libzstd.so"], "libtiff.so": ["libjbig.so"]}
    assert faults(needed) == []
    reached = {line.library: line.reached for line in lines_of("tool", needed, ORIGIN)}
    assert reached == {"libtiff.so": "direct", "libzstd.so": "direct", "libjbig.so": "through libtiff.so"}


def test_what_is_reached_both_ways_is_direct():
    assert faults({"tool": ["libtiff.so", "libjbig.so"], "libtiff.so": ["libjbig.so"]}) == ["libjbig.so"]


def test_a_wheel_may_not_carry_it_even_as_a_library_of_a_library():
    needed = {"tool": ["libtiff.so"], "libtiff.so": ["libjbig.so"]}
    assert faults(needed, {"libtiff.so", "libjbig.so"}) == ["libjbig.so"]
    assert faults({}, {"libjbig.so"}) == ["libjbig.so"]


def test_libraries_that_need_each_other_come_once():
    needed = {"tool": ["libpng.so"], "libpng.so": ["libzstd.so"], "libzstd.so": ["libpng.so"]}
    assert [line.library for line in lines_of("tool", needed, ORIGIN)] == ["libpng.so", "libzstd.so"]


def test_a_direct_dependency_of_unknown_licence_is_a_fault_and_the_loader_is_none():
    assert faults({"tool": ["libodd.so", "ld-linux-x86-64.so.2", "linux-vdso.so.1"]}) == ["libodd.so"]
    assert faults({"tool": ["libpng.so"], "libpng.so": ["libodd.so"]}) == []


FIELDS = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/

Files: debian/*
Copyright: 2001 A
License: GPL-2+

Files: *
Copyright: 1999 B
License: Expat
 Permission is hereby granted …

License: GPL-2+
 On Debian systems …
"""


def test_fields_state_the_licence_of_all_files():
    assert licence_of_text(FIELDS) == "Expat"


def test_without_a_paragraph_for_all_files_each_one_counts():
    text = FIELDS.replace("Files: *\n", "Files: src/*\n lib/*\n").replace("License: Expat", "License: GPL-3+")
    assert licence_of_text(text) == "GPL-3+"


@pytest.mark.parametrize("text, licence", [
    ("… the terms of the GNU\nGeneral Public License as published …", "GPL"),
    ("… the terms of the GNU Lesser General\nPublic License …", "LGPL"),
    ("… the GNU General Public License … with the GCC Runtime\nLibrary Exception …",
     "GPL-3+ with GCC runtime library exception"),
    ("The library is under the GNU Lesser General Public License, its tools under the GNU General Public License.",
     UNKNOWN),
    ("Permission is hereby granted, free of charge, …", "no part of the GPL family"),
])
def test_prose_is_read_with_care(text, licence):
    assert licence_of_text(text) == licence


def test_a_wheel_is_judged_by_what_lies_in_it(tmp_path, monkeypatch):
    wheel = tmp_path / "tessera-1.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in ("tessera/_tessera.so", "tessera.libs/libjbig-0a1b2c3d.so.0", "tessera/__init__.py"):
            archive.writestr(name, "")
    monkeypatch.setattr(linked_licences, "needed_by",
                        lambda path: ["libjbig-0a1b2c3d.so.0", "libc.so.6"] if "_tessera" in path.name else [])
    monkeypatch.setattr(linked_licences, "places_of", lambda path: {"libc.so.6": Path("/lib/libc.so.6")})
    monkeypatch.setattr(linked_licences, "origin_of",
                        lambda path: {"libjbig.so.0": ("libjbig0", "GPL-2+"),
                                      "libc.so.6": ("libc6", "LGPL-2.1+")}[path.name])
    lines = inspect_wheel(wheel)
    assert [(line.library, line.reached, line.fault()) for line in lines] == [
        ("libjbig-0a1b2c3d.so.0", "in the wheel", True), ("libc.so.6", "direct", False)]
