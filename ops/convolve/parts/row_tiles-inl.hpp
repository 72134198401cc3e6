// SPDX-License-Identifier: Apache-2.0
// Sums of filtered rows, in tiles that stay in registers. Included once per SIMD target.
//
// Lanes are outputs, and every output adds its weights row by row with one FMA each: blocking never
// changes a bit. A tile of output rows by vectors of sums stays in registers while the input rows
// pass: each vector of pixels is loaded once for all output rows that it belongs to, with their
// weights side by side. The first and last input rows belong only to some of the output rows (they
// are not padded with zero weights: 0 * NaN would spoil the other rows).
#if defined(TESSERA_ROW_TILES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_ROW_TILES_INL
#undef TESSERA_ROW_TILES_INL
#else
#define TESSERA_ROW_TILES_INL
#endif

#include <hwy/highway.h>

#include "ops/convolve/parts/packed_weights.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int kRows = kTileRows;
// 4 x 6 sums, 6 vectors of pixels and the weights fill the 32 registers of NEON and AVX-512; AVX2
// has
// 16. Six vectors rather than four: 3x3 from 63 to 66% of peak, 7x7 from 85 to 87% (Neoverse N1).
constexpr int kVectors = HWY_ARCH_X86 && HWY_TARGET >= HWY_AVX2 ? 3 : 6;
// For what a row of tiles leaves: one vector alone would wait for each of its own sums.
constexpr int kFewVectors = (kVectors + 1) / 2;

/// The weights of one step, one for each output row. NEON multiplies by a lane of a vector, so a
/// step costs one load of weights; other targets broadcast each weight as they load it.
template <class D>
struct StepWeights {
  using T = hn::TFromD<D>;
#if HWY_TARGET == HWY_NEON
  static constexpr int kLanes = 16 / sizeof(T);
  hn::Vec<D> packed[kRows / kLanes];
  HWY_INLINE StepWeights() {}  // written out: implicit ones are compiled for no target
  HWY_INLINE void load(D d, const T* from) {
    for (int q = 0; q < kRows / kLanes; ++q) packed[q] = hn::LoadU(d, from + q * kLanes);
  }
  template <int kRow>
  HWY_INLINE hn::Vec<D> get(D) const {
    return hn::Broadcast<kRow % kLanes>(packed[kRow / kLanes]);
  }
#else
  const T* packed;
  HWY_INLINE void load(D, const T* from) { packed = from; }
  template <int kRow>
  HWY_INLINE hn::Vec<D> get(D d) const {
    return hn::Set(d, packed[kRow]);
  }
#endif
};

/// Without this g++ loads pixels again as an operand of every multiply-add, and a load across cache
/// lines takes as long as two (7x7 of 256x256 u8: 0.125 ms, with it 0.108; Xeon with AVX-512).
template <class Vector, int V>
HWY_INLINE void keep_loaded([[maybe_unused]] Vector (&vectors)[V]) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  for (int v = 0; v < V; ++v) asm("" : "+v"(vectors[v].raw));
#endif
}

template <class D, int V>
struct Tile {
  using T = hn::TFromD<D>;
  hn::Vec<D> sum[kRows][V];

  HWY_INLINE Tile() {}  // written out: implicit ones are compiled for no target
  HWY_INLINE void clear(D d) {
    for (int k = 0; k < kRows; ++k)
      for (int v = 0; v < V; ++v) sum[k][v] = hn::Zero(d);
  }
  template <int K>
  HWY_INLINE void add(D d, const StepWeights<D>& weights, const hn::Vec<D> (&pixels)[V]) {
    const auto weight = weights.template get<K>(d);
    for (int v = 0; v < V; ++v) sum[K][v] = hn::MulAdd(weight, pixels[v], sum[K][v]);
  }
  /// One input row: its pixels times the weights of output rows [K0, K1).
  template <int K0, int K1>
  HWY_INLINE void add_row(D d, const T* HWY_RESTRICT pixel, const T* HWY_RESTRICT weight,
                          int filter_width, long long step) {
    const long long lanes = static_cast<long long>(hn::Lanes(d));
    for (int i = 0; i < filter_width; ++i, pixel += step, weight += kRows) {
      hn::Vec<D> pixels[V];
      for (int v = 0; v < V; ++v) pixels[v] = hn::LoadU(d, pixel + v * lanes);
      if constexpr (K1 - K0 > 1) keep_loaded(pixels);
      StepWeights<D> weights;
      weights.load(d, weight);
      if constexpr (K0 <= 0 && 0 < K1) add<0>(d, weights, pixels);
      if constexpr (K0 <= 1 && 1 < K1) add<1>(d, weights, pixels);
      if constexpr (K0 <= 2 && 2 < K1) add<2>(d, weights, pixels);
      if constexpr (K0 <= 3 && 3 < K1) add<3>(d, weights, pixels);
    }
  }
};

/// The samples of one row group: input rows, output rows, and what its tiles share.
template <class T>
struct RowGroup {
  const T* const* in;  ///< count + filter_height - 1 rows for each term
  T* out;              ///< sums of row 0
  long long out_step;
  int count;         ///< output rows, at most kRows
  const T* weights;  ///< pack_weights() for each term
  int filter_width, filter_height;
  long long pixel_step;
  T scale;
  const unsigned char* ahead[kRows];  ///< where the next group's new pixels are, or null
  long long ahead_step;               ///< bytes per sample
  int terms;                          ///< filters whose results are added, each with its own input
  long long in_term, weights_term;    ///< distances in `in` and `weights` from term to term
};

/// Prefetches the next group's pixels while this one is summed: few rows are read at a time, and
/// the hardware prefetcher does not keep up with that (3x3: 22 ms without, 19 ms with).
template <class T>
HWY_INLINE void prefetch_ahead(const RowGroup<T>& g, long long x, long long samples) {
  for (int k = 0; k < kRows; ++k)
    for (long long byte = x * g.ahead_step; byte < (x + samples) * g.ahead_step; byte += 64)
      __builtin_prefetch(g.ahead[k] + byte, 0, 2);
}

/// The input rows of kRows output rows: kHeight is the filter's height, 0 when it is kRows or more.
/// (Widths known at compile time made g++ 12 move and spill sums: 7x7 fell from 82% of peak to
/// 65%.)
template <int kHeight, class D, int V, class T>
struct TileRows {
  const T* const* in;
  const T* weights;
  Tile<D, V>& tile;
  const long long x, step;
  const int width, rows;

  template <int K0, int K1>
  HWY_INLINE void add(int r) {
    const D d;
    tile.template add_row<K0, K1>(d, in[r] + x, weights + static_cast<long long>(r) * width * kRows,
                                  width, step);
  }
  template <int r>
  HWY_INLINE void add_low_rows() {
    if constexpr (r < kRows + kHeight - 1) {
      add<HWY_MAX(0, r - kHeight + 1), HWY_MIN(kRows, r + 1)>(r);
      add_low_rows<r + 1>();
    }
  }
  HWY_INLINE void add_all() {
    if constexpr (kHeight > 0) {
      add_low_rows<0>();
    } else {
      add<0, 1>(0);
      add<0, 2>(1);
      add<0, 3>(2);
      for (int r = 3; r < rows - 3; ++r) add<0, 4>(r);
      add<1, 4>(rows - 3);
      add<2, 4>(rows - 2);
      add<3, 4>(rows - 1);
    }
  }
};

template <class D, int V, class T>
HWY_INLINE void store_tile(D d, Tile<D, V>& tile, T scale_factor, int count, T* out,
                           long long out_step) {
  const long long lanes = static_cast<long long>(hn::Lanes(d));
  if (scale_factor != T{1}) {
    const auto scale = hn::Set(d, scale_factor);
    for (int k = 0; k < kRows; ++k)
      for (int v = 0; v < V; ++v) tile.sum[k][v] = hn::Mul(scale, tile.sum[k][v]);
  }
  for (int k = 0; k < kRows; ++k) {
    if (k == count) return;
    for (int v = 0; v < V; ++v) hn::StoreU(tile.sum[k][v], d, out + k * out_step + v * lanes);
  }
}

/// Sums of kRows rows by `V` vectors, from sample x on.
template <int V, int kHeight, class T>
HWY_INLINE void sum_tile(const RowGroup<T>& g, long long x, T* out, long long out_step) {
  const hn::ScalableTag<T> d;
  Tile<hn::ScalableTag<T>, V> tile;
  tile.clear(d);
  for (int t = 0; t < g.terms; ++t)
    TileRows<kHeight, hn::ScalableTag<T>, V, T>{
        g.in + t * g.in_term, g.weights + t * g.weights_term, tile, x, g.pixel_step,
        g.filter_width,       kRows + g.filter_height - 1}
        .add_all();
  store_tile(d, tile, g.scale, kRows, out, out_step);
}

template <class D, int V, class T>
HWY_INLINE void add_short_rows(D d, Tile<D, V>& tile, const RowGroup<T>& g, const T* const* in,
                               const T* weight, long long x) {
  for (int r = 0; r < g.count + g.filter_height - 1; ++r, weight += g.filter_width * kRows) {
    const T* pixel = in[r] + x;
    const int from = HWY_MAX(0, r - g.filter_height + 1), to = HWY_MIN(g.count, r + 1);
    switch (from * 8 + to) {
#define TESSERA_ROWS(k0, k1)                                                       \
  case k0 * 8 + k1:                                                                \
    tile.template add_row<k0, k1>(d, pixel, weight, g.filter_width, g.pixel_step); \
    break;
      TESSERA_ROWS(0, 3)
      TESSERA_ROWS(0, 2)
      TESSERA_ROWS(0, 1)
      TESSERA_ROWS(1, 3)
      TESSERA_ROWS(1, 2)
      TESSERA_ROWS(2, 3)
#undef TESSERA_ROWS
    }
  }
}

/// The same for fewer rows, the last of an image.
template <int V, class T>
HWY_NOINLINE void sum_short_tile(const RowGroup<T>& g, long long x, T* out, long long out_step) {
  const hn::ScalableTag<T> d;
  Tile<hn::ScalableTag<T>, V> tile;
  tile.clear(d);
  for (int t = 0; t < g.terms; ++t)
    add_short_rows(d, tile, g, g.in + t * g.in_term, g.weights + t * g.weights_term, x);
  store_tile(d, tile, g.scale, g.count, out, out_step);
}

/// The columns that do not fill a whole vector: through memory, so that nothing past them is
/// written.
template <int kHeight, class T>
HWY_NOINLINE void sum_last(const RowGroup<T>& g, long long x, long long samples) {
  constexpr long long kMost = HWY_MAX_BYTES / sizeof(T);
  T sums[kRows * kMost];
  if (g.count < kRows)
    sum_short_tile<1>(g, x, sums, kMost);
  else
    sum_tile<1, kHeight>(g, x, sums, kMost);
  for (int k = 0; k < g.count; ++k)
    for (long long s = 0; s < samples; ++s) g.out[k * g.out_step + x + s] = sums[k * kMost + s];
}

template <int kHeight, class T>
void sum_rows(const RowGroup<T>& group, long long samples) {
  const RowGroup<T> g = group;  // a copy: stores of sums could alias the original
  const long long lanes = static_cast<long long>(hn::Lanes(hn::ScalableTag<T>()));
  long long x = 0;
  if (g.count == kRows) {
    for (; x + kVectors * lanes <= samples; x += kVectors * lanes) {
      if (g.ahead_step) prefetch_ahead(g, x, kVectors * lanes);
      sum_tile<kVectors, kHeight>(g, x, g.out + x, g.out_step);
    }
    for (; x + kFewVectors * lanes <= samples; x += kFewVectors * lanes)
      sum_tile<kFewVectors, kHeight>(g, x, g.out + x, g.out_step);
    for (; x + lanes <= samples; x += lanes) sum_tile<1, kHeight>(g, x, g.out + x, g.out_step);
  } else {
    for (; x + kVectors * lanes <= samples; x += kVectors * lanes)
      sum_short_tile<kVectors>(g, x, g.out + x, g.out_step);
    for (; x + lanes <= samples; x += lanes) sum_short_tile<1>(g, x, g.out + x, g.out_step);
  }
  if (x < samples) sum_last<kHeight>(g, x, samples - x);
}

template <class T>
void sum_group(const RowGroup<T>& g, long long samples) {
  switch (g.filter_height) {
    case 1:
      return sum_rows<1>(g, samples);
    case 2:
      return sum_rows<2>(g, samples);
    case 3:
      return sum_rows<3>(g, samples);
    default:
      return sum_rows<0>(g, samples);
  }
}

/// One row, to be filtered along x by N filters at once, so that one load of pixels serves all.
template <int N, class T>
struct RowAlong {
  const T* pixels;
  const T* weights[N];  ///< kRows - 1 numbers of slack each
  T* out[N];
  int width;
  long long step;
};

/// One step: pixels times lane K of each filter's weights.
template <int K, int N, int V, class D, class T>
HWY_INLINE void add_along(D d, const StepWeights<D> (&weights)[N], const T* pixel,
                          hn::Vec<D> (&sum)[N][V]) {
  const long long lanes = static_cast<long long>(hn::Lanes(d));
  for (int v = 0; v < V; ++v) {
    const auto pixels = hn::LoadU(d, pixel + v * lanes);
    for (int n = 0; n < N; ++n)
      sum[n][v] = hn::MulAdd(weights[n].template get<K>(d), pixels, sum[n][v]);
  }
}

/// `V` vectors from sample x on. kRows weights are loaded at a time.
template <int N, int V, class T>
HWY_INLINE void sum_along(const RowAlong<N, T>& row, long long x) {
  using D = hn::ScalableTag<T>;
  const D d;
  const long long lanes = static_cast<long long>(hn::Lanes(d)), step = row.step;
  StepWeights<D> weights[N];
  hn::Vec<D> sum[N][V];
  for (int n = 0; n < N; ++n)
    for (int v = 0; v < V; ++v) sum[n][v] = hn::Zero(d);
  const T* HWY_RESTRICT pixel = row.pixels + x;
  int i = 0;
  for (; i + kRows <= row.width; i += kRows, pixel += kRows * step) {
    for (int n = 0; n < N; ++n) weights[n].load(d, row.weights[n] + i);
    add_along<0>(d, weights, pixel, sum);
    add_along<1>(d, weights, pixel + step, sum);
    add_along<2>(d, weights, pixel + 2 * step, sum);
    add_along<3>(d, weights, pixel + 3 * step, sum);
  }
  for (; i < row.width; ++i, pixel += step) {
    for (int n = 0; n < N; ++n) weights[n].load(d, row.weights[n] + i);
    add_along<0>(d, weights, pixel, sum);
  }
  for (int n = 0; n < N; ++n)
    for (int v = 0; v < V; ++v) hn::StoreU(sum[n][v], d, row.out[n] + x + v * lanes);
}

/// `samples` sums, and up to a vector more, which are meaningless.
template <int N, class T>
void sum_row(const RowAlong<N, T>& given, long long samples) {
  constexpr int kLong = kVectors > 3 ? 8 : 8 / N;
  const RowAlong<N, T> row = given;  // a copy: stores of sums could alias the original
  const long long lanes = static_cast<long long>(hn::Lanes(hn::ScalableTag<T>()));
  long long x = 0;
  for (; x + kLong * lanes <= samples; x += kLong * lanes) sum_along<N, kLong>(row, x);
  for (; x < samples; x += lanes) sum_along<N, 1>(row, x);
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
