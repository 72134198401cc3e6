// SPDX-License-Identifier: Apache-2.0
// The rows of a block with their borders, and its results. Included once per SIMD target (after
// foreach_target).
#if defined(TESSERA_RANK_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_RANK_ROWS_INL
#undef TESSERA_RANK_ROWS_INL
#else
#define TESSERA_RANK_ROWS_INL
#endif

#include <hwy/highway.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "core/samples-inl.hpp"
#include "ops/noise/rank/cpu/rank_block.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Samples of type In in the image, T in the block.
template <class In, class T>
struct RankRows {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;

  const RankBlock& b;
  const RankProblem& p = *b.problem;
  const int channels = p.image.size.channels;
  const long long samples = static_cast<long long>(b.columns) * channels;
  const bool direct = std::is_same_v<In, T> && b.out_pixel == channels && samples >= lanes();
  bool has_nan = false;

  explicit RankRows(const RankBlock& block) : b(block) {
    for (int k = 0; k < b.rows + p.height - 1; ++k) load(k);
  }

  static HWY_INLINE long long lanes() { return static_cast<long long>(hn::Lanes(D())); }
  T* row(int k) const { return static_cast<T*>(b.kept) + k * b.row_step; }

  /// Where the results of an output row go; `finish` brings them to the image.
  T* result(int k) const {
    if (!direct) return static_cast<T*>(b.made) + k * b.row_step;
    return reinterpret_cast<T*>(out_row(k));
  }
  void finish() const {
    if (direct) return;
    for (int k = 0; k < b.rows; ++k) {
      const T* from = result(k);
      In* to = out_row(k);
      for (int x = 0; x < b.columns; ++x, from += channels, to += b.out_pixel)
        for (int c = 0; c < channels; ++c) to[c] = static_cast<In>(from[c]);
    }
  }

  /// Calls at(x, whole) for groups of `step` samples that cover a row of results; the last overlaps
  /// the one before it, or is not whole if it is the only one.
  template <class At>
  HWY_INLINE void each_group(long long step, const At& at) const {
    const long long last = HWY_MAX(samples - step, 0LL);
    for (long long x = 0; x < samples; x += step) at(HWY_MIN(x, last), samples >= step);
  }

 private:
  In* out_row(int k) const {
    return reinterpret_cast<In*>(b.out) + k * b.out_row +
           static_cast<long long>(b.first_column) * b.out_pixel;
  }

  /// Pixels that do not count are NaN, or above all others (the number of those is known).
  T outside() const {
    if (p.border == Border::constant) return static_cast<T>(p.constant);
    if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::quiet_NaN();
    return std::numeric_limits<T>::max();
  }

  void load(int k) {
    const In* from = reinterpret_cast<const In*>(b.in_rows[k]);
    const int first = b.first_column - p.anchor.x, end = first + b.columns + p.width - 1;
    if (!std::is_floating_point_v<T> || !from || b.in_pixel != channels) {
      load_columns(from, first, end, first, row(k));
      if (std::is_floating_point_v<T>) copy_numbers(row(k), (end - first) * channels, row(k));
      return;
    }
    const int inside = HWY_MIN(HWY_MAX(first, 0), end);
    const int beyond = HWY_MAX(HWY_MIN(end, p.image.size.width), inside);
    T* const to = row(k) + static_cast<long long>(inside - first) * channels;
    load_columns(from, first, inside, first, row(k));
    copy_numbers(from + static_cast<long long>(inside) * channels, (beyond - inside) * channels,
                 to);
    load_columns(from, beyond, end, first, row(k));
    // Columns outside are copies of others or a constant; only that may be NaN or -0.
    copy_numbers(row(k), (inside - first) * channels, row(k));
    T* const right = row(k) + static_cast<long long>(beyond - first) * channels;
    copy_numbers(right, (end - beyond) * channels, right);
  }

  /// Columns [from, end) of a row that begins with column `first`.
  void load_columns(const In* row, int from, int end, int first, T* to) const {
    if (from < end)
      load_padded<T, In>(row, b.in_pixel, p.image.size.width, channels, p.border, outside(), from,
                         end - from, to + static_cast<long long>(from - first) * channels);
  }

  /// Copies floats, -0 as +0, and notes whether there is a NaN.
  template <class From>
  void copy_numbers(const From* from, int count, T* to) {
    if constexpr (std::is_floating_point_v<T>) {
      const D d;
      const V zero = hn::Zero(d);
      auto nan = hn::IsNaN(zero);
      int x = 0;
      for (; x + lanes() <= count; x += static_cast<int>(lanes())) {
        const V v = hn::LoadU(d, from + x);
        nan = hn::Or(nan, hn::IsNaN(v));
        hn::StoreU(hn::Add(v, zero), d, to + x);
      }
      has_nan |= !hn::AllFalse(d, nan);
      for (; x < count; ++x) {
        has_nan |= std::isnan(from[x]);
        to[x] = from[x] + T{0};
      }
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
