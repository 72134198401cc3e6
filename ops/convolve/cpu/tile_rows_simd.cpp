// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/cpu/inside_rows.hpp"
#include "ops/convolve/cpu/tile_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/convolve/cpu/tile_rows_simd.cpp"
#include <hwy/foreach_target.h>

#include <hwy/cache_control.h>

#include "core/samples-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

/// Rows lie pages apart, and the hardware prefetches only within a page: they are prefetched here.
constexpr int kRowsAhead = 4;

template <class In>
HWY_INLINE void ask_for_row(const TileInput& t, int row, int width) {
  if (row >= t.rows || !t.in_rows[row]) return;
  const int first = HWY_MAX(t.first_column, 0), end = HWY_MIN(t.first_column + t.columns, width);
  const In* pixels = reinterpret_cast<const In*>(t.in_rows[row]);
  constexpr int kLine = 64 / static_cast<int>(sizeof(In));
  for (int x = first; x < end; x += kLine) hwy::Prefetch(pixels + x * t.in_pixel);
}

template <class In, class T>
void load_tile(const ConvolveProblem& p, const TileInput& t) {
  const T outside = p.border == Border::constant ? static_cast<T>(p.constant) : T{0};
  for (int r = 0; r < t.tile_rows; ++r) {
    ask_for_row<In>(t, r + kRowsAhead, p.image.size.width);
    for (int part = 0; part < t.parts.count; ++part) {
      T* to = static_cast<T*>(t.tile) + r * t.tile_row + part * t.parts.samples;
      const int skipped = part * t.parts.columns;
      const int columns = r < t.rows ? HWY_MAX(0, HWY_MIN(t.columns - skipped, t.tile_columns)) : 0;
      if (columns > 0) {
        const In* row = reinterpret_cast<const In*>(t.in_rows[r]);
        load_padded(row ? row + t.channel : nullptr, t.in_pixel, p.image.size.width, 1, p.border,
                    outside, t.first_column + skipped, columns, to);
      }
      for (int x = columns; x < t.tile_columns; ++x) to[x] = 0;
    }
  }
}

template <class T, class Out>
void store_tile(const ConvolveProblem& p, const TileOutput& t) {
  for (int r = 0; r < t.rows; ++r)
    for (int part = 0; part < t.parts.count; ++part) {
      const int skipped = part * t.parts.columns;
      const int columns = HWY_MIN(t.columns - skipped, t.parts.columns);
      if (columns <= 0) break;
      T* from = static_cast<T*>(t.tile) + r * t.tile_row + part * t.parts.samples;
      if (t.prefix)
        apply_inside(p, t.prefix, t.first_row + r, t.first_column + skipped, columns, 1, from);
      store_samples(from, columns, 1,
                    reinterpret_cast<Out*>(t.out) + r * t.out_row + skipped * t.out_pixel,
                    t.out_pixel);
    }
}

template <class T>
void load_any(const ConvolveProblem& p, const TileInput& t) {
  switch (p.image.type) {
    case Type::u8:
      return load_tile<unsigned char, T>(p, t);
    case Type::u16:
      return load_tile<unsigned short, T>(p, t);
    case Type::f32:
      return load_tile<float, T>(p, t);
    default:
      return load_tile<double, T>(p, t);
  }
}
template <class T>
void store_any(const ConvolveProblem& p, const TileOutput& t) {
  switch (p.output.type) {
    case Type::u8:
      return store_tile<T, unsigned char>(p, t);
    case Type::u16:
      return store_tile<T, unsigned short>(p, t);
    case Type::i16:
      return store_tile<T, short>(p, t);
    case Type::f32:
      return store_tile<T, float>(p, t);
    default:
      return store_tile<T, double>(p, t);
  }
}

void load_tile_rows(const ConvolveProblem& p, const TileInput& t) {
  return p.sums == Type::f64 ? load_any<double>(p, t) : load_any<float>(p, t);
}
void store_tile_rows(const ConvolveProblem& p, const TileOutput& t) {
  return p.sums == Type::f64 ? store_any<double>(p, t) : store_any<float>(p, t);
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {
HWY_EXPORT(load_tile_rows);
HWY_EXPORT(store_tile_rows);

TileRows tile_rows() {
  return {HWY_DYNAMIC_DISPATCH(load_tile_rows), HWY_DYNAMIC_DISPATCH(store_tile_rows)};
}
}  // namespace tessera
#endif
