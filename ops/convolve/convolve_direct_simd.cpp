// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the direct method, once a SIMD target. Lanes are outputs, and every output adds
// its weights row by row with one FMA each: blocking never changes a bit.
#include "ops/convolve/convolve_direct_cpu.hpp"
#include "ops/convolve/inside_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/convolve/convolve_direct_simd.cpp"
#include <hwy/foreach_target.h>

#include "core/samples-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// 4 rows share each weight that is loaded. AVX2 has 16 registers: 4 x 2 accumulators leave room for
// the weight and the pixels; the others have 32.
constexpr int kRows = 4;
constexpr int kVectors = HWY_ARCH_X86 && HWY_TARGET >= HWY_AVX2 ? 2 : 4;

/// `R` rows by `V` vectors of sums, from sample x on.
template <int R, int V, class T>
HWY_INLINE void sum_tile(const DirectBlock& b, const T* padded, const T* weights, long long x,
                         T* sums) {
  const hn::ScalableTag<T> d;
  const long long lanes = static_cast<long long>(hn::Lanes(d));
  const int filter_width = b.problem->filter_width, filter_height = b.problem->filter_height;
  const int channels = b.problem->image.size.channels;
  hn::Vec<decltype(d)> sum[R][V];
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v) sum[r][v] = hn::Zero(d);
  for (int j = 0; j < filter_height; ++j)
    for (int i = 0; i < filter_width; ++i) {
      const auto weight = hn::Set(d, weights[static_cast<long long>(j) * filter_width + i]);
      const T* pixels = padded + j * b.padded_step + x + static_cast<long long>(i) * channels;
      for (int r = 0; r < R; ++r)
        for (int v = 0; v < V; ++v)
          sum[r][v] =
              hn::MulAdd(weight, hn::LoadU(d, pixels + r * b.padded_step + v * lanes), sum[r][v]);
    }
  const auto scale = hn::Set(d, static_cast<T>(b.problem->scale));
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v)
      hn::StoreU(hn::Mul(scale, sum[r][v]), d, sums + r * b.sums_step + x + v * lanes);
}

template <int R, class T>
void sum_rows(const DirectBlock& b, int first, T* sums) {
  const T* padded = static_cast<const T*>(b.padded) + first * b.padded_step;
  const T* weights = static_cast<const T*>(b.weights);
  const long long lanes = static_cast<long long>(hn::Lanes(hn::ScalableTag<T>()));
  const long long samples = static_cast<long long>(b.columns) * b.problem->image.size.channels;
  long long x = 0;
  for (; x + kVectors * lanes <= samples; x += kVectors * lanes)
    sum_tile<R, kVectors>(b, padded, weights, x, sums);
  for (; x < samples; x += lanes) sum_tile<R, 1>(b, padded, weights, x, sums);
}

template <class In, class T>
void load_rows(const DirectBlock& b) {
  const ConvolveProblem& p = *b.problem;
  const T outside = p.border == Border::constant ? static_cast<T>(p.constant) : T{0};
  for (int r = 0; r < b.rows + p.filter_height - 1; ++r)
    load_padded(reinterpret_cast<const In*>(b.in_rows[r]), b.in_pixel, p.image.size.width,
                p.image.size.channels, p.border, outside, b.first_column - p.anchor.x,
                b.columns + p.filter_width - 1, static_cast<T*>(b.padded) + r * b.padded_step);
}

template <class T, class Out>
void sum_and_store(const DirectBlock& b) {
  const int channels = b.problem->image.size.channels;
  T* sums = static_cast<T*>(b.sums);
  for (int first = 0; first < b.rows; first += kRows) {
    const int rows = HWY_MIN(kRows, b.rows - first);
    switch (rows) {
      case 4:
        sum_rows<4>(b, first, sums);
        break;
      case 3:
        sum_rows<3>(b, first, sums);
        break;
      case 2:
        sum_rows<2>(b, first, sums);
        break;
      default:
        sum_rows<1>(b, first, sums);
    }
    for (int r = 0; r < rows; ++r) {
      T* row = sums + r * b.sums_step;
      if (b.prefix)
        apply_inside(*b.problem, b.prefix, b.out_first_row + first + r, b.first_column, b.columns,
                     channels, row);
      Out* out =
          reinterpret_cast<Out*>(b.out) + (first + r) * b.out_row + b.first_column * b.out_pixel;
      store_samples(row, b.columns, channels, out, b.out_pixel);
    }
  }
}

template <class T>
void direct_block(const DirectBlock& b) {
  switch (b.problem->image.type) {
    case Type::u8:
      load_rows<unsigned char, T>(b);
      break;
    case Type::u16:
      load_rows<unsigned short, T>(b);
      break;
    case Type::f32:
      load_rows<float, T>(b);
      break;
    default:
      load_rows<double, T>(b);
  }
  switch (b.problem->output.type) {
    case Type::u8:
      return sum_and_store<T, unsigned char>(b);
    case Type::u16:
      return sum_and_store<T, unsigned short>(b);
    case Type::f32:
      return sum_and_store<T, float>(b);
    default:
      return sum_and_store<T, double>(b);
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
