// SPDX-License-Identifier: Apache-2.0
#include "io/data_table_file.hpp"

#include "core/refuse.hpp"
#include "io/fits/fits_table.hpp"

namespace tessera {

#if TESSERA_HAVE_FITS
Table read_fits_table(const std::string& path, const ReadOptions& options) {
  return read_table_hdu(path, options);
}
std::string fits_table_bytes(const Table& table, const std::vector<std::string>& history) {
  return table_hdus(table, history);
}
#else
namespace {
constexpr const char* kNoFitsTables =
    "this build has no FITS, because cfitsio was missing; give a table as .csv, .tsv or .vot";
}
Table read_fits_table(const std::string& path, const ReadOptions&) {
  refuse_input(path, kNoFitsTables);
}
std::string fits_table_bytes(const Table&, const std::vector<std::string>&) {
  refuse("table", kNoFitsTables);
}
#endif

}  // namespace tessera
