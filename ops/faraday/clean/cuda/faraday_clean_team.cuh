// SPDX-License-Identifier: Apache-2.0
// RM-CLEAN of a spectrum by a team: residuals in registers, components in shared memory. The
// arithmetic is that of faraday_clean_step.cuh.
#pragma once

#include "ops/faraday/clean/faraday_clean_step.cuh"
#include "ops/faraday/cuda/faraday_team.cuh"

namespace tessera {

template <class Real>
struct CleanPeak {
  Real power;
  int depth;
  CleanPart<Real> residual;
};

/// How spectra are divided among threads; a kernel is compiled for each division.
struct CleanKnobs {
  int threads, each;  ///< threads of a team, depths per thread
  bool exact;         ///< only a thread's last depth can lie past the end of the spectrum
};

/// Values past the last depth take part in the arithmetic but are never used.
template <class Real, CleanKnobs kKnobs>
struct CleaningTeam {
  static constexpr int kThreads = kKnobs.threads, kEach = kKnobs.each;
  static_assert(kEach <= kFaradayMostEach, "one bit per depth says whether it is allowed");

  FaradayTeam<kThreads>& team;
  const CleanPart<Real>* rmsf;  ///< in FaradayCleanArgs, like the beam
  const Real* beam;
  CleanPart<Real>* components;
  int depths;
  CleanPart<Real> residual[kEach];
  unsigned allowed = 0;  ///< depths of this thread at which components are allowed

  __device__ int depth(int k) const { return k * kThreads + team.rank; }

  /// The largest |real| or |imaginary| part; -1 if one is not finite.
  __device__ Real largest_part() {
    constexpr auto kNotFinite = ~decltype(faraday_rank(Real()))();
    auto most = faraday_rank(Real(0));
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      const Real re = residual[k].re, im = residual[k].im;
      const auto one = is_finite(re) ? faraday_rank(re < 0 ? -re : re) : kNotFinite,
                 other = is_finite(im) ? faraday_rank(im < 0 ? -im : im) : kNotFinite;
      most = max(most, max(one, other));
    }
    most = team.most(most);
    return most == kNotFinite ? Real(-1) : faraday_unranked(most);
  }

  __device__ void multiply(Real factor) {
#pragma unroll
    for (int k = 0; k < kEach; ++k)
      residual[k] = {residual[k].re * factor, residual[k].im * factor};
  }

  /// The residual at depth number k of this thread, requested by the whole team. Registers cannot
  /// be indexed at run time, so k is found by bisection.
  template <int kFirst = 0, int kCount = kEach>
  __device__ CleanPart<Real> residual_number(int k) const {
    if constexpr (kCount == 1) {
      return residual[kFirst];
    } else {
      constexpr int kHalf = kCount / 2;
      return k < kFirst + kHalf ? residual_number<kFirst, kHalf>(k)
                                : residual_number<kFirst + kHalf, kCount - kHalf>(k);
    }
  }

  /// One pass. kTake: subtracts `part`, found at depth `from`, from the residual. kMasked: searches
  /// only allowed depths. Among equals the first is the peak.
  template <bool kTake, bool kMasked>
  __device__ CleanPeak<Real> next_peak(int from = 0, CleanPart<Real> part = {}) {
    const CleanPart<Real>* const response = rmsf + (depths - from + team.rank);
    Real best = 0;
    int best_k = 0;
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      if constexpr (kTake) residual[k] = clean_subtract(residual[k], part, response[k * kThreads]);
      Real power = clean_power(residual[k].re, residual[k].im);
      if ((!kKnobs.exact || k + 1 == kEach) && depth(k) >= depths) power = 0;
      if (kMasked && (allowed >> k & 1) == 0) power = 0;
      if (power > best) {
        best = power;
        best_k = k;
      }
    }
    const auto mine = faraday_rank(best), top = team.most(mine);
    const int found =
        static_cast<int>(team.least(mine == top ? static_cast<unsigned>(depth(best_k)) : ~0U));
    const CleanPart<Real> there = residual_number(found / kThreads);
    const int owner = found % kThreads;
    return {faraday_unranked(top), found, {team.from(owner, there.re), team.from(owner, there.im)}};
  }

  /// Returns the number of iterations, which is counted from `iterations` on.
  template <bool kMasked>
  __device__ int clean_down_to(Real level, Real gain, int iterations, int most) {
    CleanPeak<Real> peak = next_peak<false, kMasked>();
    for (; iterations < most && clean_goes_on(peak.power, level); ++iterations) {
      const CleanPart<Real> part = clean_component(gain, peak.residual.re, peak.residual.im);
      if (team.rank == peak.depth % kThreads) {
        CleanPart<Real>& sum = components[peak.depth];
        sum = {sum.re + part.re, sum.im + part.im};
      }
      peak = next_peak<true, kMasked>(peak.depth, part);
    }
    return iterations;
  }

  /// Calls use(depth, component) in the order of depths, for components that are not 0.
  template <class Use>
  __device__ void each_component(Use use) const {
    const int lane = team.rank % kFaradayWarp;
    for (int first = 0; first < depths; first += kFaradayWarp) {
      CleanPart<Real> mine{0, 0};
      if (first + lane < depths) mine = components[first + lane];
      unsigned found = __ballot_sync(0xffffffffU, mine.re != 0 || mine.im != 0);
      for (; found != 0; found &= found - 1) {
        const int p = first + __ffs(static_cast<int>(found)) - 1;
        use(p, components[p]);
      }
    }
  }

  __device__ void allow_only_round_components(int half_window) {
    allowed = 0;
    each_component([&](int p, CleanPart<Real>) {
#pragma unroll
      for (int k = 0; k < kEach; ++k) {
        const int away = depth(k) - p;
        if (away <= half_window && -away <= half_window) allowed |= 1U << k;
      }
    });
  }

  /// Adds the components, each a Gaussian, and then the residual. A few depths at a time: the sums
  /// of all would not fit in registers.
  __device__ void restore() {
    constexpr int kSums = sizeof(Real) == 4 ? 16 : 8;
#pragma unroll
    for (int first = 0; first < kEach; first += kSums) {
      CleanPart<Real> sum[kSums] = {};
      each_component([&](int p, CleanPart<Real> component) {
        const Real* const height = beam + (depths - p + depth(first));
#pragma unroll
        for (int i = 0; i < kSums; ++i)
          if (first + i < kEach) {
            const Real h = height[i * kThreads];
            sum[i] = {sum[i].re + component.re * h, sum[i].im + component.im * h};
          }
      });
#pragma unroll
      for (int i = 0; i < kSums; ++i)
        if (first + i < kEach) {
          CleanPart<Real>& r = residual[first + i];
          r = {sum[i].re + r.re, sum[i].im + r.im};
        }
    }
  }
};

}  // namespace tessera
