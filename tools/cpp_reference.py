# SPDX-License-Identifier: Apache-2.0
"""The page "C++ reference" of the documentation site, made from the public headers."""
import re
from html import escape
from pathlib import Path

from cpp_headers import TYPES, Declaration, Header, Option, read_header
from cpp_ranges import range_words
from site_markdown import Body, anchor_of

FOLDER = "include/tessera"  # the sources of the page
TITLE = "C++ reference"
ORDER = ["convolve", "filters", "morphology", "elements", "correlate", "scene_planes", "enhance", "cells",
         "cells_options", "cells_steps", "faraday", "faraday_clean", "faraday_maps", "stokes_fit", "beam", "xengine",
         "noise", "noise_options", "noise_grid", "percentile_filter", "plan", "image_files", "image", "view", "border",
         "options", "range", "stream", "error"]  # others come after these
MACROS_ONLY = {"export.hpp"}
INTRODUCTION = """<p>All names are in the namespace <code>tessera</code>. Every operation is a plan: made once for an
image's size and type, run as often as there are images, from any number of threads; and a function of the same name
that makes a plan, runs it and returns an image. A project calls
<code>find_package(tessera REQUIRED COMPONENTS files)</code> and links <code>tessera::files</code>, or
<code>tessera::tessera</code> for everything except <code>image_files.hpp</code>.</p>"""


def found_in(root: Path) -> list[str]:
    """The headers that the page is made from, if there are any."""
    return [FOLDER] if (root / FOLDER).is_dir() else []


def read_headers(root: Path) -> list[Header]:
    place = {name: number for number, name in enumerate(ORDER)}
    paths = sorted((root / FOLDER).glob("*.hpp"), key=lambda path: (place.get(path.stem, len(ORDER)), path.stem))
    return [read_header(path.name, path.read_text()) for path in paths if path.name not in MACROS_ONLY]


def header_addresses(root: Path, page: str) -> dict[str, str]:
    """Where on the site a header is described, by its path in the repository."""
    return {f"{FOLDER}/{header.name}": f"{page}#{anchor_of(header.name, '-')}" for header in read_headers(root)}


class Writer:
    """`pages` are addresses on the site by path in the repository."""

    def __init__(self, headers: list[Header], pages: dict[str, str]) -> None:
        self.pages = pages
        self.types = {name for header in headers for name in types_in(header.declarations)}
        self.shared = {one.name: one.options for header in headers for one in header.declarations if one.options}
        self.typed = {enum: values for header in headers for enum, values in header.named_values.items()}
        self.parts = {one.name: member.default.strip('"') for header in headers for one in header.declarations
                      for member in one.members if member.name == "kPart"}
        self.ids: set[str] = set()

    def code(self, text: str) -> str:
        """Names of types are links to their descriptions."""
        parts = re.split(r"(?<![\w:])(\w+)(?![\w:]*\()", text)  # not after ::, and not the name of a function
        return "".join(f'<a href="#{part}">{part}</a>' if part in self.types else escape(part) for part in parts)

    def identified(self, name: str) -> str:
        """An id attribute, the first time that the name is used."""
        if name in self.ids or not re.fullmatch(r"[\w:]+", name):
            return ""
        self.ids.add(name)
        return f' id="{name}"'

    def sentence(self, text: str) -> str:
        html = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
        return re.sub(r"\b(?:docs/[\w-]+|ARCHITECTURE)\.md\b",
                      lambda m: f'<a href="{self.pages[m[0]]}">{m[0]}</a>' if m[0] in self.pages else m[0], html)

    def text(self, doc: str) -> str:
        """Paragraphs; indented lines stay as they are."""
        html, lines, kind = [], [], "p"

        def close() -> None:
            nonlocal lines
            while lines and not lines[-1]:
                lines.pop()
            if lines and kind == "p":
                html.append(f"<p>{self.sentence(' '.join(lines))}</p>")
            elif lines:
                left = min(len(line) - len(line.lstrip()) for line in lines if line)
                code = escape("\n".join(line[left:] for line in lines), quote=False)
                html.append(f"<pre><code>{code}</code></pre>")
            lines = []

        for line in doc.splitlines():
            now = "pre" if line.startswith("  ") else "p" if line else kind
            if now != kind or (not line and kind == "p"):
                close()
            kind = now
            if line or kind == "pre":
                lines.append(line)
        close()
        return "\n".join(html)

    def rows(self, declarations: list[Declaration]) -> list[tuple[str, str]]:
        """Code and documentation; overloads share a row."""
        rows: list[tuple[str, str]] = []
        for one in declarations:
            code = f"<code>{self.code(one.text)}</code>"
            if one.joined and rows:
                rows[-1] = (f"{rows[-1][0]}<br>{code}", rows[-1][1])
            else:
                rows.append((code, self.text(one.doc)))
        return rows

    def options(self, one: Declaration) -> str:
        options = [*one.options, *(option for name in one.options_of for option in self.shared.get(name, []))]
        members = {member.name: member for member in one.members if member.kind == "value"}
        lines = [self.option(option, members.get(option.member)) for option in options]
        named = {option.member for option in options}
        rest = [member for member in one.members if member.name not in named and member.kind not in TYPES]
        return (table(["option", "member", "type", "default", "meaning"], lines)
                + table(["other members", ""], [list(row) for row in self.rows(rest)]))

    def option(self, option: Option, member: Declaration | None) -> list[str]:
        kind = member.text.split(f" {member.name}")[0] if member else ""
        part = self.parts.get(re.sub(r"std::optional<(.*)>", r"\1", kind), "")
        help_text = option.help + (f"; {range_words(option.range, part)}" if option.range else "")
        if member is None:
            return [f"<code>{escape(option.name)}</code>", "", "", "", self.sentence(help_text)]
        default = member.default or ("auto" if kind.startswith("std::optional") else "")
        return [f"<code>{escape(option.name)}</code>", f"<code>{member.name}</code>", f"<code>{self.code(kind)}</code>",
                f"<code>{escape(default)}</code>" if default else "", self.sentence(help_text)]

    def values(self, one: Declaration) -> str:
        typed = self.typed.get(one.name, {})
        lines = [[f"<code>{escape(member.text)}</code>", f"<code>{escape(typed[member.name])}</code>" if typed else "",
                  self.text(member.doc)] for member in one.members]
        return table(["value", "typed" if typed else "", ""], lines)

    def type(self, one: Declaration, outside: str = "") -> str:
        name = outside + one.name
        html = [f"<h3{self.identified(name)}>{escape(one.kind)} {escape(name)}</h3>"]
        if re.search(r" : public |^template|struct .* : ", one.text):
            html.append(f'<pre class="declaration"><code>{self.code(one.text)}</code></pre>')
        html.append(self.text(one.doc))
        if one.kind == "enum class":
            html.append(self.values(one))
        elif one.options:
            html.append(self.options(one))
        else:
            members = [member for member in one.members if member.kind not in TYPES]
            html.append(table(["member", ""], [list(row) for row in self.rows(members)]))
        html += [self.type(member, f"{name}::") for member in one.members if member.kind in TYPES]
        return "\n".join(html)

    def others(self, declarations: list[Declaration]) -> str:
        """Functions and constants, overloads together."""
        html: list[str] = []
        for one in declarations:
            if one.joined and html:
                html[-1] = html[-1].replace("</code></pre>", f"\n{self.code(one.text)};</code></pre>", 1)
            else:
                named = f'class="declaration"{self.identified(one.name)}'
                html.append(f"<pre {named}><code>{self.code(one.text)};</code></pre>\n" + self.text(one.doc))
        return "\n".join(html)

    def header(self, header: Header) -> str:
        html = [f'<h2 id="{anchor_of(header.name, "-")}">{header.name}</h2>', self.text(header.doc)]
        html += [self.type(one) for one in header.declarations if one.kind in TYPES]
        others = [one for one in header.declarations if one.kind not in TYPES]
        if others:
            html += ["<h3>Functions and constants</h3>", self.others(others)]
        return "\n".join(html)


def types_in(declarations: list[Declaration], outside: str = "") -> list[str]:
    found = []
    for one in declarations:
        if one.kind in TYPES:
            found += [outside + one.name, *types_in(one.members, f"{outside}{one.name}::")]
    return found


def table(headings: list[str], rows: list[list[str]]) -> str:
    if not rows:
        return ""
    head = "".join(f"<th>{heading}</th>" for heading in headings)
    lines = ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
    return (f'<div class="wide" tabindex="0"><table><thead><tr>{head}</tr></thead>'
            f'<tbody>{"".join(lines)}</tbody></table></div>')


def summary(headers: list[Header], writer: Writer) -> str:
    rows = []
    for header in headers:
        names = [one.name for one in header.declarations if one.kind in TYPES or one.kind == "function"]
        links = ", ".join(f'<a href="#{name}"><code>{name}</code></a>' for name in dict.fromkeys(names)
                          if name in writer.ids)
        rows.append([f'<a href="#{anchor_of(header.name, "-")}"><code>{header.name}</code></a>', links])
    return table(["header", "has"], rows)


def reference_body(root: Path, pages: dict[str, str]) -> Body:
    headers = read_headers(root)
    writer = Writer(headers, pages)
    parts = [writer.header(header) for header in headers]
    html = "\n".join([f"<h1>{TITLE}</h1>", INTRODUCTION, summary(headers, writer), *parts])
    return Body(TITLE, html, [(anchor_of(header.name, "-"), header.name) for header in headers])
