# SPDX-License-Identifier: Apache-2.0
"""One Markdown page as HTML for the documentation site: links between .md files become links between
pages, pictures are collected, links to other files of the repository become plain text."""
import posixpath
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

import markdown
from markdown.extensions import Extension
from markdown.extensions.toc import TocExtension
from markdown.treeprocessors import Treeprocessor

ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)  # https:, mailto: …
AFTER_INLINE_BEFORE_TOC = 8


@dataclass
class Body:
    """The result of converting a page."""

    title: str
    html: str
    sections: list[tuple[str, str]]  # id and name of its second headings
    pictures: dict[str, str] = field(default_factory=dict)  # in the repository -> on the site
    faults: list[str] = field(default_factory=list)


def anchor_of(heading: str, separator: str) -> str:
    """As on GitHub, so that one link is right on both."""
    return re.sub(r"\s", separator, re.sub(r"[^\w\s-]", "", heading.strip().lower()))


class Links(Treeprocessor):
    """`pages` are addresses on the site by path in the repository."""

    def __init__(self, md: markdown.Markdown, root: Path, source: str, pages: dict[str, str]) -> None:
        super().__init__(md)
        self.root, self.source, self.pages = root, source, pages
        self.pictures: dict[str, str] = {}
        self.faults: list[str] = []

    def run(self, root: ElementTree.Element) -> None:
        parents = {child: parent for parent in root.iter() for child in parent}
        for element in list(root.iter()):
            if element.tag == "a":
                self.turn_link(element)
            elif element.tag == "img":
                self.turn_picture(element)
            elif element.tag == "code" and parents[element].tag not in ("pre", "a"):
                self.turn_name(element)
            elif element.tag == "table":
                self.wrap(element, parents[element])

    def fault(self, target: str, what: str) -> None:
        lines = (self.root / self.source).read_text().splitlines()
        number = next((n for n, line in enumerate(lines, 1) if f"({target})" in line), 1)
        self.faults.append(f"{self.source}:{number}: {what}")

    def in_repository(self, path: str) -> str:
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.source), path))

    def turn_link(self, link: ElementTree.Element) -> None:
        target = link.get("href", "")
        if ELSEWHERE.match(target) or target.startswith("#"):
            return
        path, _, anchor = target.partition("#")
        there = self.in_repository(path)
        if there in self.pages:
            link.set("href", self.pages[there] + (f"#{anchor}" if anchor else ""))
        elif there.startswith("..") or not (self.root / there).exists():
            self.fault(target, f"links to {target}, which is not there")
        else:  # a file of the repository: its path, unless the text already has it
            link.tag = "span"
            link.attrib = {"class": "file", "title": there}

    def turn_picture(self, picture: ElementTree.Element) -> None:
        target = picture.get("src", "")
        there = self.in_repository(target)
        if ELSEWHERE.match(target):
            self.fault(target, f"shows {target} from the network; pages must do without")
        elif not (self.root / there).is_file():
            self.fault(target, f"shows {target}, which is not there")
        else:
            self.pictures[there] = "pictures/" + posixpath.basename(there)
            picture.set("src", self.pictures[there])

    def turn_name(self, code: ElementTree.Element) -> None:
        """`docs/tuning.md` in running text becomes a link too."""
        if (name := code.text or "") in self.pages:
            code.tag, code.text = "a", None
            code.set("href", self.pages[name])
            ElementTree.SubElement(code, "code").text = name

    @staticmethod
    def wrap(table: ElementTree.Element, parent: ElementTree.Element) -> None:
        """Wide tables scroll sideways, also with keys; the page itself never does."""
        frame = ElementTree.Element("div", {"class": "wide", "tabindex": "0"})
        frame.tail, table.tail = table.tail, None
        place = list(parent).index(table)
        parent.remove(table)
        frame.append(table)
        parent.insert(place, frame)


class LinksExtension(Extension):
    def __init__(self, root: Path, source: str, pages: dict[str, str]) -> None:
        super().__init__()
        self.where = root, source, pages

    def extendMarkdown(self, md: markdown.Markdown) -> None:  # the library's name
        self.links = Links(md, *self.where)
        md.treeprocessors.register(self.links, "links", AFTER_INLINE_BEFORE_TOC)


def named(tokens: list[dict]) -> list[dict]:
    """All headings, in order."""
    return [one for token in tokens for one in [token, *named(token["children"])]]


def body_of(root: Path, source: str, pages: dict[str, str]) -> Body:
    extension = LinksExtension(root, source, pages)
    md = markdown.Markdown(extensions=["tables", "fenced_code", "sane_lists", extension,
                                       TocExtension(slugify=anchor_of)])
    html = md.convert((root / source).read_text())
    headings = named(md.toc_tokens)
    title = headings[0]["name"] if headings else source
    sections = [(one["id"], one["name"]) for one in headings if one["level"] == 2]
    return Body(title, html, sections, extension.links.pictures, extension.links.faults)
