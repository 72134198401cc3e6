// SPDX-License-Identifier: Apache-2.0
/// Binary tables of FITS: read by columns of single values, written with checksums.
#pragma once

#include <string>
#include <vector>

#include "io/data_table.hpp"
#include "io/fits/fits_hdu.hpp"

namespace tessera {

/// Repeat count and letter of a TFORM: "1E", "E", "16A".
struct FitsForm {
  long long repeat = 1;
  char letter = '?';

  /// Bytes of a cell in a row.
  long long bytes() const;
};
FitsForm fits_form(const std::string& text);

/// A number of a cell with one value, by the letter of its form (BIJKED, L as 0 or 1).
double fits_cell(const unsigned char* at, char letter);

/// See read_fits_table and fits_table_bytes (io/data_table_file.hpp).
Table read_table_hdu(const std::string& path, const ReadOptions& options);
std::string table_hdus(const Table& table, const std::vector<std::string>& history);

}  // namespace tessera
