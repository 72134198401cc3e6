#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The version in VERSION, CHANGELOG.md and CITATION.cff.

    tools/release_version.py check      do they agree, and is Unreleased empty? Prints VERSION and DATE
    tools/release_version.py notes      prints the changelog's section of VERSION
    tools/release_version.py set 0.2.0  makes 0.2.0 the version: the text under Unreleased becomes its section

One line per fault, "file: what is wrong; what would be right"; the exit code is then 1.
"""
import argparse
import datetime
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECTION = re.compile(r"^## \[(.+?)\](?: - (\S+))?\n", re.MULTILINE)
NUMBER = re.compile(r"(\d+)\.(\d+)\.(\d+)")
UNRELEASED = "Unreleased"


class Fault(Exception):
    pass


def version_of(root: Path) -> str:
    return (root / "VERSION").read_text().strip()


def sections_of(changelog: str) -> dict[str, tuple[str, str]]:
    """Date and text of every section, newest first."""
    found = list(SECTION.finditer(changelog))
    ends = [one.start() for one in found[1:]] + [len(changelog)]
    return {one[1]: (one[2] or "", changelog[one.end():end].strip()) for one, end in zip(found, ends, strict=True)}


def cited(root: Path) -> dict[str, str]:
    """Version and date in CITATION.cff."""
    text = (root / "CITATION.cff").read_text()
    return dict(re.findall(r'^(version|date-released): *"?([^"\s]*)"? *$', text, re.MULTILINE))


def faults_of(root: Path) -> list[str]:
    version = version_of(root)
    if not NUMBER.fullmatch(version):
        return [f"VERSION: it is {version!r}; it must be three numbers such as 1.2.3"]
    sections = sections_of((root / "CHANGELOG.md").read_text())
    faults = []
    if sections.get(UNRELEASED, ("", ""))[1]:
        faults.append("CHANGELOG.md: there are changes under Unreleased; `tools/release_version.py set VERSION` moves "
                      "them to a version")
    date, text = sections.get(version, ("", ""))
    if version not in sections:
        return [*faults, f"CHANGELOG.md: there is no section of {version}; add `## [{version}] - YEAR-MONTH-DAY`"]
    try:
        datetime.date.fromisoformat(date)
    except ValueError:
        faults.append(f"CHANGELOG.md: the date of {version} is {date!r}; it must be YEAR-MONTH-DAY")
    if not text:
        faults.append(f"CHANGELOG.md: the section of {version} is empty; say what changed")
    for key, wanted in (("version", version), ("date-released", date)):
        if cited(root).get(key) != wanted:
            faults.append(f"CITATION.cff: {key} is {cited(root).get(key)}; it must be {wanted}")
    return faults


def check(root: Path) -> str:
    if faults := faults_of(root):
        raise Fault("\n".join(faults))
    version = version_of(root)
    return f"{version} {sections_of((root / 'CHANGELOG.md').read_text())[version][0]}"


def notes(root: Path) -> str:
    version = version_of(root)
    sections = sections_of((root / "CHANGELOG.md").read_text())
    if version not in sections:
        raise Fault(f"CHANGELOG.md: there is no section of {version}")
    return sections[version][1]


def numbers_of(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def set_version(root: Path, version: str, date: datetime.date) -> str:
    if not NUMBER.fullmatch(version):
        raise Fault(f"set: {version!r} is not a version; it must be three numbers such as 1.2.3")
    changelog = (root / "CHANGELOG.md").read_text()
    sections = sections_of(changelog)
    released = [name for name in sections if NUMBER.fullmatch(name)]
    if released and numbers_of(version) <= max(map(numbers_of, released)):
        raise Fault(f"set: {version} must be later than {released[0]}, the newest in CHANGELOG.md")
    if not sections.get(UNRELEASED, ("", ""))[1]:
        raise Fault("set: there is nothing under Unreleased in CHANGELOG.md; say there what changed")
    heading = f"## [{UNRELEASED}]\n"
    (root / "CHANGELOG.md").write_text(changelog.replace(heading, f"{heading}\n## [{version}] - {date}\n", 1))
    (root / "VERSION").write_text(version + "\n")
    citation = (root / "CITATION.cff").read_text()
    for key, value in (("version", version), ("date-released", f'"{date}"')):
        citation = re.sub(rf"^{key}:.*$", f"{key}: {value}", citation, flags=re.MULTILINE)
    (root / "CITATION.cff").write_text(citation)
    return check(root)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check")
    commands.add_parser("notes")
    commands.add_parser("set").add_argument("version")
    options = parser.parse_args()
    try:
        if options.command == "set":
            print(set_version(ROOT, options.version, datetime.date.today()))
        else:
            print({"check": check, "notes": notes}[options.command](ROOT))
    except Fault as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
