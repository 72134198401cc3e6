// SPDX-License-Identifier: Apache-2.0
// Noise measured next to the peak of every spectrum, one team per pixel: measured_faraday_noise of
// faraday_peak.cpp, number for number.
#pragma once

#include "ops/faraday/cuda/faraday_team_median.cuh"
#include "ops/faraday/cuda/faraday_tile.cuh"
#include "ops/faraday/maps/cuda/faraday_maps_args.cuh"

namespace tessera {

/// The depth of the largest |F| except for the first and last; -1: there is none.
template <int kEach, class T, int kThreads>
__device__ inline int faraday_team_peak(FaradayTeam<kThreads>& team, const CleanPart<T>* spectrum,
                                        int depths) {
  double best = -1;
  int found = -1;
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    const int p = k * kThreads + team.rank;
    if (p == 0 || p + 1 >= depths) continue;
    const double power = faraday_power(spectrum[p].re, spectrum[p].im);
    if (power > best) {
      best = power;
      found = p;
    }
  }
  const unsigned long long mine = found < 0 ? 0 : faraday_rank(best), top = team.most(mine);
  return static_cast<int>(team.least(mine == top ? static_cast<unsigned>(found) : ~0U));
}

/// Fills keys with the finite values except those of depths [first, end), and returns their number.
template <int kEach, class T, int kThreads>
__device__ inline unsigned faraday_gather(FaradayTeam<kThreads>& team, const CleanPart<T>* spectrum,
                                          int depths, int first, int end,
                                          unsigned long long (&keys)[2 * kEach]) {
  unsigned count = 0;
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    const int p = k * kThreads + team.rank;
    const CleanPart<T> v = p < depths ? spectrum[p] : CleanPart<T>{0, 0};
    const bool taken = p < depths && (p < first || p >= end) && is_finite(v.re) && is_finite(v.im);
    keys[2 * k] = taken ? faraday_key(v.re) : kNoKey;
    keys[2 * k + 1] = taken ? faraday_key(v.im) : kNoKey;
    count += taken ? 2U : 0U;
  }
  return team.sum(count);
}

template <int kEach, class T, int kThreads>
__device__ inline double faraday_team_noise(FaradayTeam<kThreads>& team,
                                            const CleanPart<T>* spectrum,
                                            const FaradayPeakRule& rule, double fwhm) {
  unsigned long long keys[2 * kEach];
  const int peak = faraday_team_peak<kEach>(team, spectrum, rule.depths);
  const int guard = faraday_guard(rule, fwhm);
  unsigned count = 0;
  if (peak >= 0)
    count = faraday_gather<kEach>(team, spectrum, rule.depths, peak - guard, peak + guard, keys);
  if (peak < 0 || faraday_too_few(count, rule.depths))
    count = faraday_gather<kEach>(team, spectrum, rule.depths, 0, 0, keys);
  if (count == 0) return faraday_nothing();
  const double middle = faraday_median(team, keys, count);
#pragma unroll
  for (int k = 0; k < 2 * kEach; ++k)
    if (keys[k] != kNoKey) keys[k] = faraday_key(fabs(faraday_keyed(keys[k]) - middle));
  return faraday_median(team, keys, count) / 0.6745;
}

template <class T, int kThreads, int kEach>
__device__ inline void faraday_measure_pixels(const FaradayMapsArgs& a) {
  extern __shared__ CleanPart<double> faraday_measure_memory[];
  const int depths = a.rule.depths, number = static_cast<int>(threadIdx.x) / kThreads,
            bytes = faraday_team_bytes(0, depths, a.teams, sizeof(T));
  const FaradaySpectraTile<T> tile{reinterpret_cast<CleanPart<T>*>(faraday_measure_memory),
                                   depths,
                                   faraday_tile_stride(depths, sizeof(T)),
                                   a.teams,
                                   kThreads,
                                   a.width,
                                   1LL * blockIdx.x * a.teams,
                                   a.pixels};
  FaradayTeam<kThreads> team(reinterpret_cast<unsigned long long*>(faraday_measure_memory) +
                             bytes / 8 - kFaradayTeamSlots);
  tile.load(a.real, a.imaginary);
  __syncthreads();
  // A team beyond the last pixel works on a copy of it: the threads of a block stay together.
  const long long pixel = tile.first + number < a.pixels ? tile.first + number : a.pixels - 1;
  const FaradayBandValues band = faraday_band_of<T>(a, pixel);
  const double known = band.at[kFaradayBandNoise];
  if (known == known) return;  // all threads of the team
  const double noise =
      faraday_team_noise<kEach>(team, tile.of_team(number), a.rule, band.at[kFaradayBandFwhm]);
  if (team.rank == 0 && tile.first + number < a.pixels) a.measured[tile.first + number] = noise;
}

}  // namespace tessera
