// SPDX-License-Identifier: Apache-2.0
#include "io/fits/fits_tiles.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "core/counted.hpp"
#include "core/refuse.hpp"

namespace tessera {
namespace {

constexpr long long kMost = std::numeric_limits<long long>::max();
constexpr size_t kMostAxes = 6;                 // of cfitsio
constexpr long long kMostTilePixels = 1 << 28;  // cfitsio counts some bytes in int
constexpr std::string_view kMethods[] = {"RICE_1", "RICE_ONE", "GZIP_1",
                                         "GZIP_2", "PLIO_1",   "HCOMPRESS_1"};
// The columns that cfitsio looks for; it does not need the names of others.
constexpr std::string_view kColumns[] = {
    "COMPRESSED_DATA", "GZIP_COMPRESSED_DATA", "UNCOMPRESSED_DATA", "ZSCALE", "ZZERO", "ZBLANK"};

// "12E", "1PB(200)", "QB".
FitsColumn parse_form(const FitsHdu& hdu, const std::string& keyword) {
  FitsColumn column;
  column.form = hdu.header.text(keyword);
  long long repeat = 1;
  const char *begin = column.form.data(), *end = begin + column.form.size();
  const auto [rest, error] = std::from_chars(begin, end, repeat);
  if (error != std::errc()) repeat = 1;
  const char type = rest < end ? *rest : '\0';
  const int bytes = fits_form_bytes(type);
  const bool in_heap = type == 'P' || type == 'Q';
  const char heap_type = in_heap && rest + 1 < end ? rest[1] : '\0';
  if (bytes == 0 || repeat < 0 || repeat > (1 << 20) ||
      (in_heap && (repeat != 1 || fits_form_bytes(heap_type) == 0)))
    refuse_input(hdu.header.name(),
                 fmt::format("its card {} is '{}', which is not allowed for a column of tiles",
                             keyword, column.form));
  column.bytes = repeat * bytes;
  column.heap_type = heap_type;
  column.wide = type == 'Q';
  column.form = fmt::format("{}{}{}", repeat, type, in_heap ? std::string(1, heap_type) : "");
  return column;
}

std::vector<FitsColumn> read_columns(const FitsHdu& hdu, long long row_bytes) {
  std::vector<FitsColumn> columns;
  const long long count = hdu.header.needed_integer("TFIELDS", 1, 999);
  long long offset = 0;
  for (long long n = 1; n <= count; ++n) {
    FitsColumn column = parse_form(hdu, fmt::format("TFORM{}", n));
    const std::string name = hdu.header.text(fmt::format("TTYPE{}", n));
    column.name = std::ranges::count(kColumns, name) > 0 ? name : fmt::format("OTHER{}", n);
    column.offset = offset;
    offset += column.bytes;
    columns.push_back(column);
  }
  if (offset != row_bytes)
    refuse_input(hdu.header.name(), fmt::format("its columns take {} per row and its NAXIS1 is {}",
                                                counted(offset, "byte"), row_bytes));
  return columns;
}

// Columns that cfitsio decodes must have the type that it expects: it does not check their bytes
// again.
void check_column_types(const FitsHdu& hdu, const FitsTileTable& table) {
  const bool words = table.method == "PLIO_1";
  bool found = false;
  for (const FitsColumn& column : table.columns) {
    const bool tiles = column.name == "COMPRESSED_DATA";
    const char wanted = tiles && words ? 'I' : 'B';
    found = found || tiles;
    if ((tiles || column.name == "GZIP_COMPRESSED_DATA") && column.heap_type != wanted)
      refuse_input(hdu.header.name(), fmt::format("its column {} is {}; {} needs 1P{}", column.name,
                                                  column.form, table.method, wanted));
    const bool number =
        column.name == "ZSCALE" || column.name == "ZZERO" || column.name == "ZBLANK";
    if (number && (column.heap_type != 0 || column.bytes > 8))
      refuse_input(hdu.header.name(), fmt::format("its column {} is {}; it must be one number",
                                                  column.name, column.form));
  }
  if (!found) refuse_input(hdu.header.name(), "it has no column COMPRESSED_DATA; tiles need one");
}

FitsTiling read_tiling(const FitsHdu& hdu, const FitsImage& image) {
  FitsTiling tiling{image.axes, {}};
  if (image.axes.size() > kMostAxes)
    refuse_input(hdu.header.name(),
                 fmt::format("its tiled image has {} axes; it can have at most {}",
                             image.axes.size(), kMostAxes));
  for (size_t i = 0; i < image.axes.size(); ++i) {
    const std::string keyword = fmt::format("ZTILE{}", i + 1);
    const long long length = hdu.header.has(keyword) ? hdu.header.needed_integer(keyword, 1, kMost)
                             : i == 0                ? image.axes[0]
                                                     : 1;
    tiling.tile.push_back(std::min(length, image.axes[i]));
  }
  return tiling;
}

// cfitsio keeps all tiles of a row of tiles in memory.
void check_tile_memory(const std::string& path, const FitsHdu& hdu, const FitsTiling& tiling,
                       const ReadLimits& limits) {
  long long pixels = tiling.axes[0];
  for (size_t i = 1; i < tiling.tile.size(); ++i) pixels *= tiling.tile[i];
  if (pixels > kMostTilePixels)
    refuse_input(hdu.header.name(),
                 fmt::format("its tiles of {} pixels are {} pixels side by side; the limit is {}",
                             fmt::join(tiling.tile, " x "), pixels, kMostTilePixels));
  check_memory(path, {{static_cast<int>(pixels)}, Type::f64}, limits);
}

void check_tile_count(const FitsHdu& hdu, const FitsTileTable& table) {
  long long tiles = 1;
  for (size_t i = 0; i < table.tiling.axes.size(); ++i) tiles *= table.tiling.tiles(i);
  if (tiles != table.rows)
    refuse_input(
        hdu.header.name(),
        fmt::format("its image of {} pixels in tiles of {} has {}, its table {}",
                    fmt::join(table.tiling.axes, " x "), fmt::join(table.tiling.tile, " x "),
                    counted(tiles, "tile"), counted(table.rows, "row")));
}

// The rule of cfitsio, which looks for columns only, whatever the cards ZSCALE and ZZERO say.
bool is_quantised(const FitsHdu& hdu, const std::vector<FitsColumn>& columns) {
  return hdu.header.text("ZQUANTIZ") != "NONE" &&
         std::ranges::any_of(columns, [](const FitsColumn& column) {
           return column.name == "ZSCALE" || column.name == "ZZERO";
         });
}

FitsRice read_rice(const FitsHdu& hdu, int bitpix) {
  const FitsHeader& header = hdu.header;
  FitsRice rice;
  for (int n = 1; header.has(fmt::format("ZNAME{}", n)) && n < 100; ++n) {
    const std::string name = header.text(fmt::format("ZNAME{}", n));
    const std::string keyword = fmt::format("ZVAL{}", n);
    if (name == "BLOCKSIZE") rice.block = header.needed_integer(keyword, 1, 1024);
    if (name != "BYTEPIX") continue;
    rice.bytes = header.needed_integer(keyword, 1, 8);
    if (rice.bytes != 1 && rice.bytes != 2 && rice.bytes != 4)
      refuse_input(hdu.header.name(), fmt::format("its {} is {} per pixel; it can be 1, 2 or 4",
                                                  keyword, counted(rice.bytes, "byte")));
    if (8 * rice.bytes < bitpix)
      refuse_input(hdu.header.name(),
                   fmt::format("its {} is {} per pixel; ZBITPIX {} needs {}", keyword,
                               counted(rice.bytes, "byte"), bitpix, bitpix / 8));
  }
  return rice;
}

}  // namespace

long long FitsTiling::pixels(long long row) const {
  long long count = 1;
  for (size_t i = 0; i < axes.size(); ++i) {
    const long long place = row % tiles(i) * tile[i];
    count *= std::min(tile[i], axes[i] - place);
    row /= tiles(i);
  }
  return count;
}

FitsTileTable check_tile_table(const std::string& path, const FitsHdu& hdu, const FitsImage& image,
                               const ReadLimits& limits) {
  const FitsHeader& header = hdu.header;
  header.needed_integer("NAXIS", 2, 2);
  header.needed_integer("BITPIX", 8, 8);
  header.needed_integer("GCOUNT", 1, 1);
  const long long all = hdu.data_bytes();
  FitsTileTable table;
  table.method = header.text("ZCMPTYPE");
  if (std::ranges::count(kMethods, table.method) == 0)
    refuse_input(hdu.header.name(), fmt::format("its compression is '{}'; it can be {}",
                                                table.method, fmt::join(kMethods, ", ")));
  table.bitpix = image.numbers.bitpix;
  table.rice = read_rice(hdu, table.bitpix);
  table.row_bytes = header.needed_integer("NAXIS1", 1, kMost);
  table.rows = header.needed_integer("NAXIS2", 1, 0x7fffffff);
  const long long table_bytes = table.row_bytes * table.rows;
  table.heap_offset =
      header.has("THEAP") ? header.needed_integer("THEAP", table_bytes, all) : table_bytes;
  table.heap_bytes = all - table.heap_offset;
  table.columns = read_columns(hdu, table.row_bytes);
  table.quantised = is_quantised(hdu, table.columns);
  table.tiling = read_tiling(hdu, image);
  check_column_types(hdu, table);
  check_tile_memory(path, hdu, table.tiling, limits);
  check_tile_count(hdu, table);
  return table;
}

}  // namespace tessera
