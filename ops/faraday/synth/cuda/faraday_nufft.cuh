// SPDX-License-Identifier: Apache-2.0
// Rotation measure synthesis by NUFFT: a block takes neighbouring pixels from Q and U to their
// spectra without passing through device memory.
#pragma once

#include "core/cuda/async_copy.cuh"
#include "core/cuda/line_fft.cuh"
#include "ops/faraday/cuda/faraday_pixel.cuh"
#include "ops/faraday/synth/cuda/faraday_nufft_args.cuh"

namespace tessera {

/// Neighbouring threads are neighbouring pixels; further ones are channels, or groups of cells.
struct FaradayThread {
  unsigned lines, line, row, rows;

  __device__ explicit FaradayThread(unsigned lines_a_block)
      : lines(lines_a_block),
        line(threadIdx.x % lines_a_block),
        row(threadIdx.x / lines_a_block),
        rows(kLineThreads / lines_a_block) {}
};

/// Loads channels [first, end) into shared memory, all in flight at once, then rotates their
/// phases; flagged voxels become zeros. Returns the fraction of the weights that this thread saw.
__device__ inline double faraday_fetch(const FaradayNufftArgs& a, const FaradayThread& t,
                                       const FaradayPixel<float>& pixel, int first, int end,
                                       float2* channels) {
#pragma unroll 4
  for (int k = first + static_cast<int>(t.row); k < end; k += static_cast<int>(t.rows)) {
    float2* const to = channels + (k - first) * static_cast<int>(t.lines) + t.line;
    const int plane = a.channels[k].plane;
    if (pixel.there) {
      async_copy4(&to->x, pixel.q + plane * a.cubes.q.plane);
      async_copy4(&to->y, pixel.u + plane * a.cubes.u.plane);
    } else {
      *to = {0, 0};
    }
  }
  async_wait();
  double share = 0;
  for (int k = first + static_cast<int>(t.row); k < end; k += static_cast<int>(t.rows)) {
    float2& value = channels[(k - first) * static_cast<int>(t.lines) + t.line];
    const FaradayNufftChannel channel = a.channels[k];
    const bool good = is_finite(value.x) && is_finite(value.y);
    if (good) share += channel.share;
    value = good ? times(value, {channel.turn.re, channel.turn.im}) : float2{0, 0};
  }
  return share;
}

/// Adds channels [first, end) to the cells they reach. A thread makes whole groups, so no two
/// threads add to one cell. Channels are added in order, in parts, because rounding errors would
/// build up over thousands of them.
__device__ inline void faraday_spread(const FaradayNufftArgs& a, const FaradayThread& t,
                                      int group_count, int first, int end, const float2* channels,
                                      float2* cells) {
  for (int g = static_cast<int>(t.row); g < group_count; g += static_cast<int>(t.rows)) {
    const FaradayNufftGroup group = a.groups[g];
    const int begin = max(group.first, first), last = min(group.end, end);
    if (first > 0 && begin >= last) continue;
    float2* const to = cells + g * kFaradayGroup * static_cast<int>(t.lines) + t.line;
    float2 sums[kFaradayGroup];
#pragma unroll
    for (int i = 0; i < kFaradayGroup; ++i) sums[i] = first > 0 ? to[i * t.lines] : float2{0, 0};
    const auto* weights =
        reinterpret_cast<const float4*>(a.weights) + group.weights + (begin - group.first);
    for (int k = begin; k < last;) {
      const int stop = min((k / kFaradayPart + 1) * kFaradayPart, last);
      float2 part[kFaradayGroup] = {};
#pragma unroll 4
      for (; k < stop; ++k) {
        const float2 v = channels[(k - first) * static_cast<int>(t.lines) + t.line];
        const float4 w = __ldg(weights++);
        part[0] = {__fmaf_rn(w.x, v.x, part[0].x), __fmaf_rn(w.x, v.y, part[0].y)};
        part[1] = {__fmaf_rn(w.y, v.x, part[1].x), __fmaf_rn(w.y, v.y, part[1].y)};
        part[2] = {__fmaf_rn(w.z, v.x, part[2].x), __fmaf_rn(w.z, v.y, part[2].y)};
        part[3] = {__fmaf_rn(w.w, v.x, part[3].x), __fmaf_rn(w.w, v.y, part[3].y)};
      }
#pragma unroll
      for (int i = 0; i < kFaradayGroup; ++i)
        sums[i] = {sums[i].x + part[i].x, sums[i].y + part[i].y};
    }
#pragma unroll
    for (int i = 0; i < kFaradayGroup; ++i) to[i * t.lines] = sums[i];
  }
}

/// The scale of a thread's pixel, from the fractions that the threads saw of it, added in order.
__device__ inline float faraday_pixel_scale(const FaradayThread& t, double share, double* shares) {
  shares[threadIdx.x] = share;
  __syncthreads();
  double sum = 0;
  for (unsigned row = 0; row < t.rows; ++row) sum += shares[row * t.lines + t.line];
  return faraday_scale<float>(sum);
}

template <FaradayNufftShape kShape>
__device__ inline void faraday_nufft_pixels(const FaradayNufftArgs& a) {
  extern __shared__ float2 faraday_memory[];
  const FaradayNufftShape s = kShape.line.length > 0 ? kShape : a.shape;
  const FaradayThread t(static_cast<unsigned>(s.line.lines));
  const FaradayPixel<float> pixel(a.cubes, 1LL * blockIdx.x * s.line.lines + t.line);
  float2* const cells = faraday_memory;
  float2* const work = faraday_memory + s.cells * s.line.lines;
  double share = 0;
  for (int first = 0; first < a.channel_count; first += a.chunk) {
    const int end = min(first + a.chunk, a.channel_count);
    share += faraday_fetch(a, t, pixel, first, end, work);
    __syncthreads();
    faraday_spread(a, t, s.cells / kFaradayGroup, first, end, work, cells);
    __syncthreads();
  }
  const float scale = faraday_pixel_scale(t, share, reinterpret_cast<double*>(work));
  const long long real_step = s.parts * a.cubes.real.plane,
                  imaginary_step = s.parts * a.cubes.imaginary.plane;
  const int depths = pixel.there ? a.depths : 0;
  for (int part = 0; part < s.parts; ++part) {
    const auto* const shifts = reinterpret_cast<const float2*>(a.shifts) + part * s.line.length;
    float* const real = pixel.real + part * a.cubes.real.plane;
    float* const imaginary = pixel.imaginary + part * a.cubes.imaginary.plane;
    // Offsets are known at compile time: values beyond are not even computed.
    const auto load = [&](unsigned line, unsigned first, unsigned offset) -> float2 {
      const auto end = static_cast<unsigned>(s.cells);
      if (offset >= end || first + offset >= end) return {0, 0};
      return times(cells[(first + offset) * t.lines + line], __ldg(shifts + first + offset));
    };
    const auto store = [&](unsigned, unsigned first, unsigned offset, float2 value) {
      if (offset >= static_cast<unsigned>(s.kept)) return;
      const int p = static_cast<int>(first + offset) * s.parts + part;
      if (p >= depths) return;
      const float2 f = times(value, __ldg(reinterpret_cast<const float2*>(a.correction) + p));
      real[first * real_step + offset * real_step] = scale * f.x;
      imaginary[first * imaginary_step + offset * imaginary_step] = scale * f.y;
    };
    fft_lines<kShape.line, false>(s.line, a.passes, a.turns, work, load, store);
  }
}

}  // namespace tessera
