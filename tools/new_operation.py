#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the files of a new operation: the structure of convolve, under a new name.

    tools/new_operation.py sharpen "unsharp masking"

The operation multiplies by a factor. It is complete: header, plan, three methods, tests, benchmark, job,
command, Python door and docs, each entered in the lists of operations. Replace the arithmetic.
"""
import argparse
import keyword
import re
import shutil
import subprocess
import sys
from pathlib import Path

from check_rooms import COMMENT_OR_TEXT, SOURCES, listed_files

TEMPLATES = Path(__file__).resolve().parent / "templates"
CPP_WORDS = set("""alignas alignof and asm auto bool break case catch char class compl concept const
    constexpr continue decltype default delete do double else enum explicit export extern false float for
    friend goto if inline int long mutable namespace new not nullptr operator or private protected public
    register requires return short signed sizeof static struct switch template this throw true try typedef
    typeid typename union unsigned using virtual void volatile while xor tessera std""".split())

# Lists of operations in which convolve has a line: the new operation gets the same line under its name.
LINES_OF_CONVOLVE = {
    "cli/commands.hpp": ["void add_convolve(Program& program);"],
    "cli/all_commands.cpp": ["  add_convolve(program);"],
    "python/doors.hpp": ["void add_convolve(nanobind::module_& module);"],
    "python/module.cpp": ["  tessera::python::add_convolve(module);"],
    "python/tessera/__init__.py": ["    Convolve,", "    convolve,", '    "Convolve",', '    "convolve",'],
}
# Tables that have one row per operation: how the table begins, and the row.
ROWS = {
    "ARCHITECTURE.md": ("| operation | shape |", "| @name@ | rows | `[a, b)` | none |"),
}
# Texts that have one section per operation: the line after the last section, and the new section.
SECTIONS = {
    "README.md": ("Around them:", "### [@name@](docs/@name@.md)\n\n@Sentence@.\n\n"
                  "    tessera @name@ in.png out.png\n\n"),
}


class Refused(Exception):
    """The reason why the operation cannot be made; nothing was written."""


def filled(text: str, name: str, sentence: str) -> str:
    class_name = "".join(word.capitalize() for word in name.split("_"))
    values = {"name": name, "Name": class_name, "sentence": sentence,
              "Sentence": sentence[:1].upper() + sentence[1:]}
    return re.sub("@(" + "|".join(values) + ")@", lambda match: values[match[1]], text)


def check_words(name: str, sentence: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
        raise Refused(f"'{name}' is not a name for an operation; use words of a-z and 0-9 joined by _")
    if name in CPP_WORDS or keyword.iskeyword(name):
        raise Refused(f"'{name}' is a word of C++ or Python; choose another")
    if name.endswith(("_test", "_bench")):
        raise Refused(f"'{name}' would be taken for a test or benchmark; choose another ending")
    if not sentence or not sentence.isprintable() or set(sentence) & set('"\\|@'):
        raise Refused("the sentence must be one line without \", \\, | and @: \"unsharp masking\"")


def check_free(root: Path, name: str, made: list[str]) -> None:
    """The files do not exist, their names are not in use, and the public headers do not use the word."""
    for path in made:
        if (root / path).exists():
            raise Refused(f"{path} exists; choose another name")
    names = {path.name: path for path in listed_files(root) if path.suffix in SOURCES}
    for path in made:
        if other := names.get(Path(path).name):
            raise Refused(f"{path} would have the same name as {other}; choose another name")
    word = re.compile(filled(r"\b(@name@|@Name@(Options|Job|Result|Plan)?)\b", name, ""))
    for header in sorted((root / "include/tessera").glob("*.hpp")):
        if word.search(COMMENT_OR_TEXT.sub("", header.read_text())):
            raise Refused(f"'{name}' is used in include/tessera/{header.name}; choose another name")


def with_line(text: str, path: str, line: str, name: str) -> str:
    lines = text.splitlines()
    if line not in lines:
        raise Refused(f"{path} has no line '{line.strip()}' after which to enter the operation; "
                      "fix LINES_OF_CONVOLVE in tools/new_operation.py")
    place = lines.index(line)
    new = filled(line.replace("convolve", "@name@").replace("Convolve", "@Name@"), name, "")
    lines.insert(place + 1, new)
    if path.endswith(".py"):  # these lists are sorted
        first, end = place, place
        while lines[first - 1].startswith("    "):
            first -= 1
        while lines[end].startswith("    "):
            end += 1
        lines[first:end] = sorted(lines[first:end])
    return "\n".join(lines) + "\n"


def with_row(text: str, path: str, header: str, row: str) -> str:
    lines = text.splitlines()
    place = next((i for i, line in enumerate(lines) if line.startswith(header)), None)
    if place is None:
        raise Refused(f"{path} has no table '{header}'; fix ROWS in tools/new_operation.py")
    while place < len(lines) and lines[place].startswith("|"):
        place += 1
    lines.insert(place, row)
    return "\n".join(lines) + "\n"


def with_section(text: str, path: str, follower: str, section: str) -> str:
    before, found, after = text.partition("\n" + follower)
    if not found:
        raise Refused(f"{path} has no line '{follower}'; fix SECTIONS in tools/new_operation.py")
    return before + "\n" + section + follower + after


def new_files(name: str, sentence: str) -> dict[str, str]:
    files = {}
    for template in sorted(TEMPLATES.rglob("*.in")):
        path = str(template.relative_to(TEMPLATES).with_suffix(""))
        files[path.replace("operation", name)] = filled(template.read_text(), name, sentence)
    return files


def changed_files(root: Path, name: str, sentence: str) -> dict[str, str]:
    files = {}
    for path, lines in LINES_OF_CONVOLVE.items():
        files[path] = (root / path).read_text()
        for line in lines:
            files[path] = with_line(files[path], path, line, name)
    for path, (header, row) in ROWS.items():
        files[path] = with_row((root / path).read_text(), path, header, filled(row, name, sentence))
    for path, (follower, section) in SECTIONS.items():
        files[path] = with_section((root / path).read_text(), path, follower, filled(section, name, sentence))
    return files


def make_operation(root: Path, name: str, sentence: str) -> tuple[list[str], list[str]]:
    """Writes all files; returns the new ones and those with a new line."""
    sentence = sentence.strip().rstrip(".")
    check_words(name, sentence)
    made = new_files(name, sentence)
    check_free(root, name, list(made))
    changed = changed_files(root, name, sentence)
    for path, text in (made | changed).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    # Line breaks depend on the length of the name.
    sources = [str(root / path) for path in made if Path(path).suffix in SOURCES]
    subprocess.run(["clang-format", "-i", *sources], check=True)
    return list(made), list(changed)


def next_steps(root: Path, name: str) -> str:
    """The checklist of CONTRIBUTING.md, under the new name."""
    text = (root / "CONTRIBUTING.md").read_text()
    found = re.search(r"^1\. .*?(?=\n\n)", text, re.MULTILINE | re.DOTALL)
    return found[0].replace("sharpen", name) if found else "See CONTRIBUTING.md."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", help="its name in code, files and commands: sharpen, local_mean")
    parser.add_argument("sentence", help="its purpose, as --help will print it: \"unsharp masking\"")
    arguments = parser.parse_args()
    root = TEMPLATES.parent.parent
    try:
        if not shutil.which("clang-format"):
            raise Refused("clang-format is missing; scripts/packages installs it")
        made, changed = make_operation(root, arguments.name, arguments.sentence)
    except Refused as reason:
        print(f"new_operation: {reason}", file=sys.stderr)
        return 2
    print("Made:", *made, sep="\n  ")
    print("Entered in:", *changed, sep="\n  ")
    print(f"\nIt builds and its tests pass: cmake --build build && ctest --test-dir build -R {arguments.name}_")
    print(f"\nNext (CONTRIBUTING.md), replacing factor * in:\n{next_steps(root, arguments.name)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
