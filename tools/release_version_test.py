# SPDX-License-Identifier: Apache-2.0
"""Version, changelog and citation: which faults are found, and how a new version is set."""
import datetime
import re
import subprocess
from pathlib import Path

import pytest
from release_version import NUMBER, ROOT, Fault, check, cited, faults_of, notes, sections_of, set_version, version_of

CHANGELOG = """# Changelog

## [Unreleased]

## [1.2.0] - 2026-03-04

### Added

* A brick.

## [1.1.0] - 2026-01-02

* Mortar.
"""
CITATION = 'title: House\nversion: 1.2.0\ndate-released: "2026-03-04"\nkeywords:\n  - version\n'


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "VERSION").write_text("1.2.0\n")
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    (tmp_path / "CITATION.cff").write_text(CITATION)
    return tmp_path


def mend(tree: Path, name: str, old: str, new: str) -> None:
    text = (tree / name).read_text()
    assert old in text
    (tree / name).write_text(text.replace(old, new, 1))


def test_what_agrees(tree: Path) -> None:
    assert check(tree) == "1.2.0 2026-03-04"
    assert notes(tree) == "### Added\n\n* A brick."


@pytest.mark.parametrize("name, old, new, fault", [
    ("VERSION", "1.2.0", "1.2", "VERSION: it is '1.2'; it must be three numbers such as 1.2.3"),
    ("VERSION", "1.2.0", "1.3.0",
     "CHANGELOG.md: there is no section of 1.3.0; add `## [1.3.0] - YEAR-MONTH-DAY`"),
    ("CHANGELOG.md", "[Unreleased]\n", "[Unreleased]\n\n* A door.\n",
     "CHANGELOG.md: there are changes under Unreleased; `tools/release_version.py set VERSION` moves them "
     "to a version"),
    ("CHANGELOG.md", "### Added\n\n* A brick.\n", "",
     "CHANGELOG.md: the section of 1.2.0 is empty; say what changed"),
    ("CITATION.cff", "version: 1.2.0", "version: 1.1.0", "CITATION.cff: version is 1.1.0; it must be 1.2.0"),
    ("CITATION.cff", "2026-03-04", "2026-03-05", "CITATION.cff: date-released is 2026-03-05; it must be 2026-03-04"),
])
def test_what_does_not_agree(tree: Path, name: str, old: str, new: str, fault: str) -> None:
    mend(tree, name, old, new)
    assert faults_of(tree) == [fault]
    with pytest.raises(Fault):
        check(tree)


def test_a_date_that_is_none(tree: Path) -> None:
    mend(tree, "CHANGELOG.md", "2026-03-04", "soon")
    assert faults_of(tree)[0] == "CHANGELOG.md: the date of 1.2.0 is 'soon'; it must be YEAR-MONTH-DAY"


def test_a_new_version_takes_what_is_unreleased(tree: Path) -> None:
    mend(tree, "CHANGELOG.md", "[Unreleased]\n", "[Unreleased]\n\n* A door.\n")
    assert set_version(tree, "1.3.0", datetime.date(2026, 5, 6)) == "1.3.0 2026-05-06"
    sections = sections_of((tree / "CHANGELOG.md").read_text())
    assert list(sections) == ["Unreleased", "1.3.0", "1.2.0", "1.1.0"]
    assert sections["Unreleased"] == ("", "")
    assert sections["1.3.0"] == ("2026-05-06", "* A door.")
    assert cited(tree) == {"version": "1.3.0", "date-released": "2026-05-06"}
    assert "keywords:\n  - version\n" in (tree / "CITATION.cff").read_text()


@pytest.mark.parametrize("version, fault", [
    ("1.3", "'1.3' is not a version"), ("1.2.0", "must be later than 1.2.0"), ("1.10.0", "there is nothing under"),
])
def test_a_version_that_cannot_be_set_changes_nothing(tree: Path, version: str, fault: str) -> None:
    with pytest.raises(Fault, match=fault):
        set_version(tree, version, datetime.date(2026, 5, 6))
    assert (tree / "CHANGELOG.md").read_text() == CHANGELOG and version_of(tree) == "1.2.0"


def test_our_own_changelog_and_citation() -> None:
    sections = sections_of((ROOT / "CHANGELOG.md").read_text())
    assert next(iter(sections)) == "Unreleased" and version_of(ROOT) in sections
    assert all(NUMBER.fullmatch(name) and date for name, (date, _) in sections.items() if name != "Unreleased")
    assert [fault for fault in faults_of(ROOT) if "under Unreleased" not in fault] == []


@pytest.mark.parametrize("address", ["Ada", "ada@lovelace.name", "Ada <ada>", "Ada <ada@localhost>",
                                     "Ada <ada@home.local>",
                                     "Ada <ada@example.org>", "Ada <ada@tessera.invalid>", "Ada <a b@lovelace.name>"])
def test_a_release_needs_an_address_that_is_read(address: str) -> None:
    done = subprocess.run([ROOT / "scripts" / "release", "--maintainer", address], capture_output=True, text=True,
                          timeout=20)
    assert done.returncode == 2 and done.stdout == ""
    assert re.fullmatch(r'release: .*; give --maintainer "NAME <ADDRESS>".*\n', done.stderr)
