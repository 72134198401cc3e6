// SPDX-License-Identifier: Apache-2.0
// Checks what the decoders of cfitsio take on trust, before they see a tile.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <vector>

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
  if (start_bytes < 10) return fmt::format("has {} bytes; PLIO needs at least 10", start_bytes);
  const bool old = word16(start + 4) > 0;
  const long long words = old ? word16(start + 4) : word16(start + 8) * 32768 + word16(start + 6);
  const long long first = old ? 3 : word16(start + 2);
  if (words < 0 || words > count / 2 || first < 0)
    return fmt::format("claims {} words; it has {}", words, count / 2);
  needed = count + 8;
  return "";
}

// Inflates without keeping the result: returns the number of bytes, or -1 if the data does not end
// as gzip should.
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
  inflateEnd(&stream);
  return state == Z_STREAM_END || made > most ? made : -1;
}

std::string check_gzip(long long pixels, const FitsTileBytes& bytes) {
  const long long most = 8 * pixels, made = inflated_bytes(bytes, most);
  if (made < 0) return "has damaged gzip data";
  if (made > most) return fmt::format("inflates to more than {} bytes for {} pixels", most, pixels);
  return "";
}

std::string check_rice(long long pixels, const FitsTileBytes& bytes, const FitsRice& rice) {
  std::vector<unsigned char> data(static_cast<size_t>(bytes.count));
  bytes.file.read_all(bytes.offset, data.data(), bytes.count);
  return rice_ends(data, pixels, rice) ? "" : "has RICE data that is cut short or damaged";
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
  for (const FitsColumn& column : table.columns) {
    const bool tiles = column.name == "COMPRESSED_DATA";
    const bool gzip =
        column.name == "GZIP_COMPRESSED_DATA" || (tiles && table.method.starts_with("GZIP"));
    const bool rice = tiles && table.method.starts_with("RICE");
    const bool hcompress = tiles && table.method == "HCOMPRESS_1";
    if (!gzip && !rice && !hcompress) continue;
    unsigned char cell[16] = {};
    copy.file.read_all(copy.data_offset + row * table.row_bytes + column.offset, cell,
                       column.bytes);
    const FitsDescriptor tile = load_descriptor(column, cell);
    if (tile.count == 0) continue;
    const FitsTileBytes bytes{copy.file, copy.data_offset + table.heap_offset + tile.offset,
                              tile.count};
    const long long pixels = table.tiling.pixels(row);
    const std::string problem = gzip   ? check_gzip(pixels, bytes)
                                : rice ? check_rice(pixels, bytes, table.rice)
                                       : check_hcompress_data(bytes);
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace tessera
