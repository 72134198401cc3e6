// SPDX-License-Identifier: Apache-2.0
/// Rows of colours that keep their hue while their maximum changes.
#pragma once

namespace tessera {

template <class T>
struct ValueRows {
  /// The largest of the first three of 3 or 4 channels; NaN if one of them is.
  void (*value)(const T* in, int channels, long long pixels, T* out);
  /// Channels c follow their value V to V' (`made`): integers (c V' + V div 2) div V, or V' if V is
  /// 0; floats c V' / V in double, or V' if V is not above 0. A fourth channel is copied.
  void (*follow)(const T* in, int channels, const T* value, const T* made, long long pixels,
                 T* out);
};

/// For this CPU's best (or the forced) SIMD target; u8, u16, float and double.
template <class T>
ValueRows<T> value_rows();

}  // namespace tessera
