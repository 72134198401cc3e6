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
#include <limits>
#include <type_traits>

#include "tessera/border.hpp"
#include "tessera/view.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// Columns [first, end), which lie outside the row, in the sums' type. `row` null: the row itself
/// lies outside. Pixels without a value from the border are `outside`.
template <class T, class In>
void load_outside(const In* row, long long pixel, int width, int channels, Border border, T outside,
                  int first, int end, T* to) {
  for (int x = first; x < end; ++x, to += channels) {
    const int column = row ? border_index(x, width, border) : kNoPixel;
    // Without this case g++ prepares a vector loop for every pixel, which takes 20 cycles.
    if (channels == 1)
      *to = column == kNoPixel ? outside : static_cast<T>(row[column * pixel]);
    else
      for (int c = 0; c < channels; ++c)
        to[c] = column == kNoPixel ? outside : static_cast<T>(row[column * pixel + c]);
  }
}

/// The same for `count` pixels from column `first` on, some of which may lie outside.
template <class T, class In>
void load_padded(const In* row, long long pixel, int width, int channels, Border border, T outside,
                 int first, int count, T* to) {
  const auto fill = [&](int from, int end) {
    load_outside(row, pixel, width, channels, border, outside, from, end,
                 to + static_cast<long long>(from - first) * channels);
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
    constexpr T kLeast = static_cast<T>(std::numeric_limits<Out>::min());
    constexpr T kMost = static_cast<T>(std::numeric_limits<Out>::max());
    if constexpr (std::is_signed_v<Out>) value = std::isnan(value) ? T{0} : value;
    const T above = value > kLeast ? value : kLeast;  // false for NaN
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
