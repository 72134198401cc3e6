// SPDX-License-Identifier: Apache-2.0
/// How samples are stored in a TIFF, and how they become samples of a type Tessera has.
#pragma once

#include <optional>
#include <vector>

#include "tessera/view.hpp"

namespace tessera {

enum class TiffFormat : unsigned char { whole, with_sign, floating };

struct TiffCoding {
  int bits = 8;
  TiffFormat format = TiffFormat::whole;
  bool inverted = false;                ///< 0 is white
  std::vector<unsigned short> colours;  ///< of a palette: all reds, all greens, all blues
  Type colour_type = Type::u16;

  /// What the samples are read as: u8 for whole numbers of 1, 2, 4 (spread over all of u8) and 8
  /// bits, u16 for others up to 16; f32 and f64 where those keep every value. Nothing where none
  /// does.
  std::optional<Type> type() const;
  /// Makes the colours u8 where that loses nothing: every value is v * 257, or every one v << 8, or
  /// all are below 256.
  void narrow_colours();
  /// Whether the bytes of the file are the samples, but for their order.
  bool plain() const;
};

/// Turns `count` samples packed from the highest bit down into samples, three each with a palette.
/// `swapped`: those of two bytes and more are in the other byte order than this machine's.
void decode_tiff(const TiffCoding& coding, bool swapped, const unsigned char* stored,
                 unsigned char* samples, long long count);

}  // namespace tessera
