// SPDX-License-Identifier: Apache-2.0
/// The tables of studies for a terminal: rungs in groups, one line each.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "study/shown.hpp"
#include "study/study_result.hpp"

namespace tessera {

struct StudyColumn {
  std::string name;
  int width;  ///< 0: as wide as its text, for the last column
  std::function<std::string(const StudyRow&)> text;
};

/// Columns of one field of the row; a dash if it is unknown.
StudyColumn figure_column(const char* name, int width, std::optional<double> StudyRow::*field,
                          int digits);
StudyColumn share_column(const char* name, int width, std::optional<double> StudyRow::*field,
                         int digits);
StudyColumn count_column(const char* name, int width, std::optional<int> StudyRow::*field);
/// Milliseconds of the kernels alone.
StudyColumn kernel_column();
StudyColumn published_column(const char* name, int width);

class StudyTable {
 public:
  /// A line begins with the name of the rung and, unless its width is 0, its title.
  StudyTable(int rung_width, int title_width, std::vector<StudyColumn> columns);

  /// As wide as the names of a run's rungs need, and without kernels' times if there are none.
  StudyTable fitted(const StudyResult& result) const;
  std::string line(const StudyRow& row) const;
  /// The names of the columns behind the text that stands above the rungs.
  std::string heading(const std::string& first) const;
  /// The rungs that are wanted, under a title; "" if there are none. Those that lack a GPU are left
  /// out: places_text says so once.
  std::string group(const StudyResult& result, const std::string& title,
                    const std::function<bool(const std::string& rung)>& wanted) const;
  /// The rungs whose names begin like this.
  std::string group(const StudyResult& result, const std::string& title,
                    const char* beginning) const;

 private:
  int rung_width_, title_width_;
  std::vector<StudyColumn> columns_;
};

/// The lines above a study's tables: its GPU and its CPU with their measured ceilings, a note, and
/// why CUDA rungs are absent.
std::string places_text(const StudyResult& result, const std::string& device_ceilings,
                        const std::string& note = "", const std::string& cpu_ceilings = "");
/// "1234 GFLOP/s single, 567 GB/s measured".
std::string flops_and_bytes(const StudyResult& result);

}  // namespace tessera
