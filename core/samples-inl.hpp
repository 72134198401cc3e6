// SPDX-License-Identifier: Apache-2.0
// Converts rows to and from the sums' type, for operations that work on padded rows. Included once
// per SIMD target (after foreach_target), so that conversions use its instructions.
#if defined(TESSERA_SAMPLES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SAMPLES_INL
#undef TESSERA_SAMPLES_INL
#else
#define TESSERA_SAMPLES_INL
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstring>
#include <type_traits>

#include "tessera/border.hpp"
#include "tessera/view.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// Copies `count` pixels from column `first` on, which may lie outside the row, as sums' type.
/// `row` null: the row itself lies outside. Pixels without a value from the border are `outside`.
template <class T, class In>
void load_padded(const In* row, long long pixel, int width, int channels, Border border, T outside,
                 int first, int count, T* to) {
  const auto fill = [&](int from, int end) {  // columns outside the row
    for (int x = from; x < end; ++x) {
      const int column = row ? border_index(x, width, border) : kNoPixel;
      T* target = to + static_cast<long long>(x - first) * channels;
      for (int c = 0; c < channels; ++c)
        target[c] = column == kNoPixel ? outside : static_cast<T>(row[column * pixel + c]);
    }
  };
  const int end = first + count;
  if (!row) return fill(first, end);
  const int inside = HWY_MIN(HWY_MAX(first, 0), end), beyond = HWY_MAX(HWY_MIN(end, width), inside);
  fill(first, inside);
  T* target = to + static_cast<long long>(inside - first) * channels;
  const In* source = row + inside * pixel;
  if (pixel == channels) {
    const long long samples = static_cast<long long>(beyond - inside) * channels;
    if constexpr (std::is_same_v<T, In>)
      std::memcpy(target, source, static_cast<std::size_t>(samples) * sizeof(T));
    else
      for (long long k = 0; k < samples; ++k) target[k] = static_cast<T>(source[k]);
  } else {
    for (int x = inside; x < beyond; ++x, target += channels, source += pixel)
      for (int c = 0; c < channels; ++c) target[c] = static_cast<T>(source[c]);
  }
  fill(beyond, end);
}

/// Integers are rounded to nearest even and saturated, NaN becoming 0.
template <class Out, class T>
HWY_INLINE Out converted(T value) {
  if constexpr (std::is_integral_v<Out>) {
    constexpr T kMost = static_cast<T>(static_cast<Out>(-1));
    const T above = value > T{0} ? value : T{0};  // false for NaN
    return static_cast<Out>(std::nearbyint(above < kMost ? above : kMost));
  } else {
    return static_cast<Out>(value);
  }
}

/// Writes `count` pixels of sums to a row of any type and step.
template <class Out, class T>
void store_samples(const T* from, int count, int channels, Out* to, long long pixel) {
  if (pixel == channels) {
    const long long samples = static_cast<long long>(count) * channels;
    for (long long k = 0; k < samples; ++k) to[k] = converted<Out>(from[k]);
  } else {
    for (int x = 0; x < count; ++x, from += channels, to += pixel)
      for (int c = 0; c < channels; ++c) to[c] = converted<Out>(from[c]);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
