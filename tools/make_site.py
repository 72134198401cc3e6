#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the documentation site from README.md, docs/, the operations' notes and the public C++ headers: plain pages
that need neither network nor JavaScript.

    tools/make_site.py [--output build/site]

Prints one line per fault, "file:line: what is wrong": a link, an anchor or a picture that is not there. In that
case nothing is written, and the exit code is 1. A new page is found by its place: docs/NAME.md of an operation,
docs/study-NAME.md, another guide in docs/, notes in ops/NAME/README*.md.
"""
import argparse
import re
import shutil
import sys
from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from string import Template

import cpp_reference
from site_markdown import ELSEWHERE, Body, body_of

ROOT = Path(__file__).resolve().parent.parent
GENERATOR = '<meta name="generator" content="tools/make_site.py">'
OPERATIONS = ["convolve", "morphology", "rank", "match", "correlate", "enhance", "cells", "faraday", "beam", "xengine",
              "noise"]
GUIDES = ["coming-from", "conventions", "accuracy", "tuning", "gpu", "files", "robustness", "environment", "measuring"]
# For files whose name is not what readers look for.
LABELS = {"README.md": "Overview", "docs/xengine.md": "X-engine", "docs/morphology.md": "Erode and dilate",
          "docs/rank.md": "Median and rank", "docs/coming-from.md": "Coming from SciPy, scikit-image, OpenCV",
          "docs/study-xengine.md": "X-engine", "docs/gpu.md": "GPU notes",
          "docs/measuring.md": "How the numbers were measured", "docs/tuning.md": "Tuning",
          "tuning/README.md": "Tuning tables", "CONTRIBUTING.md": "Contributing",
          "ARCHITECTURE.md": "Architecture", "CHANGELOG.md": "Changelog", cpp_reference.FOLDER: cpp_reference.TITLE}


@dataclass(frozen=True)
class Page:
    source: str  # in the repository
    address: str  # on the site
    label: str  # in the navigation


def label_of(source: str) -> str:
    if source in LABELS:
        return LABELS[source]
    folders = source.split("/")
    if folders[0] == "ops":  # ops/cells/README.cuda.md: "Cells, cuda"
        kind = folders[-1].split(".")[1:-1]
        return ", ".join([folders[1].capitalize(), *kind])
    return Path(source).stem.removeprefix("study-").replace("-", " ").capitalize()


def address_of(source: str) -> str:
    if source == "README.md":
        return "index.html"
    if source == cpp_reference.FOLDER:
        return "cpp-reference.html"
    stem = source.removeprefix("docs/").removesuffix(".md")
    stem = re.sub(r"^(ops/)?(\w+)/README", r"notes-\2", stem)
    return re.sub(r"[^a-z0-9]+", "-", stem.lower()) + ".html"


def in_order(names: list[str], wanted: list[str]) -> list[str]:
    """The wanted ones first, then the others by name."""
    place = {name: number for number, name in enumerate(wanted)}
    return sorted(names, key=lambda name: (place.get(name, len(wanted)), name))


def find_pages(root: Path) -> dict[str, list[Page]]:
    """All pages, by the headings of the navigation."""
    docs = [path.stem for path in root.glob("docs/*.md")]
    operations = [name for name in docs if (root / "ops" / name).is_dir()]
    studies = [name for name in docs if name.startswith("study-")]
    guides = [name for name in docs if name not in operations + studies + ["adding-an-operation", "releasing"]]
    notes = sorted((str(path.relative_to(root)) for path in root.glob("ops/*/README*.md")),
                   key=lambda source: source.removesuffix(".md"))
    inside = ["docs/adding-an-operation.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "docs/releasing.md",
              "tuning/README.md"]
    sections = {
        "Tessera": [source for source in ("README.md", "CHANGELOG.md") if (root / source).is_file()],
        "Operations": [f"docs/{name}.md" for name in in_order(operations, OPERATIONS)],
        "Guides": [*(f"docs/{name}.md" for name in in_order(guides, GUIDES)), *cpp_reference.found_in(root)],
        "Studies": [f"docs/{n}.md" for n in in_order(studies, [f"study-{o}" for o in OPERATIONS])],
        "Working on it": [source for source in inside if (root / source).is_file()],
        "Measurements and experiments": notes,
    }
    return {heading: [Page(source, address_of(source), label_of(source)) for source in sources]
            for heading, sources in sections.items() if sources}


def navigation(sections: dict[str, list[Page]], here: Page, body: Body) -> str:
    lines = []
    for heading, pages in sections.items():
        lines += [f"<h2>{escape(heading)}</h2>", "<ul>"]
        for page in pages:
            current = ' aria-current="page"' if page == here else ""
            lines.append(f'<li><a href="{page.address}"{current}>{escape(page.label)}</a>')
            if page == here and body.sections:
                lines += ["<ul>", *(f'<li><a href="#{i}">{name}</a></li>' for i, name in body.sections), "</ul>"]
            lines.append("</li>")
        lines.append("</ul>")
    return "\n".join(lines)


class Addresses(HTMLParser):
    """Ids of a page, its links and its pictures."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.targets: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            elif name in ("href", "src") and value is not None:
                self.targets.append(value)


def site_faults(files: dict[str, str], others: set[str]) -> list[str]:
    """Links of the finished pages, whatever made them, that lead nowhere on the site."""
    found = {name: Addresses(html) for name, html in files.items()}
    faults = []
    for name, addresses in found.items():
        for target in addresses.targets:
            if ELSEWHERE.match(target):
                continue
            path, _, anchor = target.partition("#")
            page = found.get(path or name)
            if page is None and path not in others:
                faults.append(f"{name}: links to {target}, which is not on the site")
            elif anchor and (page is None or anchor not in page.ids):
                faults.append(f"{name}: links to {target}; there is no heading of that name")
    return faults


def make_site(root: Path) -> tuple[dict[str, str], dict[str, str], list[str]]:
    """Pages by address, pictures (repository -> site), faults."""
    sections = find_pages(root)
    pages = [page for part in sections.values() for page in part]
    addresses = {page.source: page.address for page in pages}
    addresses |= cpp_reference.header_addresses(root, address_of(cpp_reference.FOLDER))
    template = Template((ROOT / "tools" / "site_page.html").read_text())
    files: dict[str, str] = {}
    pictures: dict[str, str] = {}
    faults: list[str] = []
    for page in pages:
        body = (cpp_reference.reference_body(root, addresses) if page.source == cpp_reference.FOLDER
                else body_of(root, page.source, addresses))
        faults += body.faults
        pictures |= body.pictures
        files[page.address] = template.substitute(
            generator=GENERATOR, title=body.title, content=body.html, source=page.source,
            navigation=navigation(sections, page, body), version=(root / "VERSION").read_text().strip())
    if len(files) < len(pages) or len(set(pictures.values())) < len(pictures):
        faults.append("two pages or two pictures would have one name on the site")
    return files, pictures, faults or site_faults(files, {*pictures.values(), "site_style.css"})


def write_site(root: Path, output: Path, files: dict[str, str], pictures: dict[str, str]) -> None:
    (output / "pictures").mkdir(parents=True, exist_ok=True)
    for old in output.glob("*.html"):  # only pages that no longer exist
        if old.name not in files and GENERATOR in old.read_text():
            old.unlink()
    for name, html in files.items():
        (output / name).write_text(html)
    for source, name in pictures.items():
        shutil.copyfile(root / source, output / name)
    shutil.copyfile(ROOT / "tools" / "site_style.css", output / "site_style.css")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "site", help="default: build/site")
    output = parser.parse_args().output
    files, pictures, faults = make_site(ROOT)
    if faults:
        print(*faults, sep="\n", file=sys.stderr)
        return 1
    write_site(ROOT, output, files, pictures)
    print(f"=> {len(files)} pages, {len(pictures)} pictures: {output / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
