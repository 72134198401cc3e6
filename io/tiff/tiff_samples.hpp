// SPDX-License-Identifier: Apache-2.0
/// How samples are stored in a TIFF, and how they become samples of a type of Tessera.
#pragma once

#include <optional>
#include <vector>

#include "tessera/view.hpp"

namespace tessera {

enum class TiffFormat : unsigned char { whole, with_sign, floating };

struct TiffCoding {
  int bits = 8;
  TiffFormat format = TiffFormat::whole;
  std::vector<unsigned short> colours;  ///< of a palette: all reds, all greens, all blues
  Type colour_type = Type::u16;

  /// The type of the samples once read: u8 for whole numbers of 1, 2, 4 (scaled to the range of u8)
  /// and 8 bits, u16 for others up to 16; f32 or f64 if that keeps every value. Nothing if no type
  /// does.
  std::optional<Type> type() const;
  /// Makes the colours u8 if that loses nothing: every value is v * 257, or every value is v << 8,
  /// or all are below 256.
  void narrow_colours();
  /// Whether the bytes of the file are the samples, except for the byte order.
  bool plain() const;
};

/// Unpacks `count` samples, stored from the highest bit down; with a palette, each becomes three.
/// `swapped`: samples of two or more bytes are not in this machine's byte order.
void decode_tiff(const TiffCoding& coding, bool swapped, const unsigned char* stored,
                 unsigned char* samples, long long count);

}  // namespace tessera
