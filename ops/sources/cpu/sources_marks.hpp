// SPDX-License-Identifier: Apache-2.0
/// The SIMD part of marking a row (sources_marks_simd.cpp).
#pragma once

#include <cstdint>

#include "tessera/view.hpp"

namespace tessera {

/// Values next to each other, all of one type.
struct SourceMarkRow {
  const void *image, *background, *rms;
  int width;
  double sign, grow;
  std::uint64_t* bits;  ///< (width + 63) / 64 words, all written
};

/// Returns the number of valid pixels.
using SourceMarkFunction = long long (*)(const SourceMarkRow&);
/// For rows of f32 or f64.
SourceMarkFunction source_mark_function(Type type);

}  // namespace tessera
