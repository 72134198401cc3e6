// SPDX-License-Identifier: Apache-2.0
/// Tables in FITS files; the doors to them exist in builds without FITS too.
#pragma once

#include <string>

#include "io/data_table.hpp"
#include "io/image_file.hpp"

namespace tessera {

/// The first binary table of a file, or the one that options.hdu or options.page names; numbers,
/// texts and logical values, one per cell; other columns are left out. Throws Error(input).
Table read_fits_table(const std::string& path, const ReadOptions& options);

/// The bytes of a file with an empty image and this table.
std::string fits_table_bytes(const Table& table, const std::vector<std::string>& history);

}  // namespace tessera
