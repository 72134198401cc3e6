// SPDX-License-Identifier: Apache-2.0
// How far frames have drifted: a team of blocks registers the frames of a film one after the other.
// The steps of cells_still_scene.hpp.
#pragma once

#include "ops/cells/scene/cells_likeness.cuh"
#include "ops/cells/scene/cells_registration.cuh"
#include "ops/cells/scene/cuda/cells_still.cuh"
#include "ops/cells/scene/cuda/cells_team.cuh"

namespace tessera {

/// Puts the template's samples side by side: each iteration of each frame reads them all.
__device__ inline void cells_take_samples(const CellsDriftArgs& a, int film) {
  const CellsDriftGrid grid(a.in.width, a.in.height);
  const int width = a.in.width;
  CellsDriftSample* samples = a.samples + film * grid.samples();
  cells_each_own(grid.samples(), [&](int i) {
    const long long p = 1LL * grid.y(i) * width + grid.x(i);
    const float* t = a.scene.value + film * a.in.pixels() + p;
    const unsigned char* known = a.scene.known + film * a.in.pixels() + p;
    const bool all = known[0] && known[-1] && known[1] && known[-width] && known[width];
    samples[i] = {t[0], (t[1] - t[-1]) / 2, (t[width] - t[-width]) / 2, all, all, known[0] != 0,
                  false};
  });
  __syncthreads();
}

/// The number of gradients whose square is below a value, or of all that are known.
__device__ inline double cells_count_below(CellsTeam& team, const CellsDriftSample* samples,
                                           long long count, float square) {
  double below[1];
  cells_add_up(team, count, below, [&](long long first, long long end, double(&mine)[1]) {
    for (long long i = first; i < end; i += kCellsDriftThreads) {
      const CellsDriftSample& s = samples[i];
      mine[0] += s.known && s.gx * s.gx + s.gy * s.gy < square ? 1 : 0;
    }
  });
  return below[0];
}

/// Marks gradients that are much larger than the median of all. That is found bit by bit: the bits
/// of positive floats are in the order of the floats.
__device__ inline void cells_mark_steep(CellsTeam& team, const CellsDriftArgs& a, int film) {
  const CellsDriftGrid grid(a.in.width, a.in.height);
  CellsDriftSample* samples = a.samples + film * grid.samples();
  const double all = cells_count_below(team, samples, grid.samples(), cells_infinity());
  if (!(all > 0)) return;
  const double half = floor(all / 2);
  int median = 0;
  for (int bit = 30; bit >= 0; --bit) {
    const int larger = median | (1 << bit);
    if (larger < 0x7f800000 &&
        cells_count_below(team, samples, grid.samples(), __int_as_float(larger)) <= half)
      median = larger;
  }
  const float most =
      static_cast<float>(kCells.drift_steep * kCells.drift_steep) * __int_as_float(median);
  cells_each_own(grid.samples(), [&](int i) {
    CellsDriftSample& s = samples[i];
    if (s.gx * s.gx + s.gy * s.gy > most) s.gentle = false;
  });
  __syncthreads();
}

/// A frame, and what the samples of the template are compared with.
struct CellsRegistration {
  CellsTeam& team;
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
__device__ UsualValues cells_usual_values(CellsTeam& team, long long samples, Value value) {
  UsualValues usual;
  for (int pass = 0; pass < kCells.usual_passes; ++pass) {
    double list[3];
    cells_add_up(team, samples, list, [&](long long first, long long end, double(&mine)[3]) {
      UsualSums sums;
      for (long long i = first; i < end; i += kCellsDriftThreads) {
        double v = 0;
        if (value(static_cast<int>(i), v)) usual_add(sums, usual, pass, v);
      }
      mine[0] = sums.n;
      mine[1] = sums.values;
      mine[2] = sums.deviations;
    });
    usual_take(usual, pass, {list[0], list[1], list[2]});
  }
  return usual;
}
__device__ inline UsualValues cells_usual_of_template(CellsTeam& team, const CellsDriftArgs& a,
                                                      int film) {
  const CellsDriftGrid grid(a.in.width, a.in.height);
  const CellsDriftSample* samples = a.samples + film * grid.samples();
  return cells_usual_values(team, grid.samples(), [&](int i, double& v) {
    v = samples[i].value;
    return samples[i].seen;
  });
}
__device__ inline UsualValues cells_usual_of_frame(CellsTeam& team, const CellsDriftArgs& a,
                                                   const float* smooth) {
  const CellsDriftGrid grid(a.in.width, a.in.height);
  return cells_usual_values(team, grid.samples(), [&](int i, double& v) {
    v = smooth[1LL * grid.y(i) * a.in.width + grid.x(i)];
    return true;
  });
}

/// The sums of a registration step; differences larger than the limit do not count. `gently`:
/// neither do steep pixels.
__device__ inline DriftSums cells_drift_sums(const CellsRegistration& r, float2 shift, float limit,
                                             bool gently) {
  const CellsPlanes& in = r.args.in;
  const CellsDriftGrid grid(in.width, in.height);
  const CellsDriftSample* samples = r.samples();
  double v[11];
  cells_add_up(r.team, grid.samples(), v, [&](long long first, long long end, double(&mine)[11]) {
    DriftSums sums{};
#pragma unroll 4
    for (long long k = first; k < end; k += kCellsDriftThreads) {
      const int i = static_cast<int>(k);
      const CellsDriftSample s = samples[i];
      const float fx = static_cast<float>(grid.x(i)) + shift.x;
      const float fy = static_cast<float>(grid.y(i)) + shift.y;
      if (!cells_inside(in, fx, fy) || !(gently ? s.gentle : s.known)) continue;
      const float difference = cell_bilinear(r.smooth, in.width, in.height, fx, fy) - s.value;
      drift_add(sums, s.gx, s.gy, difference, limit);
    }
    const double all[] = {sums.n, sums.gx,  sums.gy,  sums.gxx,      sums.gxy, sums.gyy,
                          sums.r, sums.gxr, sums.gyr, sums.absolute, sums.g4};
    for (int n = 0; n < 11; ++n) mine[n] = all[n];
  });
  return {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10]};
}

/// A few steps from `drift`; false if the scene does not determine it.
__device__ inline bool cells_settle_drift(const CellsRegistration& r, CellsPlace& drift,
                                          bool gently) {
  const CellsPlace from = drift;
  float limit = 1e30F;
  for (int i = 0; i <= kCells.drift_iterations; ++i) {
    const DriftSums sums = cells_drift_sums(
        r, make_float2(static_cast<float>(drift.x - r.at.x), static_cast<float>(drift.y - r.at.y)),
        limit, gently);
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

/// A sample that another block may have written in this launch.
__device__ inline CellsDriftSample cells_sample_of_any(const CellsDriftSample* samples, int i) {
  static_assert(sizeof(CellsDriftSample) == sizeof(float4));
  const float4 bits = __ldcg(reinterpret_cast<const float4*>(samples + i));
  CellsDriftSample sample;
  memcpy(&sample, &bits, sizeof sample);
  return sample;
}

/// Compares the frame with the template, moved by a shift, at the samples first, first + step … of
/// those before `end`. `between`: the frame is read between pixels, otherwise at whole ones, and
/// samples are any block's.
template <bool between>
__device__ CellsCompared cells_compare(const CellsRegistration& r, float shift_x, float shift_y,
                                       long long first, long long end, int step) {
  const CellsPlanes& in = r.args.in;
  const CellsDriftGrid grid(in.width, in.height);
  const CellsDriftSample* samples = r.samples();
  LikenessSums sums{};
  double all = 0;
  for (long long k = first; k < end; k += step) {
    const int i = static_cast<int>(k);
    const CellsDriftSample s = between ? samples[i] : cells_sample_of_any(samples, i);
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
  const CellsDriftGrid grid(r.args.in.width, r.args.in.height);
  CellsCompared compared;
  cells_add_up(r.team, grid.samples(), compared.values,
               [&](long long first, long long end, double(&mine)[7]) {
                 const CellsCompared own = cells_compare<true>(
                     r, static_cast<float>(drift.x - r.at.x), static_cast<float>(drift.y - r.at.y),
                     first, end, kCellsDriftThreads);
                 for (int k = 0; k < 7; ++k) mine[k] = own.values[k];
               });
  return compared.unlike();
}

/// The place that is least unlike, among equal ones the first.
struct CellsLikest {
  double unlike = 2;
  int offset = 0;
  __device__ void take(double other, int at) {
    if (other < unlike || (other == unlike && at < offset)) {
      unlike = other;
      offset = at;
    }
  }
};

/// Around `from`, at whole pixels: where the frame is most like the template. Warps of all blocks
/// take the offsets in turn.
__device__ inline CellsPlace cells_likest(const CellsRegistration& r, const CellsPlace& from,
                                          JumpOffsets offsets) {
  constexpr int kWarps = kCellsDriftThreads / 32;
  __shared__ double least_of[kWarps];
  __shared__ int best_of[kWarps];
  const int from_x = static_cast<int>(round(from.x - r.at.x));
  const int from_y = static_cast<int>(round(from.y - r.at.y));
  const int warp = threadIdx.x / 32;
  const CellsDriftGrid grid(r.args.in.width, r.args.in.height);
  CellsLikest own;
  for (int offset = blockIdx.x * kWarps + warp; offset < offsets.count();
       offset += gridDim.x * kWarps) {
    CellsCompared compared = cells_compare<false>(r, static_cast<float>(from_x + offsets.x(offset)),
                                                  static_cast<float>(from_y + offsets.y(offset)),
                                                  threadIdx.x % 32, grid.samples(), 32);
    for (double& value : compared.values)
      for (int reach = 16; reach > 0; reach /= 2) value += __shfl_xor_sync(~0U, value, reach);
    own.take(compared.unlike(), offset);
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    least_of[warp] = own.unlike;
    best_of[warp] = own.offset;
  }
  __syncthreads();
  CellsLikest best;
  for (int w = 0; w < kWarps; ++w) best.take(least_of[w], best_of[w]);
  if (threadIdx.x == 0) {
    r.team.told(blockIdx.x)[0] = best.unlike;
    r.team.told(blockIdx.x)[1] = best.offset;
  }
  r.team.meet();
  for (int block = 0; block < static_cast<int>(gridDim.x); ++block)
    best.take(r.team.heard(block, 0), static_cast<int>(r.team.heard(block, 1)));
  return {static_cast<double>(r.at.x + from_x + offsets.x(best.offset)),
          static_cast<double>(r.at.y + from_y + offsets.y(best.offset)), from.usual};
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
  const int film = blockIdx.y, first = a.in.first;
  const CellsCanvas at = a.places.canvases[a.places.epoch(a.at, film)];
  CellsTeam team(a.talk[film]);
  cells_take_samples(a, film);
  cells_mark_steep(team, a, film);
  const UsualValues scene = cells_usual_of_template(team, a, film);
  CellsPlace drift{0, 0, -1};
  if (first > 0) drift = a.places.drifts[a.places.frame(first - 1, film)];
  for (int frame = first; frame < first + a.in.count; ++frame) {
    const long long plane = 1LL * (frame - first) * a.places.films + film;
    const float* smooth = a.in.smooth + plane * a.in.pixels();
    if (frame > 0)
      drift = cells_registered(
          {team, a, smooth, film, at, scene, cells_usual_of_frame(team, a, smooth)}, drift);
    if (blockIdx.x == 0 && threadIdx.x == 0) a.places.drifts[a.places.frame(frame, film)] = drift;
  }
  team.leave();
}

}  // namespace tessera
