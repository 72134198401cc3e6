// SPDX-License-Identifier: Apache-2.0
// Checks what the decoders of cfitsio take on trust, before they see a tile.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "core/counted.hpp"
#include "io/fits/fits_tiles.hpp"

namespace tessera {
namespace {

constexpr long long kStartBytes = 32;
constexpr long long kMostHcompressPixels = 1 << 24;
/// Bytes that the decoder of HCOMPRESS may read past the end of good data.
constexpr long long kLookAheadBytes = 16;

long long word32(const unsigned char* at) {
  return static_cast<int>(unsigned{at[0]} << 24 | at[1] << 16 | at[2] << 8 | at[3]);
}
long long word16(const unsigned char* at) { return static_cast<short>(at[0] << 8 | at[1]); }

// Two bytes of signature, width, height, scale, sum, and the bit planes of three quadrants.
std::string check_hcompress(long long pixels, const unsigned char* start, long long start_bytes,
                            long long& needed) {
  if (pixels > kMostHcompressPixels)
    return fmt::format("has {} pixels; HCOMPRESS can have at most {}", pixels,
                       kMostHcompressPixels);
  if (start_bytes < 25 || start[0] != 0xdd || start[1] != 0x99)
    return "does not begin like HCOMPRESS";
  const long long width = word32(start + 2), height = word32(start + 6);
  if (width < 1 || height < 1 || width > pixels || height > pixels || width * height != pixels)
    return fmt::format("claims {} x {} pixels; it has {}", width, height, pixels);
  const int planes = std::max({start[22], start[23], start[24]});
  if (planes > 63) return fmt::format("has {} bit planes; it can have at most 63", planes);
  needed += kLookAheadBytes;
  return "";
}

// The length of the list is in its third word, or in the next two if that is not positive.
std::string check_plio(const unsigned char* start, long long start_bytes, long long count,
                       long long& needed) {
  if (start_bytes < 10)
    return fmt::format("has {}; PLIO needs at least 10", counted(start_bytes, "byte"));
  const bool old = word16(start + 4) > 0;
  const long long words = old ? word16(start + 4) : word16(start + 8) * 32768 + word16(start + 6);
  const long long first = old ? 3 : word16(start + 2);
  if (words < 0 || words > count / 2 || first < 0)
    return fmt::format("claims {} words; it has {}", words, count / 2);
  needed = count + 8;
  return "";
}

// Inflates without keeping the result: returns the number of bytes, or -1 if the data does not end
// as gzip should, or goes on after its end.
long long inflated_bytes(const FitsTileBytes& bytes, long long most) {
  std::vector<unsigned char> in(1 << 16), out(1 << 16);
  z_stream stream{};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) return -1;
  long long made = 0, taken = 0;
  int state = Z_OK;
  while (state == Z_OK && made <= most) {
    if (stream.avail_in == 0) {
      const long long part = std::min<long long>(std::ssize(in), bytes.count - taken);
      const long long got = bytes.file.read_some(bytes.offset + taken, in.data(), part);
      taken += got;
      stream.next_in = in.data();
      stream.avail_in = static_cast<uInt>(got);
      if (got == 0) break;
    }
    stream.next_out = out.data();
    stream.avail_out = static_cast<uInt>(out.size());
    state = inflate(&stream, Z_NO_FLUSH);
    made += std::ssize(out) - stream.avail_out;
  }
  const bool ended = state == Z_STREAM_END && stream.avail_in == 0 && taken == bytes.count;
  inflateEnd(&stream);
  return ended || made > most ? made : -1;
}

// cfitsio takes the type of the samples from the number of bytes that it inflated, whatever ZBITPIX
// says: a tile of bytes in an image of doubles would be read eight times past its end. Old versions
// of it wrote all integers with 4 bytes; floats may be quantised to integers of any size.
std::vector<long long> sample_bytes(const FitsTileTable& table, bool lossless) {
  const long long own = std::abs(table.bitpix) / 8;
  if (table.bitpix < 0 && table.quantised && !lossless) return {1, 2, 4};
  if (table.bitpix > 0 && own < 4 && !lossless) return {own, 4};
  return {own};
}

std::string check_gzip(long long pixels, const FitsTileBytes& bytes, const FitsTileTable& table,
                       bool lossless) {
  std::vector<long long> right = sample_bytes(table, lossless);
  for (long long& size : right) size *= pixels;
  const long long made = inflated_bytes(bytes, right.back());
  if (made < 0) return "has damaged gzip data";
  if (std::ranges::count(right, made) > 0) return "";
  return fmt::format("inflates to {}{} bytes; {} pixels of ZBITPIX {} need {}",
                     made > right.back() ? "more than " : "", std::min(made, right.back()), pixels,
                     table.bitpix, fmt::join(right, " or "));
}

std::string check_rice(long long pixels, const FitsTileBytes& bytes, const FitsRice& rice) {
  std::vector<unsigned char> data(static_cast<size_t>(bytes.count));
  bytes.file.read_all(bytes.offset, data.data(), bytes.count);
  return rice_ends(data, pixels, rice) ? "" : "has RICE data that is damaged or of another length";
}

std::string check_hcompress_data(const FitsTileBytes& bytes) {
  std::vector<unsigned char> data(static_cast<size_t>(bytes.count));
  bytes.file.read_all(bytes.offset, data.data(), bytes.count);
  const auto width = static_cast<int>(word32(data.data() + 2)),
             height = static_cast<int>(word32(data.data() + 6));
  const std::span<const unsigned char> own(data.data(), data.size() - kLookAheadBytes);
  return hcompress_ends(own, width, height) ? ""
                                            : "has HCOMPRESS data that is cut short or damaged";
}

std::string check_compressed(const FitsTileTable& table, long long pixels,
                             const FitsTileBytes& bytes) {
  if (table.method.starts_with("GZIP")) return check_gzip(pixels, bytes, table, false);
  // cfitsio would take the decoded integers for floats, and some of them for doubles.
  if (table.bitpix < 0 && !table.quantised)
    return fmt::format("holds integers of {} for ZBITPIX {}; this needs a column ZSCALE or ZZERO",
                       table.method, table.bitpix);
  if (table.method.starts_with("RICE")) return check_rice(pixels, bytes, table.rice);
  return table.method == "HCOMPRESS_1" ? check_hcompress_data(bytes) : "";
}

}  // namespace

std::string check_tile(const std::string& method, long long pixels, const FitsTileBytes& bytes,
                       long long& needed) {
  unsigned char start[kStartBytes] = {};
  const long long got =
      bytes.file.read_some(bytes.offset, start, std::min(kStartBytes, bytes.count));
  if (method == "HCOMPRESS_1") return check_hcompress(pixels, start, got, needed);
  if (method == "PLIO_1") return check_plio(start, got, bytes.count, needed);
  return "";
}

std::string check_tile_data(const FitsTileTable& table, const FitsTileCopy& copy, long long row) {
  const long long pixels = table.tiling.pixels(row);
  const auto tile_in = [&](const char* name) -> std::optional<FitsTileBytes> {
    const auto column = std::ranges::find(table.columns, name, &FitsColumn::name);
    if (column == table.columns.end()) return std::nullopt;
    unsigned char cell[16] = {};
    copy.file.read_all(copy.data_offset + row * table.row_bytes + column->offset, cell,
                       column->bytes);
    const FitsDescriptor tile = load_descriptor(*column, cell);
    return FitsTileBytes{copy.file, copy.data_offset + table.heap_offset + tile.offset, tile.count};
  };
  // In the order in which cfitsio looks for data.
  const auto tile = tile_in("COMPRESSED_DATA");
  if (tile && tile->count > 0) return check_compressed(table, pixels, *tile);
  if (const auto plain = tile_in("UNCOMPRESSED_DATA"))
    return plain->count == pixels
               ? ""
               : fmt::format("holds {}; it has {}", counted(plain->count, "number"),
                             counted(pixels, "pixel"));
  const auto lossless = tile_in("GZIP_COMPRESSED_DATA");
  if (lossless && lossless->count > 0) return check_gzip(pixels, *lossless, table, true);
  return "holds no data";
}

}  // namespace tessera
