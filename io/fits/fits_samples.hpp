// SPDX-License-Identifier: Apache-2.0
/// The numbers of a FITS image and how they become samples.
#pragma once

#include <optional>

#include "tessera/view.hpp"

namespace tessera {

/// value = zero + scale * number; `blank` is the number that stands for a missing value.
struct FitsNumbers {
  int bitpix = 8;
  double scale = 1, zero = 0;
  std::optional<long long> blank;

  int bytes() const { return (bitpix < 0 ? -bitpix : bitpix) / 8; }
  bool scaled() const { return scale != 1 || zero != 0; }
  /// Integers stay integers if they are u8, or u16 as FITS stores it, less 32768. All others become
  /// floats that hold every number: f32 for 8 and 16 bits, f64 for more.
  Type type() const;
};

/// `raw` holds `count` numbers, in the file's byte order or, if `native`, in this machine's. Scaled
/// as in astropy: in the type of the samples, the factor first.
void decode_fits(const FitsNumbers& numbers, const unsigned char* raw, bool native,
                 unsigned char* samples, long long count);

/// The numbers that hold samples of a type.
FitsNumbers fits_numbers(Type type);

/// Samples to numbers in the file's byte order; `samples` are `step` samples apart.
void encode_fits(Type type, const unsigned char* samples, long long step, unsigned char* raw,
                 long long count);

}  // namespace tessera
