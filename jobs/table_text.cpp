// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/counted.hpp"
#include "core/refuse.hpp"
#include "jobs/table_files.hpp"

namespace tessera {
namespace {

/// Lines of cells; a cell in quotes may hold separators, line ends and doubled quotes.
class TextCells {
 public:
  TextCells(const std::string& name, const std::string& text, char separator)
      : name_(name), text_(text), separator_(separator) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  /// The cells of the next line that is not empty and not a comment; empty: there is none.
  std::vector<std::string> next() {
    while (at_ < text_.size()) {
      line_ = begun_;
      std::vector<std::string> cells = line();
      const bool is_blank =
          cells.size() == 1 && cells[0].find_first_not_of(" \t") == std::string::npos;
      if (!is_blank && !cells[0].starts_with('#')) return cells;
    }
    return {};
  }
  std::string place() const { return fmt::format("{}, line {}", name_, line_); }

 private:
  std::vector<std::string> line() {
    std::vector<std::string> cells(1);
    bool quoted = false, was_quoted = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') ++begun_;
      if (quoted) {
        if (c != '"') {
          cells.back() += c;
        } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
          cells.back() += text_[++at_];
        } else {
          quoted = false;
        }
      } else if (c == '"' && cells.back().empty() && !was_quoted) {
        quoted = was_quoted = true;
      } else if (c == separator_) {
        cells.emplace_back();
        was_quoted = false;
      } else if (c == '\n') {
        ++at_;
        break;
      } else if (c != '\r') {
        cells.back() += c;
      }
    }
    if (quoted) refuse_input(place(), "a text in quotes does not end");
    return cells;
  }

  const std::string &name_, &text_;
  char separator_;
  std::size_t at_ = 0;
  long long begun_ = 1, line_ = 1;
};

std::string trimmed_name(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string quoted_if_needed(const std::string& text, char separator) {
  const bool odd = text.find_first_of("\"\n\r") != std::string::npos ||
                   text.find(separator) != std::string::npos || text.starts_with('#');
  if (!odd) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace

Table table_of_text(const std::string& name, const std::string& text, char separator) {
  TextCells cells(name, text, separator);
  const std::vector<std::string> names = cells.next();
  if (names.empty()) refuse_input(name, "it is empty; its first line must name its columns");
  Table table;
  for (const std::string& each : names) {
    TableColumn column;
    column.name = trimmed_name(each);
    column.kind = TableKind::text;
    table.columns.push_back(std::move(column));
  }
  for (std::vector<std::string> row = cells.next(); !row.empty(); row = cells.next()) {
    if (row.size() != names.size())
      refuse_input(cells.place(),
                   fmt::format("it has {}, and the first line names {}",
                               counted(row.size(), "cell"), counted(names.size(), "column")));
    for (std::size_t c = 0; c < row.size(); ++c) {
      table.columns[c].numbers.push_back(table_number(row[c]));
      table.columns[c].texts.push_back(std::move(row[c]));
    }
  }
  return table;
}

std::string text_of_table(const Table& table, char separator) {
  std::string text;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (c > 0) text += separator;
    text += quoted_if_needed(table.columns[c].name, separator);
  }
  text += '\n';
  for (std::size_t row = 0; row < static_cast<std::size_t>(table.rows()); ++row) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (c > 0) text += separator;
      text += quoted_if_needed(table_cell(table.columns[c], row), separator);
    }
    text += '\n';
  }
  return text;
}

}  // namespace tessera
