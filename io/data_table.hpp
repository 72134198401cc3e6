// SPDX-License-Identifier: Apache-2.0
/// A table: columns with names and units, all of the same length.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tessera {

enum class TableKind : unsigned char { f64, f32, i32, text };

struct TableColumn {
  std::string name, unit, ucd, description;
  TableKind kind = TableKind::f64;
  /// One per row; NaN: the cell is empty or not a number. Columns that are written have them unless
  /// their kind is text.
  std::vector<double> numbers;
  /// One per row, as in the file. Columns that are written have them only if their kind is text.
  std::vector<std::string> texts;
};

struct Table {
  std::vector<TableColumn> columns;
  std::vector<std::pair<std::string, std::string>>
      notes;  ///< keywords and texts of the whole table

  long long rows() const {
    if (columns.empty()) return 0;
    const TableColumn& first = columns.front();
    return first.kind == TableKind::text ? std::ssize(first.texts) : std::ssize(first.numbers);
  }
};

}  // namespace tessera
