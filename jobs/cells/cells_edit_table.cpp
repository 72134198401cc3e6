// SPDX-License-Identifier: Apache-2.0
// The table of edits: every line is checked as far as is possible without tracks.
#include <fmt/format.h>

#include <algorithm>

#include "core/text_parts.hpp"
#include "jobs/cells/cells_edits.hpp"
#include "tessera/error.hpp"
#include "tessera/options.hpp"

namespace tessera {

template <>
struct Names<CellsEditKind> {
  static constexpr std::array<std::pair<std::string_view, CellsEditKind>, 4> list{
      {{"split", CellsEditKind::split},
       {"merge", CellsEditKind::merge},
       {"delete", CellsEditKind::remove},
       {"add", CellsEditKind::add}}};
};

namespace {

constexpr std::size_t kColumns = 7;
constexpr int kMostId = 1'000'000'000;

std::vector<std::string> edit_fields(std::string_view line) {
  std::vector<std::string> fields;
  for (const std::string_view part : parts_of(line, ',')) fields.emplace_back(trimmed(part));
  return fields;
}

/// One line, from words to numbers.
class Line {
 public:
  Line(std::string place, std::string_view text)
      : fields_(edit_fields(text)), edit_{.place = std::move(place)} {
    if (fields_.size() > kColumns) edit_.refuse(fmt::format("has {} columns", fields_.size()));
    fields_.resize(kColumns);
  }

  CellsEdit read() {
    edit_.kind = parse_named<CellsEditKind>(edit_.place, fields_[0]);
    switch (edit_.kind) {
      case CellsEditKind::split:
        expect({1, 2});
        break;
      case CellsEditKind::merge:
        expect({1, 3});
        break;
      case CellsEditKind::remove:
        expect({1});
        break;
      case CellsEditKind::add:
        expect({1, 2, 4, 5}, {6});
        break;
    }
    take(1, edit_.track), take(2, edit_.frame), take(3, edit_.other);
    take(4, edit_.x), take(5, edit_.y);
    if (!fields_[6].empty()) take(6, edit_.radius.emplace());
    check();
    return edit_;
  }

 private:
  // Columns that an edit needs and may have; other numbers are mistakes.
  void expect(const std::vector<std::size_t>& needed,
              const std::vector<std::size_t>& allowed = {}) const {
    const auto columns = edit_fields(kCellsEditsHeader);
    for (std::size_t k = 1; k < kColumns; ++k) {
      const bool must = std::ranges::count(needed, k) > 0, may = std::ranges::count(allowed, k) > 0;
      if (must && fields_[k].empty())
        edit_.refuse(fmt::format("has no {}, which {} needs", columns[k], fields_[0]));
      if (!must && !may && !fields_[k].empty())
        edit_.refuse(
            fmt::format("has {} {}, which {} does not take", columns[k], fields_[k], fields_[0]));
    }
  }
  template <class Value>
  void take(std::size_t column, Value& value) const {
    if (!fields_[column].empty()) from_text(edit_.place, fields_[column], value);
  }
  void check() const {
    if (edit_.kind == CellsEditKind::merge && edit_.track == edit_.other)
      edit_.refuse("merges a track with itself");
    if (edit_.kind == CellsEditKind::add && (edit_.track < 1 || edit_.track > kMostId))
      edit_.refuse(fmt::format("has track {}; ids are 1 to {}", edit_.track, kMostId));
    if (edit_.radius && !(*edit_.radius > 0))
      edit_.refuse(fmt::format("has RADIUS {}; it must be more than 0", *edit_.radius));
  }

  std::vector<std::string> fields_;
  CellsEdit edit_;
};

}  // namespace

void CellsEdit::refuse(const std::string& what) const {
  throw Error(ErrorKind::usage,
              fmt::format("{}: it {}; columns are {}", place, what, kCellsEditsHeader));
}

std::vector<CellsEdit> parse_edits(const std::string& name, const std::string& text) {
  std::vector<CellsEdit> edits;
  int number = 0;
  for (const std::string_view line : lines_of(without_mark(text))) {
    const std::string_view words = trimmed(line);
    const std::string place = fmt::format("{}, line {}", name, ++number);
    if (words.empty() || words.starts_with('#')) continue;
    if (edit_fields(words)[0] != "EDIT")
      edits.push_back(Line(place, words).read());
    else if (!std::string_view(kCellsEditsHeader).starts_with(words))
      CellsEdit{.place = place}.refuse("has a different header");
  }
  return edits;
}

}  // namespace tessera
