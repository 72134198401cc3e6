// SPDX-License-Identifier: Apache-2.0
/// Tables in files, by the endings of their names: .csv, .tsv, .fits, and .vot or .xml for VOTable.
#pragma once

#include <string>
#include <vector>

#include "io/data_table.hpp"
#include "io/image_file.hpp"

namespace tessera {

/// Throws Error(usage) for an ending that names no format of tables.
void check_table_name(const std::string& path);

/// All columns have texts and numbers. A table of a FITS file may be named in brackets,
/// "all.fits[RADIO]". Throws Error.
Table read_table(const std::string& path, const ReadOptions& options);

/// The old file stays until the new one is whole. Throws Error.
void write_table(const std::string& path, const Table& table, bool force,
                 const std::vector<std::string>& history);

/// Cells separated by `separator`, the first line names the columns; texts may be in quotes, '#'
/// begins a comment. `name` begins messages.
Table table_of_text(const std::string& name, const std::string& text, char separator);
std::string text_of_table(const Table& table, char separator);

/// The first TABLE of a VOTable, whose rows must be elements (TABLEDATA).
Table table_of_votable(const std::string& name, const std::string& text);
std::string votable_of_table(const Table& table, const std::vector<std::string>& history);

/// A number with nothing around it except blanks; NaN if the text is something else.
double table_number(std::string_view text);
/// A number as texts of tables have it: the shortest that reads back the same.
std::string table_cell(const TableColumn& column, std::size_t row);

}  // namespace tessera
