// SPDX-License-Identifier: Apache-2.0
// How far frames have drifted: a block registers the frames of a film one after the other. The
// steps of cells_still_scene.hpp.
#pragma once

#include "ops/cells/scene/cells_likeness.cuh"
#include "ops/cells/scene/cells_registration.cuh"
#include "ops/cells/scene/cuda/cells_still.cuh"

namespace tessera {

/// Adds up the values of all threads, in a fixed order; all get the results.
template <int N>
__device__ void cells_add_up(double (&values)[N]) {
  __shared__ double warps[kCellsDriftThreads / 32][N];
  for (double& value : values)
    for (int reach = 16; reach > 0; reach /= 2) value += __shfl_xor_sync(~0U, value, reach);
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    for (int k = 0; k < N; ++k) warps[threadIdx.x / 32][k] = values[k];
  __syncthreads();
  if (threadIdx.x < N)
    for (int warp = 1; warp < kCellsDriftThreads / 32; ++warp)
      warps[0][threadIdx.x] += warps[warp][threadIdx.x];
  __syncthreads();
  for (int k = 0; k < N; ++k) values[k] = warps[0][k];
}
__device__ inline void cells_add_up(DriftSums& sums) {
  double values[] = {sums.n, sums.gx,  sums.gy,  sums.gxx,      sums.gxy, sums.gyy,
                     sums.r, sums.gxr, sums.gyr, sums.absolute, sums.g4};
  cells_add_up(values);
  sums = {values[0], values[1], values[2], values[3], values[4], values[5],
          values[6], values[7], values[8], values[9], values[10]};
}

/// Puts the template's samples side by side: each iteration of each frame reads them all.
__device__ inline void cells_take_samples(const CellsDriftArgs& a, int film) {
  const CellsDriftGrid grid(a.in.width, a.in.height);
  const int width = a.in.width;
  CellsDriftSample* samples = a.samples + film * grid.samples();
  for (int i = threadIdx.x; i < grid.samples(); i += kCellsDriftThreads) {
    const long long p = 1LL * grid.y(i) * width + grid.x(i);
    const float* t = a.scene.value + film * a.in.pixels() + p;
    const unsigned char* known = a.scene.known + film * a.in.pixels() + p;
    const bool all = known[0] && known[-1] && known[1] && known[-width] && known[width];
    samples[i] = {t[0], (t[1] - t[-1]) / 2, (t[width] - t[-width]) / 2, all, all, known[0] != 0,
                  false};
  }
  __syncthreads();
}

/// The number of gradients whose square is below a value, or of all that are known.
__device__ inline double cells_count_below(const CellsDriftSample* samples, long long count,
                                           float square) {
  double below[1] = {0};
  for (long long i = threadIdx.x; i < count; i += kCellsDriftThreads) {
    const CellsDriftSample& s = samples[i];
    below[0] += s.known && s.gx * s.gx + s.gy * s.gy < square ? 1 : 0;
  }
  cells_add_up(below);
  return below[0];
}

/// Marks gradients that are much larger than the median of all. That is found bit by bit: the bits
/// of positive floats are in the order of the floats.
__device__ inline void cells_mark_steep(const CellsDriftArgs& a, int film) {
  const CellsDriftGrid grid(a.in.width, a.in.height);
  CellsDriftSample* samples = a.samples + film * grid.samples();
  const double all = cells_count_below(samples, grid.samples(), cells_infinity());
  if (!(all > 0)) return;
  const double half = floor(all / 2);
  int median = 0;
  for (int bit = 30; bit >= 0; --bit) {
    const int larger = median | (1 << bit);
    if (larger < 0x7f800000 &&
        cells_count_below(samples, grid.samples(), __int_as_float(larger)) <= half)
      median = larger;
  }
  const float most =
      static_cast<float>(kCells.drift_steep * kCells.drift_steep) * __int_as_float(median);
  for (long long i = threadIdx.x; i < grid.samples(); i += kCellsDriftThreads) {
    CellsDriftSample& s = samples[i];
    if (s.gx * s.gx + s.gy * s.gy > most) s.gentle = false;
  }
  __syncthreads();
}

/// A frame, and what the samples of the template are compared with.
struct CellsRegistration {
  const CellsDriftArgs& args;
  const float* smooth;
  int film;
  CellsCanvas at;
  UsualValues scene, frame;

  __device__ const CellsDriftSample* samples() const {
    return args.samples + film * CellsDriftGrid(args.in.width, args.in.height).samples();
  }
};

/// The usual ones of the values `value(i, out)`, over the samples for which it is true.
template <class Value>
__device__ UsualValues cells_usual_values(long long samples, Value value) {
  UsualValues usual;
  for (int pass = 0; pass < kCells.usual_passes; ++pass) {
    UsualSums sums;
    for (long long i = threadIdx.x; i < samples; i += kCellsDriftThreads) {
      double v = 0;
      if (value(static_cast<int>(i), v)) usual_add(sums, usual, pass, v);
    }
    double list[3] = {sums.n, sums.values, sums.deviations};
    cells_add_up(list);
    usual_take(usual, pass, {list[0], list[1], list[2]});
  }
  return usual;
}
__device__ inline UsualValues cells_usual_of_template(const CellsDriftArgs& a, int film) {
  const CellsDriftGrid grid(a.in.width, a.in.height);
  const CellsDriftSample* samples = a.samples + film * grid.samples();
  return cells_usual_values(grid.samples(), [&](int i, double& v) {
    v = samples[i].value;
    return samples[i].seen;
  });
}
__device__ inline UsualValues cells_usual_of_frame(const CellsDriftArgs& a, const float* smooth) {
  const CellsDriftGrid grid(a.in.width, a.in.height);
  return cells_usual_values(grid.samples(), [&](int i, double& v) {
    v = smooth[1LL * grid.y(i) * a.in.width + grid.x(i)];
    return true;
  });
}

/// This thread's pixels of a registration step; differences larger than the limit do not count.
/// `gently`: neither do steep pixels.
__device__ inline DriftSums cells_drift_sums(const CellsRegistration& r, float2 shift, float limit,
                                             bool gently) {
  const CellsPlanes& in = r.args.in;
  const CellsDriftGrid grid(in.width, in.height);
  const CellsDriftSample* samples = r.samples();
  DriftSums sums{};
#pragma unroll 4
  for (int i = threadIdx.x; i < grid.samples(); i += kCellsDriftThreads) {
    const CellsDriftSample s = samples[i];
    const float fx = static_cast<float>(grid.x(i)) + shift.x;
    const float fy = static_cast<float>(grid.y(i)) + shift.y;
    if (!cells_inside(in, fx, fy) || !(gently ? s.gentle : s.known)) continue;
    const float difference = cell_bilinear(r.smooth, in.width, in.height, fx, fy) - s.value;
    drift_add(sums, s.gx, s.gy, difference, limit);
  }
  return sums;
}

/// A few steps from `drift`; false if the scene does not determine it.
__device__ inline bool cells_settle_drift(const CellsRegistration& r, CellsPlace& drift,
                                          bool gently) {
  const CellsPlace from = drift;
  float limit = 1e30F;
  for (int i = 0; i <= kCells.drift_iterations; ++i) {
    DriftSums sums = cells_drift_sums(
        r, make_float2(static_cast<float>(drift.x - r.at.x), static_cast<float>(drift.y - r.at.y)),
        limit, gently);
    cells_add_up(sums);
    if (i > 0 ? !drift_step(sums, drift.x, drift.y) : !(sums.n > 0)) return false;
    if (i == 0) limit = static_cast<float>(kCells.drift_cut * sums.absolute / sums.n);
  }
  const double dx = drift.x - from.x, dy = drift.y - from.y;
  return sqrt(dx * dx + dy * dy) < kCells.drift_most;
}

/// The sums of a comparison of frame and template: LikenessSums, and the number of known samples.
struct CellsCompared {
  double values[7];

  __device__ double unlike() const {
    const double* v = values;
    return unlikeness({v[0], v[1], v[2], v[3], v[4], v[5]}, v[6]);
  }
};

/// Threads `first`, `first` + `step` … compare the frame with the template, moved by a shift.
/// `between`: the frame is read between pixels, otherwise at whole ones.
template <bool between>
__device__ CellsCompared cells_compare(const CellsRegistration& r, float shift_x, float shift_y,
                                       int first, int step) {
  const CellsPlanes& in = r.args.in;
  const CellsDriftGrid grid(in.width, in.height);
  const CellsDriftSample* samples = r.samples();
  LikenessSums sums{};
  double all = 0;
  for (int i = first; i < grid.samples(); i += step) {
    const CellsDriftSample s = samples[i];
    if (!s.seen) continue;
    all += 1;
    const float fx = static_cast<float>(grid.x(i)) + shift_x;
    const float fy = static_cast<float>(grid.y(i)) + shift_y;
    if (!cells_inside(in, fx, fy)) continue;
    const float frame =
        between ? cell_bilinear(r.smooth, in.width, in.height, fx, fy)
                : r.smooth[1LL * static_cast<int>(fy) * in.width + static_cast<int>(fx)];
    likeness_add(sums, usual_value(r.scene, s.value), usual_value(r.frame, frame));
  }
  return {{sums.n, sums.scene, sums.frame, sums.scenes, sums.frames, sums.both, all}};
}

/// How unlike frame and template are at a drift; all threads get it.
__device__ inline double cells_unlikeness_at(const CellsRegistration& r, const CellsPlace& drift) {
  CellsCompared compared =
      cells_compare<true>(r, static_cast<float>(drift.x - r.at.x),
                          static_cast<float>(drift.y - r.at.y), threadIdx.x, kCellsDriftThreads);
  cells_add_up(compared.values);
  return compared.unlike();
}

/// Around `from`, at whole pixels: where the frame is most like the template. Warps take the
/// offsets in turn; among equal ones the first counts.
__device__ inline CellsPlace cells_likest(const CellsRegistration& r, const CellsPlace& from,
                                          JumpOffsets offsets) {
  constexpr int kWarps = kCellsDriftThreads / 32;
  __shared__ double least_of[kWarps];
  __shared__ int best_of[kWarps];
  const int from_x = static_cast<int>(round(from.x - r.at.x));
  const int from_y = static_cast<int>(round(from.y - r.at.y));
  const int warp = threadIdx.x / 32;
  double least = 2;
  int best = 0;
  for (int offset = warp; offset < offsets.count(); offset += kWarps) {
    CellsCompared compared =
        cells_compare<false>(r, static_cast<float>(from_x + offsets.x(offset)),
                             static_cast<float>(from_y + offsets.y(offset)), threadIdx.x % 32, 32);
    for (double& value : compared.values)
      for (int reach = 16; reach > 0; reach /= 2) value += __shfl_xor_sync(~0U, value, reach);
    const double unlike = compared.unlike();
    if (unlike < least) {
      least = unlike;
      best = offset;
    }
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    least_of[warp] = least;
    best_of[warp] = best;
  }
  __syncthreads();
  for (int w = 0; w < kWarps; ++w)
    if (least_of[w] < least || (least_of[w] == least && best_of[w] < best)) {
      least = least_of[w];
      best = best_of[w];
    }
  return {static_cast<double>(r.at.x + from_x + offsets.x(best)),
          static_cast<double>(r.at.y + from_y + offsets.y(best)), from.usual};
}

/// If steep pixels outweigh the others: where the others lead, if that is more like the template.
__device__ inline CellsPlace cells_settled_gently(const CellsRegistration& r,
                                                  const CellsPlace& from) {
  CellsPlace drift = from;
  const bool better = cells_settle_drift(r, drift, true) &&
                      cells_unlikeness_at(r, drift) < cells_unlikeness_at(r, from);
  return better ? drift : from;
}

/// Where the frame is most like the template, to a whole pixel or better.
__device__ inline CellsPlace cells_jumped(const CellsRegistration& r, const CellsPlace& before) {
  const CellsPlace coarse = cells_likest(r, before, kCoarseJumps);
  const CellsPlace fine = cells_likest(r, coarse, kFineJumps);
  CellsPlace drift = fine;
  const bool better = cells_settle_drift(r, drift, false) &&
                      cells_unlikeness_at(r, drift) < cells_unlikeness_at(r, fine);
  return better ? drift : cells_settled_gently(r, fine);
}

/// The drift of a frame: a few steps from that of the previous frame, or from where the picture has
/// jumped to.
__device__ inline CellsPlace cells_registered(const CellsRegistration& r,
                                              const CellsPlace& before) {
  CellsPlace drift = before;
  if (!cells_settle_drift(r, drift, false)) drift = cells_settled_gently(r, before);
  double unlike = cells_unlikeness_at(r, drift);
  if (may_have_jumped(unlike, before.usual)) {
    const CellsPlace other = cells_jumped(r, before);
    const double there = cells_unlikeness_at(r, other);
    if (has_jumped(unlike, there, before.usual)) {
      drift = other;
      unlike = there;
    }
  }
  drift.usual = usual_after(before.usual, unlike);
  return drift;
}

__device__ inline void cells_drift(const CellsDriftArgs& a) {
  const int film = blockIdx.x, first = a.in.first;
  const CellsCanvas at = a.places.canvases[a.places.epoch(a.at, film)];
  cells_take_samples(a, film);
  cells_mark_steep(a, film);
  const UsualValues scene = cells_usual_of_template(a, film);
  CellsPlace drift{0, 0, -1};
  if (first > 0) drift = a.places.drifts[a.places.frame(first - 1, film)];
  for (int frame = first; frame < first + a.in.count; ++frame) {
    const long long plane = 1LL * (frame - first) * a.places.films + film;
    const float* smooth = a.in.smooth + plane * a.in.pixels();
    if (frame > 0)
      drift =
          cells_registered({a, smooth, film, at, scene, cells_usual_of_frame(a, smooth)}, drift);
    if (threadIdx.x == 0) a.places.drifts[a.places.frame(frame, film)] = drift;
  }
}

}  // namespace tessera
