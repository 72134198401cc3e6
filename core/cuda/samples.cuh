// SPDX-License-Identifier: Apache-2.0
// Samples out of a kernel: the conversions of core/samples-inl.hpp.
#pragma once

namespace tessera {

__device__ inline float to_nearest(float v) { return rintf(v); }
__device__ inline double to_nearest(double v) { return rint(v); }

/// Integers are rounded to nearest even and saturated, NaN becoming 0.
template <class Out, class T>
__device__ inline Out converted(T value) {
  if constexpr (sizeof(Out) <= 2) {
    constexpr T kMost = static_cast<T>(static_cast<Out>(-1));
    const T above = value > T(0) ? value : T(0);
    return static_cast<Out>(to_nearest(above < kMost ? above : kMost));
  } else {
    return static_cast<Out>(value);
  }
}

}  // namespace tessera
