// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/inside_rows.hpp"
#include "ops/convolve/tile_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/convolve/tile_rows_simd.cpp"
#include <hwy/foreach_target.h>

#include "core/samples-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

template <class In, class T>
void load_tile(const ConvolveProblem& p, const TileInput& t) {
  const T outside = p.border == Border::constant ? static_cast<T>(p.constant) : T{0};
  for (int r = 0; r < t.tile_rows; ++r) {
    T* to = static_cast<T*>(t.tile) + r * t.tile_row;
    const int columns = r < t.rows ? t.columns : 0;
    if (columns > 0) {
      const In* row = reinterpret_cast<const In*>(t.in_rows[r]);
      load_padded(row ? row + t.channel : nullptr, t.in_pixel, p.image.size.width, 1, p.border,
                  outside, t.first_column, columns, to);
    }
    for (int x = columns; x < t.tile_columns; ++x) to[x] = 0;
  }
}

template <class T, class Out>
void store_tile(const ConvolveProblem& p, const TileOutput& t) {
  for (int r = 0; r < t.rows; ++r) {
    T* from = static_cast<T*>(t.tile) + r * t.tile_row;
    if (t.prefix) apply_inside(p, t.prefix, t.first_row + r, t.first_column, t.columns, 1, from);
    store_samples(from, t.columns, 1, reinterpret_cast<Out*>(t.out) + r * t.out_row, t.out_pixel);
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
