# SPDX-License-Identifier: Apache-2.0
"""The C++ reference: how a header is read and shown, and that none of our declarations is missing."""
import re
from pathlib import Path

import pytest

pytest.importorskip("markdown", reason="the markdown package is not installed")
from cpp_headers import Declaration, read_header
from cpp_reference import FOLDER, header_addresses, read_headers, reference_body
from make_site import ROOT

HEADER = '''// SPDX-License-Identifier: Apache-2.0
/// Lays bricks. See docs/brick.md.
///
///     Wall wall = lay(3);   // a < b
///
/// Or none.
#pragma once

#include <string>
#define BRICK \\
  1

namespace tessera {

/// How bricks lie.
enum class Bond : unsigned char {
  running,  ///< by halves
  stack_up  ///< one on the other, and
            ///< no more
};
template <>
struct Names<Bond> {
  static constexpr std::array<std::pair<std::string_view, Bond>, 2> list{
      {{"running", Bond::running}, {"stack-up", Bond::stack_up}}};
};

inline constexpr const char* kHelp = "how many";
inline constexpr Range kRows{2, 1e6, "rows"};
struct Point {
  static constexpr const char* kPart = "each number";
};

struct WallOptions {
  Bond bond = Bond::running;
  std::optional<int> rows;
  Point at{8, 9};
  double gap = 1;

  static constexpr auto fields() {
    using O = WallOptions;
    return std::tuple_cat(std::tuple{field("bond", &O::bond, "how they "
                                           "\\"lie\\""),
                                     field("wall-rows", &O::rows, kHelp, kRows),
                                     field("at", &O::at, "where", Range{.lowest = 1, .unit = "bricks"}),
                                     field("gap", &O::gap, "between them", more_than(0, 1))},
                          run_fields<O>());
  }
};

/// Options of all.
template <class Options>
constexpr auto run_fields() {
  return std::tuple{field("backend", &Options::backend, "where")};
}

/// A wall.
class TESSERA_API Wall : public Thing {
 public:
  explicit Wall(int bricks) : Thing{bricks}, bricks_(bricks) {}
  bool operator==(const Wall&) const = default;
  int bricks() const { return "}"[0] ? bricks_ : 0; }  ///< how many
  /// Lays more.
  void operator()(AnyView in) const;
  void operator()(AnyView in, Stream& stream) const;
  struct Brick {
    int length = 0, height = 0;  ///< in pixels
  };
  struct Impl;

 private:
  void hidden();
  int bricks_;
};

/// Lays a wall; `bricks` is at least 1.
TESSERA_API Wall lay(int bricks, const WallOptions& options = {});
TESSERA_API Wall lay();

}  // namespace tessera
'''


def named(declarations: list[Declaration], name: str) -> Declaration:
    return next(one for one in declarations if one.name == name)


def test_types_and_functions_are_read() -> None:
    header = read_header("wall.hpp", HEADER)
    assert header.doc.startswith("Lays bricks.") and header.doc.endswith("Or none.")
    assert [(one.kind, one.name) for one in header.declarations] == [
        ("enum class", "Bond"), ("value", "kHelp"), ("value", "kRows"), ("struct", "Point"),
        ("struct", "WallOptions"), ("function", "run_fields"), ("class", "Wall"), ("function", "lay"),
        ("function", "lay")]
    assert header.named_values == {"Bond": {"running": "running", "stack_up": "stack-up"}}
    bond = named(header.declarations, "Bond")
    assert [(one.name, one.doc) for one in bond.members] == [
        ("running", "by halves"), ("stack_up", "one on the other, and\nno more")]


def test_members_are_the_public_ones_without_bodies() -> None:
    wall = named(read_header("wall.hpp", HEADER).declarations, "Wall")
    assert [one.text for one in wall.members] == [
        "explicit Wall(int bricks)", "int bricks() const", "void operator()(AnyView in) const",
        "void operator()(AnyView in, Stream& stream) const", "struct Brick"]
    assert [one.joined for one in wall.members] == [False, False, False, True, False]
    assert named(wall.members, "bricks").doc == "how many"
    assert named(wall.members, "Brick").members[0].doc == "in pixels"


def test_options_come_with_their_help() -> None:
    options = named(read_header("wall.hpp", HEADER).declarations, "WallOptions")
    assert [(one.name, one.member, one.help) for one in options.options] == [
        ("bond", "bond", 'how they "lie"'), ("wall-rows", "rows", "how many"), ("at", "at", "where"),
        ("gap", "gap", "between them")]
    assert options.options_of == ["run_fields"]
    assert [one.default for one in options.members] == ["Bond::running", "", "{8, 9}", "1"]


@pytest.fixture
def page(tmp_path: Path) -> str:
    (tmp_path / FOLDER).mkdir(parents=True)
    (tmp_path / FOLDER / "wall.hpp").write_text(HEADER)
    assert header_addresses(tmp_path, "ref.html") == {f"{FOLDER}/wall.hpp": "ref.html#wallhpp"}
    body = reference_body(tmp_path, {"docs/brick.md": "brick.html"})
    assert body.sections == [("wallhpp", "wall.hpp")]
    return body.html


def test_the_page_links_types_and_pages(page: str) -> None:
    assert 'See <a href="brick.html">docs/brick.md</a>.' in page
    assert "<pre><code>Wall wall = lay(3);   // a &lt; b</code></pre>\n<p>Or none.</p>" in page
    assert '<h3 id="Wall">class Wall</h3>' in page and '<h3 id="Wall::Brick">struct Wall::Brick</h3>' in page
    assert ('<pre class="declaration" id="lay"><code><a href="#Wall">Wall</a> lay(int bricks, '
            'const <a href="#WallOptions">WallOptions</a>&amp; options = {});\n'
            '<a href="#Wall">Wall</a> lay();</code></pre>') in page
    assert "<p>Lays a wall; <code>bricks</code> is at least 1.</p>" in page
    assert "hidden" not in page and "bricks_" not in page


def test_the_page_has_a_row_per_option_and_value(page: str) -> None:
    assert ("<td><code>wall-rows</code></td><td><code>rows</code></td><td><code>std::optional&lt;int&gt;</code></td>"
            "<td><code>auto</code></td><td>how many; 2 to 1000000 rows</td>") in page
    assert "<td>where; each number 1 or more bricks</td>" in page
    assert "<td>between them; more than 0 and up to 1</td>" in page
    assert "<td><code>backend</code></td><td></td><td></td><td></td><td>where</td>" in page
    assert "<td><code>stack_up</code></td><td><code>stack-up</code></td>" in page


@pytest.mark.parametrize("path", sorted((ROOT / FOLDER).glob("*.hpp")), ids=lambda path: path.stem)
def test_nothing_of_our_headers_is_missing(path: Path) -> None:
    """Searched by lines, which is not how the page is made."""
    text = re.sub(r"^template <>\nstruct .*\n(?:  .*\n)*};\n", "", path.read_text(), flags=re.MULTILINE)
    html = reference_body(ROOT, {}).html
    types = re.findall(r"^(?:class|struct|enum class)(?: TESSERA_API)? (\w+).*\{$", text, re.MULTILINE)
    functions = re.findall(r"^TESSERA_API .*?\b(\w+)\(", text, re.MULTILINE)
    for name in types + functions:
        assert f'id="{name}"' in html, name
    for option in re.findall(r'^ .*\bfield\(\s*"([^"]+)"', text, re.MULTILINE):
        assert f"<td><code>{option}</code></td>" in html, option
    public = re.sub(r"^ (?:private|protected):(?:\n(?:  .*)?)*", "", text, flags=re.MULTILINE)
    method = re.compile(r"^  (?!using|return|friend)[\w:<>&*, ]+ (\w+)\([^;{]*\) const(?:;| \{)", re.MULTILINE)
    for name in method.findall(public):
        assert name == "impl" or re.search(rf"\b{name}\(", html), name


def test_every_header_has_a_section() -> None:
    headers = {header.name for header in read_headers(ROOT)}
    assert headers == {path.name for path in (ROOT / FOLDER).glob("*.hpp")} - {"export.hpp"}
    assert all(header.doc for header in read_headers(ROOT))
