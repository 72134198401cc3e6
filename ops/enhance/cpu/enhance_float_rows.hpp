// SPDX-License-Identifier: Apache-2.0
/// Rows of f32 and f64 images: packed samples in, packed samples out, serial.
#pragma once

#include <array>

#include "ops/enhance/enhance_floats.hpp"

namespace tessera {

template <class T>
struct FloatRows {
  /// 3 or 4 channels become 1 or 2; weights over 2^16.
  void (*grey)(const std::array<int, 3>& weights, int channels, const T* in, long long pixels,
               T* out);
  void (*stretch)(const FloatStretch&, const T* in, long long samples, T* out);
};

/// For this CPU's best (or the forced) SIMD target.
template <class T>
FloatRows<T> float_rows();

}  // namespace tessera
