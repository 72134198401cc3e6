// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the direct method, once a SIMD target. Lanes are outputs, and every output adds
// its weights row by row with one FMA each: blocking never changes a bit.
//
// A tile of output rows by vectors of sums stays in registers while the input rows pass: each
// vector of pixels is loaded once for all output rows that it belongs to, with their weights side
// by side. The first and last input rows belong to some of the output rows only (no zero weights:
// 0 * NaN would spoil the others).
#include "ops/convolve/convolve_direct_cpu.hpp"
#include "ops/convolve/parts/inside_share.cuh"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/convolve/convolve_direct_simd.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>

#include "core/samples-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int kRows = kDirectRows;
// 4 x 6 sums, 6 vectors of pixels and the weights fill the 32 registers of NEON and AVX-512; AVX2
// has
// 16. Six vectors rather than four: 3x3 from 63 to 66% of peak, 7x7 from 85 to 87% (Neoverse N1).
constexpr int kVectors = HWY_ARCH_X86 && HWY_TARGET >= HWY_AVX2 ? 3 : 6;

/// The weights of one step, one for each output row. NEON multiplies by a lane of a vector, so a
/// step costs one load of weights; elsewhere a weight is broadcast as it is loaded.
template <class D>
struct StepWeights {
  using T = hn::TFromD<D>;
#if HWY_TARGET == HWY_NEON
  static constexpr int kLanes = 16 / sizeof(T);
  hn::Vec<D> packed[kRows / kLanes];
  HWY_INLINE StepWeights() {}  // written out, as implicit ones are compiled for no target
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

template <class D, int V>
struct Tile {
  using T = hn::TFromD<D>;
  hn::Vec<D> sum[kRows][V];

  HWY_INLINE Tile() {}  // written out, as implicit ones are compiled for no target
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
      StepWeights<D> weights;
      weights.load(d, weight);
      if constexpr (K0 <= 0 && 0 < K1) add<0>(d, weights, pixels);
      if constexpr (K0 <= 1 && 1 < K1) add<1>(d, weights, pixels);
      if constexpr (K0 <= 2 && 2 < K1) add<2>(d, weights, pixels);
      if constexpr (K0 <= 3 && 3 < K1) add<3>(d, weights, pixels);
    }
  }
};

/// The samples of one row group: input rows, output rows, and what is common to its tiles.
template <class T>
struct RowGroup {
  const T* const* in;  ///< count + filter_height - 1 rows
  T* out;              ///< sums of row 0
  long long out_step;
  int count;  ///< output rows, at most kRows
  const T* weights;
  int filter_width, filter_height;
  long long pixel_step;
  T scale;
  const unsigned char* ahead[kRows];  ///< where the next group's new pixels lie, or null
  long long ahead_step;               ///< bytes a sample
};

/// Asks for the next group's pixels while this one's are summed: few rows are read at a time, which
/// the CPU's own prefetching does not keep up with (3x3: 22 against 19 ms).
template <class T>
HWY_INLINE void prefetch_ahead(const RowGroup<T>& g, long long x, long long samples) {
  for (int k = 0; k < kRows; ++k)
    for (long long byte = x * g.ahead_step; byte < (x + samples) * g.ahead_step; byte += 64)
      __builtin_prefetch(g.ahead[k] + byte, 0, 2);
}

/// The input rows of kRows output rows: kHeight is the filter's height, 0 when it is kRows or more.
/// (Widths known when compiling made g++ 12 move and spill sums: 7x7 fell from 82% of peak to 65%.)
template <int kHeight, class D, int V, class T>
struct TileRows {
  const RowGroup<T>& g;
  Tile<D, V>& tile;
  const long long x, step;
  const int width, rows;

  template <int K0, int K1>
  HWY_INLINE void add(int r) {
    const D d;
    tile.template add_row<K0, K1>(
        d, g.in[r] + x, g.weights + static_cast<long long>(r) * width * kRows, width, step);
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
  TileRows<kHeight, hn::ScalableTag<T>, V, T>{
      g, tile, x, g.pixel_step, g.filter_width, kRows + g.filter_height - 1}
      .add_all();
  store_tile(d, tile, g.scale, kRows, out, out_step);
}

/// The same for fewer rows, the last of an image.
template <int V, class T>
HWY_NOINLINE void sum_short_tile(const RowGroup<T>& g, long long x, T* out, long long out_step) {
  const hn::ScalableTag<T> d;
  Tile<hn::ScalableTag<T>, V> tile;
  tile.clear(d);
  const T* weight = g.weights;
  for (int r = 0; r < g.count + g.filter_height - 1; ++r, weight += g.filter_width * kRows) {
    const T* pixel = g.in[r] + x;
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
  store_tile(d, tile, g.scale, g.count, out, out_step);
}

/// The columns that are no whole vector: through memory, so that nothing past them is written.
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
  const RowGroup<T> g = group;  // a copy: the sums that are stored could be the original
  const long long lanes = static_cast<long long>(hn::Lanes(hn::ScalableTag<T>()));
  long long x = 0;
  if (g.count == kRows) {
    for (; x + kVectors * lanes <= samples; x += kVectors * lanes) {
      if (g.ahead_step) prefetch_ahead(g, x, kVectors * lanes);
      sum_tile<kVectors, kHeight>(g, x, g.out + x, g.out_step);
    }
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

/// Border inside: edge pixels are multiplied by their share. Elsewhere the share is exactly 1.
template <class T>
void apply_inside(const DirectBlock& b, int y, T* sums) {
  const ConvolveProblem& p = *b.problem;
  for (int x = 0; x < b.columns; ++x) {
    const double share =
        inside_share(b.prefix, p.filter_width, p.filter_height, b.first_column + x - p.anchor.x,
                     y - p.anchor.y, p.image.size.width, p.image.size.height);
    if (share == 1.0) continue;
    for (int c = 0; c < p.image.size.channels; ++c)
      sums[x * p.image.size.channels + c] *= static_cast<T>(share);
  }
}

/// Copies rows [from, to) of the block's pixels, borders included, to their places in the ring.
template <class In, class T>
void load_rows(const DirectBlock& b, int from, int to) {
  const ConvolveProblem& p = *b.problem;
  const T outside = p.border == Border::constant ? static_cast<T>(p.constant) : T{0};
  for (int r = from; r < to; ++r)
    load_padded(reinterpret_cast<const In*>(b.in_rows[r]), b.in_pixel, p.image.size.width,
                p.image.size.channels, p.border, outside, b.first_column - p.anchor.x,
                b.columns + p.filter_width - 1,
                const_cast<T*>(static_cast<const T*>(b.row_starts[r])));
}

/// Where the rows after `end` lie, if the image has them side by side.
template <class In, class T>
void look_ahead(const DirectBlock& b, int end, RowGroup<T>& g) {
  const ConvolveProblem& p = *b.problem;
  const int channels = p.image.size.channels;
  if (b.in_pixel != channels || end + kRows > b.rows + p.filter_height - 1) return;
  for (int k = 0; k < kRows; ++k) {
    const unsigned char* row = b.in_rows[end + k];
    if (!row) return;
    g.ahead[k] = row + sizeof(In) * channels * HWY_MAX(0, b.first_column - p.anchor.x);
  }
  g.ahead_step = sizeof(In);
}

template <class In, class T, class Out>
void sum_and_store(const DirectBlock& b) {
  const ConvolveProblem& p = *b.problem;
  const int channels = p.image.size.channels;
  const long long samples = static_cast<long long>(b.columns) * channels;
  const bool straight = std::is_same_v<T, Out> && b.out_pixel == channels && !b.prefix;
  const T* const* in = reinterpret_cast<const T* const*>(b.row_starts);
  int loaded = 0;
  for (int first = 0; first < b.rows; first += kRows) {
    Out* out = reinterpret_cast<Out*>(b.out) + first * b.out_row + b.first_column * b.out_pixel;
    const int count = HWY_MIN(kRows, b.rows - first), end = first + count + p.filter_height - 1;
    load_rows<In, T>(b, loaded, end);
    loaded = end;
    RowGroup<T> g{in + first,
                  straight ? reinterpret_cast<T*>(out) : static_cast<T*>(b.sums),
                  straight ? b.out_row : b.sums_step,
                  count,
                  static_cast<const T*>(b.weights),
                  p.filter_width,
                  p.filter_height,
                  channels,
                  static_cast<T>(p.scale),
                  {},
                  0};
    look_ahead<In>(b, end, g);
    sum_group(g, samples);
    for (int r = 0; !straight && r < g.count; ++r) {
      T* row = g.out + r * g.out_step;
      if (b.prefix) apply_inside(b, b.out_first_row + first + r, row);
      store_samples(row, b.columns, channels, out + r * b.out_row, b.out_pixel);
    }
  }
}

template <class In, class T>
void direct_block_from(const DirectBlock& b) {
  if (b.problem->output.type == Type::f32) return sum_and_store<In, T, float>(b);
  if (b.problem->output.type == Type::f64) return sum_and_store<In, T, double>(b);
  return sum_and_store<In, T, In>(b);
}

template <class T>
void direct_block(const DirectBlock& b) {
  switch (b.problem->image.type) {
    case Type::u8:
      return direct_block_from<unsigned char, T>(b);
    case Type::u16:
      return direct_block_from<unsigned short, T>(b);
    case Type::f32:
      return direct_block_from<float, T>(b);
    default:
      return direct_block_from<double, T>(b);
  }
}

void direct_block_f32(const DirectBlock& b) { direct_block<float>(b); }
void direct_block_f64(const DirectBlock& b) { direct_block<double>(b); }

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera {
HWY_EXPORT(direct_block_f32);
HWY_EXPORT(direct_block_f64);

DirectBlockFunction direct_block_function(const ConvolveProblem& problem) {
  return problem.sums == Type::f64 ? HWY_DYNAMIC_DISPATCH(direct_block_f64)
                                   : HWY_DYNAMIC_DISPATCH(direct_block_f32);
}
}  // namespace tessera
#endif
