# SPDX-License-Identifier: Apache-2.0
"""Examples of the documentation: commands, blocks of Python and C++, and what `--help` says there is."""
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:^    .*\n)+", re.MULTILINE)
SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
COMMAND = re.compile(r"^(?:[A-Z_]+=\S+ )*(?:build/)?tessera (.*)", re.DOTALL)
LEFT_OUT = "…"  # stands for words that a text leaves out


@dataclass(frozen=True)
class Command:
    page: str
    words: tuple[str, ...]
    whole: bool  # stands in a block, as it would be typed

    def __str__(self) -> str:
        return f"{self.page}: tessera {shlex.join(self.words)}"


def words_of(text: str) -> tuple[str, ...] | None:
    """The words after `tessera`, without comments and what comes after a pipe or redirection."""
    found = COMMAND.match(text.strip())
    if not found:
        return None
    try:
        words = shlex.split(found[1], comments=True)
    except ValueError:  # an apostrophe in running text
        return None
    ends = [place for place, word in enumerate(words) if word in (">", "|", "&&", ";")]
    return tuple(words[:ends[0]] if ends else words)


def commands_of(page: Path) -> list[Command]:
    text = page.read_text()
    blocks = [body for language, body in FENCE.findall(text) if language == "sh"]
    plain = FENCE.sub("", text)
    lines = [line for block in [*blocks, *INDENTED.findall(plain)] for line in block.splitlines()]
    spans = [" ".join(span.split()) for span in SPAN.findall(INDENTED.sub("", plain))]
    found = [(words_of(line), True) for line in lines] + [(words_of(span), False) for span in spans]
    return [Command(page.name, words, whole) for words, whole in found if words]


def python_of(page: Path) -> list[str]:
    return [body for language, body in FENCE.findall(page.read_text()) if language == "python"]


@dataclass(frozen=True)
class CppBlock:
    page: Path
    line: int  # of its first line in the page
    text: str

    @property
    def is_program(self) -> bool:
        return re.search(r"^int main\(", self.text, re.MULTILINE) is not None


def cpp_of(page: Path) -> list[CppBlock]:
    text = page.read_text()
    return [CppBlock(page, text.count("\n", 0, found.start(2)) + 1, found[2])
            for found in FENCE.finditer(text) if found[1] == "cpp"]


@dataclass
class Help:
    """What `tessera … --help` lists."""

    commands: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)  # "--border": "valid|constant|…", "" of flags


def read_help(text: str) -> Help:
    listed = Help()
    for heading, body in re.findall(r"^(\w+):\n((?:  .*\n|\n)*)", text, re.MULTILINE):
        for line in body.splitlines():
            if heading == "Commands" and (name := re.match(r"  (\S+)", line)):
                listed.commands.append(name[1])
            if heading == "Options" and (option := re.match(r"  ((?:-\S+, )?-\S+)(.*)", line)):
                listed.options |= {name: option[2].strip() for name in option[1].split(", ")}
    return listed


def choices_of(hint: str) -> list[str]:
    """The words an option takes, where it takes no others: ["one", "all"]."""
    words = hint.split("|")
    free = len(words) < 2 or any(not re.fullmatch(r"[a-z0-9-]+", word) or word in ("integer", "number", "text")
                                 for word in words)
    return [] if free else words
