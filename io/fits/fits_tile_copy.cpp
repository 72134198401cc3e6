// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "core/counted.hpp"
#include "io/fits/fits_cards.hpp"
#include "io/fits/fits_tiles.hpp"

namespace tessera {
namespace {

constexpr long long kCopyBytes = 1 << 20;

template <class Word>
Word big_endian(Word word) {
  if constexpr (std::endian::native == std::endian::big) return word;
  if constexpr (sizeof(Word) == 8) return static_cast<Word>(__builtin_bswap64(word));
  return static_cast<Word>(__builtin_bswap32(static_cast<std::uint32_t>(word)));
}

template <class Word>
long long load(const unsigned char* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return static_cast<std::make_signed_t<Word>>(big_endian(word));
}

template <class Word>
void store(unsigned char* at, long long value) {
  const Word word = big_endian(static_cast<Word>(value));
  std::memcpy(at, &word, sizeof word);
}

void store_count(const FitsColumn& column, unsigned char* at, long long count) {
  if (column.wide)
    store<std::uint64_t>(at, count);
  else
    store<std::uint32_t>(at, std::min(count, 0x7fffffffLL));
}

int bytes_of_item(char type) {
  return type == 'I' ? 2 : type == 'J' || type == 'E' ? 4 : type == 'K' || type == 'D' ? 8 : 1;
}

class TileCopier {
 public:
  TileCopier(FitsBytes& bytes, const FitsHdu& hdu, const FitsTileTable& table)
      : bytes_(bytes),
        hdu_(hdu),
        table_(table),
        there_(
            std::max(0LL, bytes.available(hdu.data_offset + hdu.data_bytes()) - hdu.data_offset)),
        copy_{anonymous_file(bytes.path())} {}

  FitsTileCopy run() {
    // The header's length does not depend on the heap's.
    const std::string primary = primary_header();
    const auto header_of = [&](long long heap) {
      return fits_header_bytes(tile_table_cards(hdu_, table_, heap), 0);
    };
    const long long start = std::ssize(primary) + std::ssize(header_of(0));
    copy_.data_offset = start;
    copy_rows(start);
    copy_rest(start);
    const std::string headers = primary + header_of(heap_end_);
    copy_.file.write_all(0, headers.data(), std::ssize(headers));
    pad(start + table_.heap_offset + heap_end_);
    return std::move(copy_);
  }

 private:
  static std::string primary_header() {
    return fits_header_bytes({fits_card("SIMPLE", "T", ""), fits_card("BITPIX", "8", ""),
                              fits_card("NAXIS", "0", ""), fits_card("EXTEND", "T", "")},
                             0);
  }

  void copy_rows(long long start) {
    const long long held = std::min(table_.rows, there_ / table_.row_bytes);
    const long long part = std::max(1LL, kCopyBytes / table_.row_bytes);
    copy_.missing.resize(static_cast<size_t>(held));
    std::vector<unsigned char> rows;
    for (long long row = 0; row < held; row += part) {
      const long long count = std::min(part, held - row);
      rows.resize(static_cast<size_t>(count * table_.row_bytes));
      bytes_.file().read_all(hdu_.data_offset + row * table_.row_bytes, rows.data(),
                             std::ssize(rows));
      for (long long i = 0; i < count; ++i) check_row(row + i, rows.data() + i * table_.row_bytes);
      copy_.file.write_all(start + row * table_.row_bytes, rows.data(), std::ssize(rows));
    }
    if (held < table_.rows && copy_.problem.empty())
      copy_.problem = fmt::format("tile {} has no row in the table", held);
  }

  void check_row(long long row, unsigned char* at) {
    std::string problem;
    for (const FitsColumn& column : table_.columns)
      if (column.heap_type != 0 && problem.empty())
        problem = check_cell(row, column, at + column.offset);
    if (problem.empty()) return;
    copy_.missing[static_cast<size_t>(row)] = true;
    if (copy_.problem.empty()) copy_.problem = fmt::format("tile {} {}", row, problem);
  }

  // Returns what is wrong with one tile's data; the count becomes the bytes that the decoder may
  // read.
  std::string check_cell(long long row, const FitsColumn& column, unsigned char* at) {
    const FitsDescriptor tile = load_descriptor(column, at);
    const int item = bytes_of_item(column.heap_type);
    const long long held = std::min(table_.heap_bytes, there_ - table_.heap_offset);
    const bool inside = tile.count >= 0 && tile.offset >= 0 && tile.offset <= std::max(0LL, held) &&
                        tile.count <= (held - tile.offset) / item;
    if (tile.count == 0) return "";
    if (!inside)
      return fmt::format("has {} of {} from byte {} of the heap, which has {}",
                         counted(tile.count, "item"), counted(item, "byte"), tile.offset,
                         std::max(0LL, held));
    const long long pixels = table_.tiling.pixels(row);
    if (column.name == "UNCOMPRESSED_DATA" && tile.count > pixels)
      return fmt::format("holds {} for {}", counted(tile.count, "number"),
                         counted(pixels, "pixel"));
    if (column.name != "COMPRESSED_DATA") return "";
    long long needed = tile.count * item;
    const std::string problem = check_tile(
        table_.method, pixels,
        {bytes_.file(), hdu_.data_offset + table_.heap_offset + tile.offset, tile.count * item},
        needed);
    if (!problem.empty()) return problem;
    store_count(column, at, (needed + item - 1) / item);
    heap_end_ = std::max(heap_end_, tile.offset + needed + item);
    return "";
  }

  // The gap between the rows and the heap, and the heap.
  void copy_rest(long long start) {
    std::vector<unsigned char> part(kCopyBytes);
    const long long table_bytes = table_.row_bytes * table_.rows;
    heap_end_ = std::max(heap_end_, table_.heap_bytes);
    for (long long at = table_bytes; at < there_; at += kCopyBytes) {
      const long long count = std::min(kCopyBytes, there_ - at);
      bytes_.file().read_all(hdu_.data_offset + at, part.data(), count);
      copy_.file.write_all(start + at, part.data(), count);
    }
  }

  // Decoders that run past their tile find zeros there.
  void pad(long long end) const {
    const long long whole = (end + kFitsBlock - 1) / kFitsBlock * kFitsBlock;
    const char nothing = 0;
    copy_.file.write_all(whole - 1, &nothing, 1);
  }

  FitsBytes& bytes_;
  const FitsHdu& hdu_;
  const FitsTileTable& table_;
  long long there_;         ///< bytes of the table and its heap that the file holds
  long long heap_end_ = 0;  ///< of the copy
  FitsTileCopy copy_;
};

}  // namespace

FitsDescriptor load_descriptor(const FitsColumn& column, const unsigned char* cell) {
  if (column.wide) return {load<std::uint64_t>(cell), load<std::uint64_t>(cell + 8)};
  return {load<std::uint32_t>(cell), load<std::uint32_t>(cell + 4)};
}

FitsTileCopy copy_tile_table(FitsBytes& bytes, const FitsHdu& hdu, const FitsTileTable& table) {
  return TileCopier(bytes, hdu, table).run();
}

}  // namespace tessera
