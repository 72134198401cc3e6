// SPDX-License-Identifier: Apache-2.0
// The four nested loops, blocked in registers.
//
// A thread owns 8 shifts across and 4 down. Pixels of the first image pass through a window of 12
// in registers for each of its 4 rows; four products of every shift take one load of 16 bytes per
// row and one of the second image, which the whole warp shares: 128 multiply-adds for 5 loads.
// Lanes are shifts: 4 across, 8 down, so that the eight that load at once have no bank conflict,
// and a thread's rows lie 8 apart. Warps skip the pixels that none of their shifts uses.
#pragma once

#include "core/cuda/async_copy.cuh"
#include "ops/correlate/cuda/correlate_direct_args.cuh"

namespace tessera {

extern __shared__ __align__(16) unsigned char correlate_direct_memory[];

__device__ inline float* padded_plane(const CorrelateDirectArgs& a, int image, int source,
                                      int plane) {
  const long long index =
      (static_cast<long long>(image) * (a.second + 1) + source) * a.planes + plane;
  return a.padded + index * a.padded_width * a.padded_height;
}

/// Rows 8 x …, plane y (of both sources), image z: samples as f32, surrounded by zeros.
template <class In>
__device__ void correlate_pad(const CorrelateDirectArgs& a) {
  const int image = static_cast<int>(blockIdx.z), source = static_cast<int>(blockIdx.y) / a.planes,
            plane = static_cast<int>(blockIdx.y) % a.planes;
  const In* from = plane_of<In>(a, source, image, plane);
  const CorrelateSource& s = a.sources[source];
  float* to = padded_plane(a, image, source, plane);
  bool finite = true;
  const int top = static_cast<int>(blockIdx.x) * kPaddedRowsABlock;
  for (int row = top; row < top + kPaddedRowsABlock && row < a.padded_height; ++row) {
    const int y = row - a.margin_y;
    for (int column = static_cast<int>(threadIdx.x); column < a.padded_width;
         column += kCorrelateThreads) {
      const int x = column - a.margin_x;
      const bool inside = y >= 0 && y < a.height && x >= 0 && x < a.width;
      const float value = inside ? static_cast<float>(from[y * s.row + x * s.pixel]) : 0;
      finite = finite && isfinite(value);
      to[static_cast<long long>(row) * a.padded_width + column] = value;
    }
  }
  const int found = __syncthreads_or(!finite);
  const long long group = static_cast<long long>(blockIdx.z) * gridDim.y + blockIdx.y;
  if (threadIdx.x == 0) a.found[group * gridDim.x + blockIdx.x] = found;
}

/// The pixels, planes and shifts that a block multiplies.
struct DirectJob {
  int image, dx, dy, x, y;
  CorrelatePair pair;
};

__device__ inline DirectJob find_job(const CorrelateDirectArgs& a) {
  const long long index = a.first + blockIdx.x, job = index % a.jobs, above = index / a.jobs;
  const int pairs = a.map_begin[a.maps];
  int low = 0, high = a.tile_count - 1;  // the last tile that begins at or before this job
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (a.tiles[middle].first_job <= job)
      low = middle;
    else
      high = middle - 1;
  }
  const DirectTile& tile = a.tiles[low];
  const int rest = static_cast<int>(job - tile.first_job);
  return {static_cast<int>(above / pairs),
          tile.dx,
          tile.dy,
          (tile.first_column + rest % tile.columns) * kJobColumns,
          (tile.first_row + rest / tile.columns) * kJobRows,
          a.pairs[above % pairs]};
}

/// `rows` rows of 4 * `quads` values.
__device__ inline void copy_tile(float* to, int pitch, const float* from, int from_pitch, int rows,
                                 int quads, int threads) {
  for (int k = static_cast<int>(threadIdx.x); k < rows * quads; k += threads)
    async_copy16(to + k / quads * pitch + k % quads * 4,
                 from + static_cast<long long>(k / quads) * from_pitch + k % quads * 4);
}

template <CorrelateDirectKnobs kKnobs>
__device__ inline void load_tiles(const CorrelateDirectArgs& a, const DirectJob& job, float* window,
                                  float* other) {
  const long long at =
      static_cast<long long>(job.y + a.margin_y) * a.padded_width + job.x + a.margin_x;
  copy_tile(window, direct_pitch(kKnobs),
            padded_plane(a, job.image, 0, job.pair.first) + at +
                static_cast<long long>(job.dy) * a.padded_width + job.dx,
            a.padded_width, kKnobs.shifts_y() + kJobRows - 1, (kKnobs.shifts_x() + kJobColumns) / 4,
            kKnobs.threads());
  copy_tile(other, kJobColumns, padded_plane(a, job.image, a.second, job.pair.second) + at,
            a.padded_width, kJobRows, kJobColumns / 4, kKnobs.threads());
  async_wait();
  __syncthreads();
}

/// The whole steps of a given size from `begin` to `end`, limited to [0, limit).
__device__ inline int first_step(int begin, int step) { return begin > 0 ? begin / step : 0; }
__device__ inline int end_step(int end, int step, int limit) {
  const int steps = end <= 0 ? 0 : (end + step - 1) / step;
  return steps < limit ? steps : limit;
}

__device__ inline void load4(float* to, const float* from) {
  const float4 v = *reinterpret_cast<const float4*>(from);
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
  to[3] = v.w;
}

/// Twelve products of every shift: the window goes round once, so that no value in it has to move.
template <int kPitch>
__device__ __forceinline__ void twelve_products(float (&sums)[4][8], float (&window)[4][12],
                                                const float* from, const float* other) {
#pragma unroll
  for (int step = 0; step < 3; ++step) {
    float b[4];
    load4(b, other + 4 * step);
#pragma unroll
    for (int i = 0; i < 4; ++i)
      load4(window[i] + (8 + 4 * step) % 12, from + i * 8 * kPitch + 8 + 4 * step);
#pragma unroll
    for (int q = 0; q < 4; ++q)
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int d = 0; d < 8; ++d)
          sums[i][d] = __fmaf_rn(window[i][(4 * step + q + d) % 12], b[q], sums[i][d]);
  }
}

__device__ __forceinline__ void add_sums(float (&totals)[4][8], const float (&sums)[4][8]) {
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int d = 0; d < 8; ++d) totals[i][d] += sums[i][d];
}

/// The runs [first, end) of one row, added to `totals`. `from`: this thread's first pixel.
template <int kPitch>
__device__ __forceinline__ void add_row(float (&totals)[4][8], const float* from,
                                        const float* other, int first, int end) {
  from += first * kRunColumns;
  other += first * kRunColumns;
  float window[4][12];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    load4(window[i], from + i * 8 * kPitch);
    load4(window[i] + 4, from + i * 8 * kPitch + 4);
  }
  float row[4][8] = {};
#pragma unroll 1
  for (int run = first; run < end; ++run) {
    float sums[4][8] = {};
#pragma unroll 1
    for (int k = 0; k < kRunColumns; k += 12, from += 12, other += 12)
      twelve_products<kPitch>(sums, window, from, other);
    add_sums(row, sums);
  }
  add_sums(totals, row);
}

/// A block makes the sums of one job.
template <CorrelateDirectKnobs kKnobs>
__device__ void correlate_jobs(const CorrelateDirectArgs& a) {
  constexpr int pitch = direct_pitch(kKnobs), shifts_x = kKnobs.shifts_x();
  auto* window = reinterpret_cast<float*>(correlate_direct_memory);
  float* other = window + pitch * (kKnobs.shifts_y() + kJobRows - 1);
  const DirectJob job = find_job(a);
  load_tiles<kKnobs>(a, job, window, other);

  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int left = warp % kKnobs.warps_x * 32, top = warp / kKnobs.warps_x * 32;
  const int dx = job.dx + left, dy = job.dy + top;
  const int first = first_step(-(dx + 31) - job.x, kRunColumns),
            end = end_step(min(a.width, a.width - dx) - job.x, kRunColumns,
                           kJobColumns / kRunColumns);
  const int first_row = first_step(-(dy + 31) - job.y, 1),
            end_row = end_step(min(a.height, a.height - dy) - job.y, 1, kJobRows);
  const int x = left + lane % 4 * 8, y = top + lane / 4;
  float totals[4][8] = {};
  for (int row = first_row; row < end_row; ++row)
    add_row<pitch>(totals, window + (y + row) * pitch + x, other + row * kJobColumns, first, end);

  float* to = a.partial + static_cast<long long>(blockIdx.x) * shifts_x * kKnobs.shifts_y() +
              y * shifts_x + x;
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int d = 0; d < 8; d += 4)
      *reinterpret_cast<float4*>(to + i * 8 * shifts_x + d) = {totals[i][d], totals[i][d + 1],
                                                               totals[i][d + 2], totals[i][d + 3]};
}

/// The jobs of one pair in this launch.
__device__ inline double add_jobs(const CorrelateDirectArgs& a, long long begin, long long end,
                                  long long place, double sum) {
  const long long tile_shifts = static_cast<long long>(a.knobs.shifts_x()) * a.knobs.shifts_y();
  begin = begin < a.first ? a.first : begin;
  end = end > a.end ? a.end : end;
  const float* from = a.partial + (begin - a.first) * tile_shifts + place;
#pragma unroll 8
  for (long long job = begin; job < end; ++job, from += tile_shifts)
    sum += static_cast<double>(*from);
  return sum;
}

/// A thread adds the results of this launch's jobs for one output, in order, to the sum of earlier
/// launches; the last launch stores it.
__device__ inline void correlate_add(const CorrelateDirectArgs& a) {
  const long long outputs = static_cast<long long>(a.shifts_x) * a.shifts_y * a.maps;
  const int pairs = a.map_begin[a.maps];
  const long long first_image = a.first / a.jobs / pairs,
                  images = (a.end - 1) / a.jobs / pairs - first_image + 1;
  for (long long k = static_cast<long long>(blockIdx.x) * kCorrelateThreads + threadIdx.x;
       k < outputs * images; k += static_cast<long long>(gridDim.x) * kCorrelateThreads) {
    const int x = static_cast<int>(k % a.shifts_x),
              y = static_cast<int>(k / a.shifts_x % a.shifts_y);
    const int map = static_cast<int>(k % outputs / a.shifts_x / a.shifts_y);
    const int image = static_cast<int>(first_image + k / outputs);
    const int across = a.first_x + x - a.start_x, width = a.knobs.shifts_x(),
              height = a.knobs.shifts_y();
    const DirectTile tile = a.tiles[y / height * a.tiles_across + across / width];
    const long long place = static_cast<long long>(y % height) * width + across % width;
    const long long tile_jobs = static_cast<long long>(tile.columns) * tile.rows;
    const auto begin = [&](int pair) {
      return (static_cast<long long>(image) * pairs + pair) * a.jobs + tile.first_job;
    };
    const int first_pair = a.map_begin[map], end_pair = a.map_begin[map + 1];
    const long long output = image * outputs + k % outputs;
    double sum = begin(first_pair) < a.first ? a.running[output] : 0;
    for (int pair = first_pair; pair < end_pair; ++pair)
      sum = add_jobs(a, begin(pair), begin(pair) + tile_jobs, place, sum);
    if (begin(end_pair - 1) + tile_jobs > a.end)
      a.running[output] = sum;
    else if (begin(end_pair - 1) + tile_jobs > a.first)
      store_sum(a, image, map, x, y, sum);
  }
}

}  // namespace tessera
