// SPDX-License-Identifier: Apache-2.0
/// The table that holds the tiles of a compressed image: everything it claims is checked, and
/// copied into a table that is safe for cfitsio to read.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/file.hpp"
#include "io/fits/fits_bytes.hpp"
#include "io/fits/fits_image.hpp"

namespace tessera {

/// A column of a table: "1PB(1024)" is a descriptor (count and offset) of bytes in the heap.
struct FitsColumn {
  std::string name, form;
  long long offset = 0, bytes = 0;  ///< in a row
  char heap_type = 0;               ///< 'B', 'I' …; 0 for data in the row itself
  bool wide = false;                ///< descriptor of 64 bits ('Q')
};

/// How an image is cut into tiles.
struct FitsTiling {
  std::vector<long long> axes, tile;  ///< pixels along each axis

  long long tiles(size_t axis) const { return (axes[axis] - 1) / tile[axis] + 1; }
  /// Pixels of the tile in a row of the table, from 0; tiles at the end of an axis are smaller.
  long long pixels(long long row) const;
};

/// How RICE_1 codes pixels: the pixels of a block, and the bytes of a sample.
struct FitsRice {
  long long block = 32, bytes = 4;
};

struct FitsTileTable {
  FitsTiling tiling;
  std::string method;  ///< "RICE_1"
  int bitpix = 0;      ///< ZBITPIX
  /// Floats are stored as integers, to be scaled; cfitsio decides this by the same rule.
  bool quantised = false;
  FitsRice rice;
  std::vector<FitsColumn> columns;
  long long row_bytes = 0, rows = 0, heap_offset = 0, heap_bytes = 0;
};

/// Throws Error(input) if the table contradicts the image or exceeds the limits.
FitsTileTable check_tile_table(const std::string& path, const FitsHdu& hdu, const FitsImage& image,
                               const ReadLimits& limits);

/// An empty primary HDU and the table, with a new header made from the checked values.
struct FitsTileCopy {
  File file;
  long long data_offset = 0;  ///< of the table's rows
  /// One entry per row: tiles that are missing or wrong. All rows past the end count as missing.
  std::vector<bool> missing;
  std::string problem;  ///< of the first missing tile

  bool lacks(long long row) const {
    return row >= std::ssize(missing) || missing[static_cast<size_t>(row)];
  }
};

FitsTileCopy copy_tile_table(FitsBytes& bytes, const FitsHdu& hdu, const FitsTileTable& table);

/// Where a tile lies in a file.
struct FitsTileBytes {
  const File& file;
  long long offset = 0, count = 0;
};

/// Where the data of a tile lie in the heap.
struct FitsDescriptor {
  long long count = 0, offset = 0;
};
FitsDescriptor load_descriptor(const FitsColumn& column, const unsigned char* cell);

/// "" or what is wrong with a tile; `needed` becomes the number of bytes that its decoder may read,
/// which it does not count itself.
std::string check_tile(const std::string& method, long long pixels, const FitsTileBytes& bytes,
                       long long& needed);

/// "" or what is wrong with the data of a tile, which is read to its end. Must be called before
/// cfitsio, which loops for ever on gzip data without an end, reads past data that is cut short or
/// too short for its type, and leaves the pixels of an empty tile as it finds them in memory.
std::string check_tile_data(const FitsTileTable& table, const FitsTileCopy& copy, long long row);

/// Whether the HCOMPRESS data of an image of that size ends within `data`.
bool hcompress_ends(std::span<const unsigned char> bytes, int width, int height);

/// Whether the RICE data of `pixels` pixels ends where `data` does.
bool rice_ends(std::span<const unsigned char> bytes, long long pixels, const FitsRice& rice);

/// Cards of the copy's table, with `heap_bytes` after the rows.
std::vector<std::string> tile_table_cards(const FitsHdu& hdu, const FitsTileTable& table,
                                          long long heap_bytes);

}  // namespace tessera
