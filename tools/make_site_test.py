# SPDX-License-Identifier: Apache-2.0
"""The documentation site: links, pictures and anchors are converted and checked, in a small tree and in ours."""
import re
from pathlib import Path

import pytest

pytest.importorskip("markdown", reason="the markdown package is not installed")
from make_site import GENERATOR, ROOT, address_of, label_of, make_site, write_site

TREE = {
    "VERSION": "1.2.3\n",
    "README.md": "# House\n\n[bricks](docs/brick.md#how-its-laid), `docs/brick.md`, `docs/nothing.md`\n",
    "docs/brick.md": "# Brick: a stone\n\n![wall](pictures/wall.png)\n\n## How it's laid\n\n"
                     "| a | b |\n| --- | --- |\n| 1 | x\\|y |\n\n[header](../include/brick.hpp), [home](../README.md), "
                     "[notes](../ops/brick/README.cuda.md), [there](https://example.org/a#b), [here](#how-its-laid)\n\n"
                     "    brick --lay <now>\n\n```python\nlay(\"brick\")\n```\n",
    "docs/study-brick.md": "# How bricks were\n",
    "docs/other.md": "# Something else\n",
    "ops/brick/README.cuda.md": "## Bricks on CUDA\n",
    "include/brick.hpp": "",
    "docs/pictures/wall.png": "PNG",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def mend(tree: Path, name: str, old: str, new: str) -> None:
    text = (tree / name).read_text()
    assert old in text
    (tree / name).write_text(text.replace(old, new))


def faults_of(tree: Path) -> list[str]:
    return make_site(tree)[2]


def test_every_page_is_made_and_in_the_navigation_of_all(tree: Path) -> None:
    files, pictures, faults = make_site(tree)
    assert faults == []
    assert sorted(files) == ["brick.html", "index.html", "notes-brick-cuda.html", "other.html", "study-brick.html"]
    assert pictures == {"docs/pictures/wall.png": "pictures/wall.png"}
    for name, html in files.items():
        for other in files:
            assert f'<a href="{other}"' in html, f"{name} does not lead to {other}"
        assert html.count('aria-current="page"') == 1
    assert "<title>Brick: a stone – Tessera</title>" in files["brick.html"]


def test_links_become_links_of_the_site(tree: Path) -> None:
    files, _, _ = make_site(tree)
    assert '<a href="brick.html#how-its-laid">bricks</a>' in files["index.html"]
    assert '<a href="brick.html"><code>docs/brick.md</code></a>' in files["index.html"]
    assert "<code>docs/nothing.md</code>" in files["index.html"]
    brick = files["brick.html"]
    assert '<h2 id="how-its-laid">' in brick
    assert '<span class="file" title="include/brick.hpp">header</span>' in brick
    assert '<a href="index.html">home</a>' in brick
    assert '<a href="notes-brick-cuda.html">notes</a>' in brick
    assert '<a href="https://example.org/a#b">there</a>' in brick
    assert '<img alt="wall" src="pictures/wall.png"' in brick
    assert "<td>x|y</td>" in brick and '<div class="wide"' in brick
    assert "brick --lay &lt;now&gt;" in brick and 'class="language-python"' in brick


@pytest.mark.parametrize("name, old, new, fault", [
    ("docs/brick.md", "../README.md", "../READ.md", "docs/brick.md:11: links to ../READ.md, which is not there"),
    ("docs/brick.md", "../README.md", "../../out.md", "docs/brick.md:11: links to ../../out.md, which is not there"),
    ("docs/brick.md", "wall.png", "wal.png", "docs/brick.md:3: shows pictures/wal.png, which is not there"),
    ("docs/brick.md", "pictures/wall.png", "https://example.org/w.png",
     "docs/brick.md:3: shows https://example.org/w.png from the network; pages must do without"),
    ("README.md", "#how-its-laid", "#how", "index.html: links to brick.html#how; there is no heading of that name"),
    ("docs/brick.md", "#how-its-laid", "#how", "brick.html: links to #how; there is no heading of that name"),
    ("docs/other.md", "# Something", '<img src="gone.png">\n\n# Some',
     "other.html: links to gone.png, which is not on the site"),
])
def test_what_is_missing_is_a_fault(tree: Path, name: str, old: str, new: str, fault: str) -> None:
    mend(tree, name, old, new)
    assert faults_of(tree) == [fault]


def test_two_pictures_of_one_name_are_a_fault(tree: Path) -> None:
    (tree / "ops/brick/wall.png").write_text("another")
    mend(tree, "ops/brick/README.cuda.md", "CUDA\n", "CUDA\n\n![other](wall.png)\n")
    assert faults_of(tree) == ["two pages or two pictures would have one name on the site"]


def test_old_pages_go_and_those_of_others_stay(tree: Path, tmp_path: Path) -> None:
    output = tmp_path / "site"
    output.mkdir()
    (output / "old.html").write_text(GENERATOR)
    (output / "mine.html").write_text("<p>by hand")
    files, pictures, _ = make_site(tree)
    write_site(tree, output, files, pictures)
    assert sorted(path.name for path in output.iterdir()) == sorted(
        [*files, "mine.html", "pictures", "site_style.css"])
    assert (output / "pictures/wall.png").read_text() == "PNG"


@pytest.mark.parametrize("source, address, label", [
    ("README.md", "index.html", "Overview"),
    ("CONTRIBUTING.md", "contributing.html", "Contributing"),
    ("docs/adding-an-operation.md", "adding-an-operation.html", "Adding an operation"),
    ("ops/cells/README.cuda.md", "notes-cells-cuda.html", "Cells, cuda"),
    ("tuning/README.md", "notes-tuning.html", "Tuning tables"),
])
def test_names(source: str, address: str, label: str) -> None:
    assert (address_of(source), label_of(source)) == (address, label)


def test_our_own_site_is_whole_and_alone() -> None:
    files, _, faults = make_site(ROOT)
    assert faults == []
    for name, html in files.items():
        assert "<script" not in html, name
        assert not re.findall(r'(?:src|<link[^>]*href)="https?:', html), name
    for name in ("conventions", "accuracy", "tuning", "gpu", "files", "robustness", "environment", "measuring",
                 "adding-an-operation", *(path.name for path in (ROOT / "ops").iterdir())):
        assert f"{name}.html" in files
