// SPDX-License-Identifier: Apache-2.0
/// The output files of a film, each either the old one or complete; summary.json is the last.
#pragma once

#include <string>
#include <vector>

#include "jobs/cells/cells_job.hpp"
#include "jobs/cells/cells_result.hpp"
#include "jobs/cells/cells_text.hpp"

namespace tessera {

inline constexpr const char* kCellsSummaryName = "summary.json";

/// The names of tables, XML and summary.
std::vector<std::string> cells_table_names();

/// Makes the folder if it is missing. Throws Error(usage) if that fails or if, without force, one
/// of the files exists.
void prepare_folder(const CellsJob& job);

/// Tables and XML: all are written before the first is put in its place, and `other`, which is
/// already written, is put in its place with them.
void write_cells_tables(const CellsJob& job, const CellsFilmResult& result, TextFile* other);

/// The file that marks the folder as complete.
void write_cells_summary(const CellsJob& job, const CellsFilmResult& result);

}  // namespace tessera
