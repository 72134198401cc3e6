# SPDX-License-Identifier: Apache-2.0
"""Reads the declarations of a C++ header: documentation (`///` before, `///<` after), types with their public members,
functions, constants, and the options that `fields()` lists. It knows the C++ of our headers, not all of C++."""
import re
from dataclasses import dataclass, field

from cpp_ranges import RANGE, named_ranges

TYPE = re.compile(r"^(?:template <.*?> )?(class|struct|enum class)(?: TESSERA_API)? (\w+(?:<.*?>)?)([^(]*)$")
STRING = r'"(?:[^"\\]|\\.)*"'
OPTION = re.compile(rf'field\(\s*"(?P<name>[^"]+)",\s*&\w+::(?P<member>\w+),\s*(?P<help>(?:{STRING}\s*|\w+\s*)+)'
                    rf'(?:,\s*(?P<range>{RANGE}))?')
NAMED_VALUE = re.compile(r'\{"([^"]+)",\s*(\w+)::(\w+)\}')
NOT_FOR_USERS = re.compile(r"^(?:friend|using|static_assert|(?:template <[^>]*> )?(?:struct|class) \w+$)"
                           r"|\bImpl\b|operator==\(.*= default$")
SPECIALISATION = re.compile(r"^template <.*?> struct \w+<")
TYPES = ("class", "struct", "enum class")
PREFIXES = re.compile(r"\b(?:TESSERA_API|TESSERA_BOTH|inline) ")


@dataclass
class Option:
    """One line of `fields()`."""

    name: str  # as users type it
    member: str
    help: str
    range: str = ""  # as the header writes it


@dataclass
class Declaration:
    """A type, function, constant, member or value, without its body."""

    text: str
    name: str
    kind: str  # one of TYPES, function or value
    doc: str = ""
    members: list["Declaration"] = field(default_factory=list)
    options: list[Option] = field(default_factory=list)
    options_of: list[str] = field(default_factory=list)  # functions whose options come after these
    joined: bool = False  # an overload right after another one, which share their documentation

    def is_hidden(self) -> bool:
        return bool((SPECIALISATION if self.kind in TYPES else NOT_FOR_USERS).search(self.text)) or not self.text

    @property
    def default(self) -> str:
        """The initial value of a member: after = or in braces."""
        found = re.search(r"= (.*)$|(\{.*\})$", self.text)
        return (found[1] or found[2]) if found else ""


@dataclass
class Header:
    name: str
    doc: str
    declarations: list[Declaration]
    named_values: dict[str, dict[str, str]]  # enum -> value -> the word that users type


def joined_strings(text: str, constants: dict[str, str]) -> str:
    """Adjacent strings, and names of strings, joined to one as the compiler does."""
    parts = re.findall(r'"((?:[^"\\]|\\.)*)"|(\w+)', text)
    return "".join(string.replace('\\"', '"') if string or not name else constants.get(name, name)
                   for string, name in parts)


def name_of(head: str) -> str:
    operator = re.search(r"\boperator\s*(?:\(\)|[^\s(]+|\w+)", head)
    if operator and "(" in head:
        return operator[0]
    before = re.split(r"[({=;]|\s:\s", head, maxsplit=1)[0].strip()
    return re.split(r"[\s*&]", before)[-1]


class Scanner:
    def __init__(self, text: str) -> None:
        text = re.sub(r"^#(?:.*\\\n)*.*\n", "", text, flags=re.MULTILINE)
        self.text, self.at = text, 0
        self.ranges = named_ranges(text)
        self.constants = {name: joined_strings(value, {}) for name, value in
                          re.findall(r'constexpr const char\* (\w+) = ((?:"[^"]*"\s*)+);', text)}

    def comment(self, mark: str) -> str:
        """The lines from here on that begin with the mark."""
        lines = []
        while self.text.startswith(mark, self.at) and (mark != "///" or not self.text.startswith("///<", self.at)):
            end = self.text.find("\n", self.at)
            end = len(self.text) if end < 0 else end
            lines.append(self.text[self.at + len(mark):end].removeprefix(" ").rstrip())
            self.at = end
            space = re.compile(r"\n[ \t]*").match(self.text, self.at)
            if not space or not self.text.startswith(mark, space.end()):
                break
            self.at = space.end()
        return "\n".join(lines)

    def skip_braces(self) -> str:
        """Goes from an opening brace past the one that closes it; returns the text between them."""
        first, depth = self.at, 0
        while True:
            found = re.compile(rf"{STRING}|'(?:[^'\\]|\\.)*'|//[^\n]*|[{{}}]").search(self.text, self.at)
            if not found:
                raise ValueError("a brace is never closed")
            self.at = found.end()
            depth += {"{": 1, "}": -1}.get(found[0], 0)
            if depth == 0:
                return self.text[first + 1:self.at - 1]

    def head(self, ends: str) -> str:
        """Goes up to, but not past, one of these characters outside parentheses."""
        first, depth = self.at, 0
        while self.at < len(self.text):
            character = self.text[self.at]
            if depth == 0 and character in ends:
                break
            if character == '"':
                self.at = re.compile(r'"(?:[^"\\]|\\.)*').match(self.text, self.at).end()  # type: ignore[union-attr]
            depth += {"(": 1, ")": -1}.get(character, 0)
            self.at += 1
        return PREFIXES.sub("", re.sub(r"\s+", " ", re.sub(r"//[^\n]*", "", self.text[first:self.at])).strip())

    def declaration(self) -> Declaration:
        head = self.head(";{")
        if self.text[self.at:self.at + 1] == ";":
            self.at += 1
            return Declaration(head, name_of(head), "function" if "(" in head.split(" = ")[0] else "value")
        if found := TYPE.match(head):
            kind, name = found[1], found[2]
            one = Declaration(head, name, kind)
            self.at += 1
            one.members = self.scope(public=kind != "class", values=kind == "enum class", owner=one)
            self.head(";")
            self.at += 1
            return one
        while ") : " in head and not self.text[self.at - 1].isspace():  # a constructor's initialiser in braces
            self.skip_braces()
            self.head(";{")
        is_function = "(" in head and "=" not in re.sub(r"operator\S+|\(.*\)", "", head)
        body = self.skip_braces()
        if not is_function:  # a value in braces, up to its end
            rest = self.head(";")
            self.at += 1
            inside = re.sub(r"\s+", " ", body).strip() if len(body) < 30 else "…"
            whole = head + " " * head.endswith("=") + "{" + inside + "}" + rest
            return Declaration(whole, name_of(head), "value")
        signature = re.sub(r"(\)[^()]*?) : .*$", r"\1", head)  # without a constructor's initialisers
        one = Declaration(signature, name_of(head), "function")
        ranges = self.ranges | named_ranges(body)
        one.options = [Option(m["name"], m["member"], joined_strings(m["help"], self.constants),
                              ranges.get(m["range"] or "", m["range"] or ""))
                       for m in OPTION.finditer(body)]
        one.options_of = re.findall(r"\b(\w+_fields)<", body)
        return one

    def scope(self, public: bool = True, values: bool = False, owner: Declaration | None = None) -> list[Declaration]:
        """Declarations up to the brace that closes this, or to the end."""
        found: list[Declaration] = []
        doc, fresh, last = "", True, None
        while self.at < len(self.text):
            space = re.compile(r"\s*").match(self.text, self.at)
            assert space
            fresh = fresh or space[0].count("\n") > 1
            self.at = space.end()
            if self.text.startswith("///<", self.at):
                after = self.comment("///<")
                if last:
                    last.doc, last.joined = "\n".join(filter(None, [last.doc, after])), False
            elif self.text.startswith("///", self.at):
                doc, fresh = self.comment("///"), True
            elif self.text.startswith("//", self.at):
                self.comment("//")
            elif self.text.startswith("}", self.at):
                self.at += 1
                break
            elif access := re.compile(r"(public|private|protected):").match(self.text, self.at):
                public, self.at = access[1] == "public", access.end()
            elif self.text.startswith("namespace", self.at):
                self.head("{")
                self.at += 1
                found += self.scope()
            elif values:
                text = self.head(",}/")
                self.at += self.text.startswith(",", self.at)
                if text:
                    last = Declaration(text, text.split(" ")[0], "value", doc)
                    found.append(last)
                doc = ""
            elif self.at < len(self.text):
                before, last = last, self.declaration()
                last.doc, last.joined = doc, not doc and not fresh and before is not None and before.name == last.name
                doc, fresh = "", last.is_hidden()
                if owner and last.name == "fields":
                    owner.options, owner.options_of = last.options, last.options_of
                elif public and not last.is_hidden():
                    found.append(last)
        return found


def read_header(name: str, text: str) -> Header:
    named: dict[str, dict[str, str]] = {}
    for typed, enum, value in NAMED_VALUE.findall(text):
        named.setdefault(enum, {})[value] = typed
    before, _, rest = text.partition("#pragma once\n")
    doc = "\n".join(line.removeprefix("///").removeprefix(" ").rstrip() for line in before.splitlines()
                    if line.startswith("///"))
    return Header(name, doc, Scanner(rest).scope(), named)
