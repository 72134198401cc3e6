#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds the worst of the phrases that CONTRIBUTING.md lists under "Words".

    tools/check_english.py [--comments] PATH...

Reads string literals of C++, CUDA and Python sources, shell scripts and CMake files (help texts and
messages; with --comments the comments too), templates of these (NAME.in), and the prose of Markdown
files. Folders are searched, except for this program and its test, which quote bad phrases. Prints one
line per finding, "file:line: 'phrase': what to write". Exit code 1 if there are any.
"""
import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

UNIT = (r"(?:antenna|band|baseline|batch|bin|block|box|byte|call|case|cell|channel|class|code|column|core|cycle|"
        r"depth|device|dimension|edge|element|entry|epoch|field|file|film|frame|group|hour|image|inch|input|item|"
        r"iteration|kernel|key|lane|launch|level|line|machine|map|message|method|minute|name|node|number|operation|"
        r"option|output|page|pair|panel|part|pass|patch|piece|pixel|plane|point|polarisation|product|quantile|rank|"
        r"result|row|run|rung|sample|second|segment|shift|side|size|slab|slot|source|spectrum|stage|step|stream|strip|"
        r"sum|table|task|term|thread|tile|time|track|transform|turn|value|vector|warp|weight|width|window|word)")
# Plurals that are verbs more often, "names a row", and verbs that follow a relative clause, "frames a cell may miss".
VERB = r"(?:groups|lines|maps|names|passes|points|runs|sizes|stages|steps|strips|sums|times|turns)"
CLAUSE = (r"(?:adds|can|could|does|gets|gives|has|have|holds|is|keeps|lies|made|makes|may|must|needs|reads|should|"
          r"takes|uses|was|will)")
# "rows a piece", "3 to 1024 a side", "one small file a rung"; but not "the tile a pixel lies in".
RATE = (rf"(?:\b(?!{VERB}\b)(?:{UNIT}|bit|flop|instruction|load|register)e?s|\b[nmuµ]s|"
        rf"\b(?:an?|one|each) (?:\w+ )?{UNIT}|[\d}}]) an? {UNIT}\b(?! {CLAUSE}\b)")
SENTENCE = r"(?:^|(?<=[.;!?] )|(?<=[\n\v]))"

# Patterns, and the wording to use instead.
PHRASES = [(re.compile(pattern), advice) for pattern, advice in [
    (RATE, "write 'per': one plane per depth"),
    (r"(?<!here )\b(?:is|are|was|were|be) no (?!longer|more|less|fewer|other|(?:fast|great|larg|small|slow|wid)er)\w+",
     "write 'is not a', 'are not'"),
    (r"\banew\b", "write 'again'"),
    (r"\bbut for\b", "write 'except'"),
    (r"\bso many\b(?! that)", "name the quantity"),
    (r"\bbeside\b", "write 'besides' or 'next to'"),
    (SENTENCE + r"Of (?!course)\w+", "put the subject first"),
    (r"\bwhich the [^.;]*\btells?\b|\bthe line that says\b", "name the line or the file that says so"),
    (SENTENCE + r"What \w+(?![^.\n]*\?)", "put the subject first: 'Missing samples …'"),
    (r"\bon on\b", "say it in another way"),
    (r"\b(?:held|hold|holds) (?:\w+ )?against\b", "write 'compared with' or 'checked against'"),
    (r"\bas \S+ (?:has|have) (?:it|them)\b", "write 'as in …'"),
    (r"\bin the place of\b", "write 'instead of'"),
    (r"\bdear(?:er|est)\b", "write 'slower', 'most expensive'"),
    (r"\b(?:un)?mended\b", "write 'fixed'"),
]]

OWN_FILES = {"check_english.py", "check_english_test.py"}
CPP_TOKEN = re.compile(r'(?P<comment>//[^\n]*|/\*.*?\*/)|R"(?P<mark>\w*)\((?P<raw>.*?)\)(?P=mark)"|'
                       r'(?P<include>^\s*#\s*include[^\n]*)|"(?P<text>(?:\\.|[^"\\\n])*)"|'
                       r"'(?:\\.|[^'\\\n])+'|(?P<other>\w+|[^\s\"'])", re.DOTALL | re.MULTILINE)
PYTHON_TOKEN = re.compile(r'(?P<comment>#[^\n]*)|"""(?P<raw>.*?)"""|"(?P<text>(?:\\.|[^"\\\n])*)"|'
                          r"'(?P<single>(?:\\.|[^'\\\n])*)'|(?P<other>\w+|[^\s\"'#])", re.DOTALL)
# Also for CMake. Strings in single quotes are programs for sed and awk, $# and ${#list[@]} are not comments.
SHELL_TOKEN = re.compile(r'(?P<comment>(?<!\S)#[^\n]*)|"(?P<text>(?:\\.|[^"\\\n])*)"|'
                         r"'[^']*'|(?P<other>\w+|\\.|[^\s\"'])", re.DOTALL)
TOKENS = {".py": PYTHON_TOKEN, ".sh": SHELL_TOKEN, ".cmake": SHELL_TOKEN,
          **dict.fromkeys((".cpp", ".hpp", ".h", ".cu", ".cuh"), CPP_TOKEN)}
NOT_PROSE = re.compile(r"^```.*?^```|^(?:    |>|#+ ).*?$|^\|[^\n]*\| not that \|\n(?:\|[^\n]*\n)*|`[^`]*`|<!--.*?-->|"
                       r"\]\([^)]*\)", re.DOTALL | re.MULTILINE)


class Passage:
    """Pieces of a file that are read as one text, and the line that each character is on."""

    def __init__(self) -> None:
        self.text = ""
        self.lines: list[int] = []

    def add(self, text: str, line: int) -> None:
        for character in text:
            self.lines.append(line)
            line += character == "\n"
        self.text += text


def passages_of_source(text: str, tokens: re.Pattern[str], comments: bool) -> Iterator[Passage]:
    """Neighbouring literals are one passage, and so are the lines of a comment."""
    passage, kind, line, end = Passage(), "", 1, 0
    for token in tokens.finditer(text):
        parts = token.groupdict()
        line, end = line + text.count("\n", end, token.start()), token.start()
        found = next((parts[name] for name in ("raw", "text", "single") if parts.get(name) is not None), None)
        now = "comment" if parts.get("comment") else "text" if found is not None else ""
        if now != kind:
            yield passage
            passage, kind = Passage(), now
        if found is not None:
            passage.add(found.replace("\\n", " \v"), line)
        elif now and comments:
            passage.add(re.sub(r"^(?:///<?|//|/\*|#) ?", "", parts["comment"]) + " ", line)
    yield passage


def passages_of_markdown(text: str) -> Iterator[Passage]:
    blanked = NOT_PROSE.sub(lambda match: re.sub(r"[^\n]", "`", match[0]), text)
    passage = Passage()
    for number, line in enumerate(blanked.splitlines(), 1):
        if re.match(r"\s*(?:[*|-]|\d+\.|$)", line):  # a list's item, a row of a table, the end of a paragraph
            yield passage
            passage = Passage()
        if prose := re.sub(r"^\s*(?:[*-] |\d+\. )?", "", line):
            passage.add(prose + " ", number)
    yield passage


def kind_of(path: Path) -> str:
    """The extension that says how a file is read; "" if it is not read."""
    name = path.name.removesuffix(".in")
    if name == "CMakeLists.txt":
        return ".cmake"
    if (kind := Path(name).suffix) in TOKENS or kind == ".md":
        return kind
    if kind or not path.is_file():
        return ""
    with path.open(errors="replace") as file:
        return ".sh" if re.match(r"#!.*\b(?:ba)?sh\b", file.readline()) else ""


def findings(path: Path, comments: bool = False) -> Iterator[tuple[int, str, str]]:
    """Line, phrase and advice."""
    text, kind = path.read_text(errors="replace"), kind_of(path)
    if kind == ".md":
        passages = passages_of_markdown(text)
    else:
        passages = passages_of_source(text, TOKENS.get(kind, CPP_TOKEN), comments)
    for passage in passages:
        for pattern, advice in PHRASES:
            for match in pattern.finditer(passage.text):
                yield passage.lines[match.start()], " ".join(match[0].split())[:60], advice


def files_of(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    command = ["git", "-C", str(path), "ls-files", "-z", "--cached", "--others", "--exclude-standard", "."]
    listed = subprocess.run(command, capture_output=True, text=True)
    names = listed.stdout.split("\0") if listed.returncode == 0 else [p.relative_to(path) for p in path.rglob("*")]
    found = (path / name for name in names)
    return sorted(file for file in found if file.name not in OWN_FILES and file.is_file() and kind_of(file))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--comments", action="store_true", help="read comments of sources too")
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files and folders")
    arguments = parser.parse_args()
    count = 0
    for root in arguments.paths:
        if not root.exists():
            parser.error(f"{root} does not exist")
        for path in files_of(root):
            for line, phrase, advice in sorted(findings(path, arguments.comments)):
                print(f"{path}:{line}: '{phrase}': {advice}")
                count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
