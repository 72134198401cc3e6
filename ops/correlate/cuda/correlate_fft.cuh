// SPDX-License-Identifier: Apache-2.0
// Correlation by transforms of whole planes, zero-padded so that shifts do not wrap around.
//
// Two planes are the real and imaginary part of one. If all pairs are of a plane with itself,
// spectra are never written: a block transforms some columns and their mirror images of all packed
// planes, adds |Z|^2 of both (cross terms of the two planes are odd and cancel), and transforms the
// sum back at once; only the rows of wanted shifts are stored. Otherwise spectra are written, and
// products of the separated planes replace the powers. Sums are real, so half of the columns are
// enough, and two rows of a map are transformed back as the real and imaginary part of one.
#pragma once

#include "core/cuda/line_fft.cuh"
#include "ops/correlate/cuda/correlate_fft_args.cuh"

namespace tessera {

extern __shared__ __align__(16) unsigned char correlate_fft_memory[];

/// Values that a kernel compiled for any length takes from its arguments.
template <LineShape kShape>
__device__ inline LineShape shape_or(int length, int lines) {
  return kShape.length > 0 ? kShape : LineShape{length, lines};
}

__device__ inline const float2* values_at(const LineValue* v, long long at) {
  return reinterpret_cast<const float2*>(v) + at;
}

/// Rows of packed planes: group x, packed plane y, image (and source) z.
template <class In, LineShape kShape>
__device__ void correlate_rows(const CorrelateFftArgs& a) {
  const LineShape s = shape_or<kShape>(a.across, a.knobs.rows);
  const int sources = a.second + 1, image = static_cast<int>(blockIdx.z) / sources,
            source = static_cast<int>(blockIdx.z) % sources;
  const PackedPlanes planes = a.packed[blockIdx.y];
  const In* re = plane_of<In>(a, source, image, planes.re);
  const In* im = plane_of<In>(a, source, image, planes.im < 0 ? planes.re : planes.im);
  const float im_factor = planes.im < 0 ? 0 : a.in_factor;
  const long long row = a.sources[source].row, pixel = a.sources[source].pixel;
  const int top = static_cast<int>(blockIdx.x) * s.lines;
  const long long group = static_cast<long long>(blockIdx.z) * gridDim.y + blockIdx.y;
  float2* to = reinterpret_cast<float2*>(a.rows) + (group * a.height + top) * s.length;
  bool finite = true;
  fft_lines<kShape, false>(
      s, a.across_passes, a.across_turns, reinterpret_cast<float2*>(correlate_fft_memory),
      [&](int line, int first, int offset) -> float2 {
        if (first + offset >= a.width || top + line >= a.height) return {0, 0};
        const long long at = (top + line) * row + first * pixel + offset * pixel;
        const float2 v = {static_cast<float>(re[at]), static_cast<float>(im[at])};
        if constexpr (sizeof(In) >= 4) finite = finite && isfinite(v.x) && isfinite(v.y);
        return {a.in_factor * v.x, im_factor * v.y};
      },
      [&](int line, int first, int offset, float2 value) {
        if (top + line < a.height) to[line * s.length + first + offset] = value;
      });
  const int found = __syncthreads_or(!finite);
  if (threadIdx.x == 0) a.found[group * gridDim.x + blockIdx.x] = found;
}

/// Destination of transformed columns: rows of the wanted shifts of a map.
struct WantedRows {
  float2* to;
  int first, length, across, count;

  __device__ WantedRows(const CorrelateFftArgs& a)
      : to(reinterpret_cast<float2*>(a.half_rows) +
           (static_cast<long long>(blockIdx.z) * a.maps + blockIdx.y) * a.shifts_y * a.half_across),
        first(a.first_y),
        length(a.down),
        across(a.half_across),
        count(a.shifts_y) {}
  __device__ void put(int column, int n, float2 value) const {
    const int y = n - first >= length ? n - first - length : n - first;
    if (y < count && column < across) to[static_cast<long long>(y) * across + column] = value;
  }
};

/// Columns of a map made from planes with themselves: group x, map y, image z.
template <LineShape kForward, LineShape kInverse>
__device__ void correlate_powers(const CorrelateFftArgs& a) {
  const LineShape s = shape_or<kForward>(a.down, 2 * a.knobs.columns),
                  back = shape_or<kInverse>(a.down, a.knobs.columns);
  auto* memory = reinterpret_cast<float2*>(correlate_fft_memory);
  auto* powers = reinterpret_cast<float*>(memory + 2 * s.length * s.lines);
  const int left = static_cast<int>(blockIdx.x) * back.lines, pitch = powers_pitch(s);
  const int begin = a.packed_begin[blockIdx.y], end = a.packed_begin[blockIdx.y + 1];
  const long long plane_values = static_cast<long long>(a.height) * a.across;
  for (int packed = begin; packed < end; ++packed) {
    const float2* from = values_at(
        a.rows, (static_cast<long long>(blockIdx.z) * a.packed_count + packed) * plane_values);
    fft_lines<kForward, false>(
        s, a.down_passes, a.down_turns, memory,
        [&](int line, int first, int offset) -> float2 {
          int column = left + (line < back.lines ? line : line - back.lines);
          if (first + offset >= a.height || column >= a.half_across) return {0, 0};
          if (line >= back.lines && column > 0) column = a.across - column;
          return __ldg(from + (first * a.across + column + offset * a.across));
        },
        [&](int line, int first, int offset, float2 v) {
          float& power = powers[line * pitch + first + offset];
          power = __fmaf_rn(v.x, v.x, __fmaf_rn(v.y, v.y, packed == begin ? 0.0F : power));
        });
  }
  const WantedRows wanted(a);
  fft_lines<kInverse, true>(
      back, a.down_passes, a.down_turns, memory,
      [&](int line, int first, int offset) -> float2 {
        const int k = first + offset, mirrored = k == 0 ? 0 : s.length - k;
        return {powers[line * pitch + k] + powers[(line + back.lines) * pitch + mirrored], 0};
      },
      [&](int line, int first, int offset, float2 value) {
        wanted.put(left + line, first + offset, value);
      });
}

/// Columns of packed planes: group x, packed plane y, image (and source) z.
template <LineShape kShape>
__device__ void correlate_columns(const CorrelateFftArgs& a) {
  const LineShape s = shape_or<kShape>(a.down, 2 * a.knobs.columns);
  const int left = static_cast<int>(blockIdx.x) * s.lines;
  const long long group = static_cast<long long>(blockIdx.z) * gridDim.y + blockIdx.y;
  const float2* from = values_at(a.rows, group * a.height * a.across + left);
  float2* to = reinterpret_cast<float2*>(a.spectra) + group * a.down * a.across + left;
  fft_lines<kShape, false>(
      s, a.down_passes, a.down_turns, reinterpret_cast<float2*>(correlate_fft_memory),
      [&](int line, int first, int offset) -> float2 {
        if (first + offset >= a.height || left + line >= a.across) return {0, 0};
        return __ldg(from + (first * a.across + line + offset * a.across));
      },
      [&](int line, int first, int offset, float2 value) {
        if (left + line < a.across) to[first * a.across + line + offset * a.across] = value;
      });
}

/// Twice the value of one real plane at a frequency, from its packed spectrum there and at the
/// opposite frequency.
__device__ inline float2 separated(float2 here, float2 opposite, bool imaginary) {
  if (!imaginary) return {here.x + opposite.x, here.y - opposite.y};
  return {here.y + opposite.y, opposite.x - here.x};
}

/// Columns of a map from spectra: group x, map y, image z.
template <LineShape kShape>
__device__ void correlate_products(const CorrelateFftArgs& a) {
  const LineShape s = shape_or<kShape>(a.down, a.knobs.columns);
  const int left = static_cast<int>(blockIdx.x) * s.lines, sources = a.second + 1;
  const long long values = static_cast<long long>(a.down) * a.across;
  const float2* images[2];
  for (int k = 0; k < 2; ++k)
    images[k] = values_at(a.spectra,
                          (static_cast<long long>(blockIdx.z) * sources + (k == 1 ? a.second : 0)) *
                              a.packed_count * values);
  const WantedRows wanted(a);
  fft_lines<kShape, true>(
      s, a.down_passes, a.down_turns, reinterpret_cast<float2*>(correlate_fft_memory),
      [&](int line, int first, int offset) -> float2 {
        const int column = left + line, k = first + offset;
        float2 sum = {0, 0};
        if (column >= a.half_across) return sum;
        const long long here = static_cast<long long>(k) * a.across + column;
        const long long opposite = static_cast<long long>(k == 0 ? 0 : a.down - k) * a.across +
                                   (column == 0 ? 0 : a.across - column);
        for (int p = a.map_begin[blockIdx.y]; p < a.map_begin[blockIdx.y + 1]; ++p) {
          const CorrelatePair pair = a.pairs[p];
          const float2* one = images[0] + pair.first / 2 * values;
          const float2* two = images[1] + pair.second / 2 * values;
          const float2 v = separated(__ldg(one + here), __ldg(one + opposite), pair.first % 2 == 1);
          const float2 w =
              separated(__ldg(two + here), __ldg(two + opposite), pair.second % 2 == 1);
          sum = plus(sum, times_conjugate(v, w));
        }
        return sum;
      },
      [&](int line, int first, int offset, float2 value) {
        wanted.put(left + line, first + offset, value);
      });
}

/// Rows of a map, two at a time: group x, map y, image z.
template <LineShape kShape>
__device__ void correlate_results(const CorrelateFftArgs& a) {
  const LineShape s = shape_or<kShape>(a.across, a.knobs.result_rows);
  const int top = static_cast<int>(blockIdx.x) * s.lines;
  const int map = static_cast<int>(blockIdx.y), image = static_cast<int>(blockIdx.z);
  const float2* from = values_at(
      a.half_rows, (static_cast<long long>(image) * a.maps + map) * a.shifts_y * a.half_across);
  fft_lines<kShape, true>(
      s, a.across_passes, a.across_turns, reinterpret_cast<float2*>(correlate_fft_memory),
      [&](int line, int first, int offset) -> float2 {
        const int y = 2 * (top + line), k = first + offset;
        if (y >= a.shifts_y) return {0, 0};
        const bool mirrored = k >= a.half_across;
        const float2* at =
            from + static_cast<long long>(y) * a.half_across + (mirrored ? s.length - k : k);
        const float2 zero = {0, 0};
        float2 v = __ldg(at), w = y + 1 < a.shifts_y ? __ldg(at + a.half_across) : zero;
        if (mirrored) {
          v.y = -v.y;
          w.y = -w.y;
        }
        return {v.x - w.y, v.y + w.x};
      },
      [&](int line, int first, int offset, float2 value) {
        const int y = 2 * (top + line), n = first + offset;
        const int x = n - a.first_x >= s.length ? n - a.first_x - s.length : n - a.first_x;
        if (x >= a.shifts_x) return;
        if (y < a.shifts_y) store_sum(a, image, map, x, y, a.out_factor * value.x);
        if (y + 1 < a.shifts_y) store_sum(a, image, map, x, y + 1, a.out_factor * value.y);
      });
}

}  // namespace tessera
