// SPDX-License-Identifier: Apache-2.0
// RM-CLEAN on a GPU: one team of threads per pixel. A block takes neighbouring pixels, one per
// team, and then those one grid further on, so that tables are loaded once.
#pragma once

#include "ops/faraday/clean/cuda/faraday_clean_args.cuh"
#include "ops/faraday/clean/cuda/faraday_clean_team.cuh"
#include "ops/faraday/cuda/faraday_tile.cuh"

namespace tessera {

/// A cutoff or window: the map's, or the one for all pixels.
template <class Real>
__device__ inline double faraday_level(const FaradayCleanArgs& a,
                                       const FaradaySpectraTile<Real>& tile,
                                       const FaradaySource& map, long long pixel,
                                       double otherwise) {
  if (!map.data || pixel >= a.pixels) return otherwise;
  return static_cast<const Real*>(map.data)[tile.place(map, pixel)];
}

/// Cleans and restores the spectrum that the team holds; returns the number of iterations.
template <class Real, CleanKnobs kKnobs>
__device__ inline int faraday_clean_spectrum(const FaradayCleanArgs& a, double cutoff,
                                             double window, int half_window, Real scale,
                                             CleaningTeam<Real, kKnobs>& work) {
  const Real gain = static_cast<Real>(a.gain);
  int done = work.template clean_down_to<false>(clean_level(cutoff, scale), gain, 0, a.iterations);
  if (done == 0) return 0;
  work.team.wait();  // components are visible to all
  if (window >= 0) {
    work.allow_only_round_components(half_window);
    work.team.wait();  // before they change
    done = work.template clean_down_to<true>(clean_level(window, scale), gain, done, a.iterations);
    work.team.wait();
  }
  work.restore();
  return done;
}

/// One pixel: from the team's row of the tile to restored residuals, and to components in the row.
/// Spectra out of range are scaled; those that are not cleaned must keep every bit, so they are
/// loaded once more.
template <class Real, CleanKnobs kKnobs>
__device__ inline int faraday_clean_row(const FaradayCleanArgs& a,
                                        const FaradaySpectraTile<Real>& tile, long long pixel,
                                        int half_window, CleaningTeam<Real, kKnobs>& work) {
#pragma unroll
  for (int k = 0; k < kKnobs.each; ++k) {
    const int p = work.depth(k);
    work.residual[k] = {0, 0};
    if (p >= a.depths) continue;
    work.residual[k] = work.components[p];
    work.components[p] = {0, 0};
  }
  work.team.wait();
  const Real largest = work.largest_part();
  if (largest < 0) return 0;
  const Real scale = clean_scale(largest);
  if (scale != 1) work.multiply(scale);
  const double cutoff = faraday_level(a, tile, a.cutoffs, pixel, a.cutoff);
  const double window = faraday_level(a, tile, a.windows, pixel, a.window);
  const int iterations = faraday_clean_spectrum(a, cutoff, window, half_window, scale, work);
  if (scale == 1) return iterations;
  work.multiply(1 / scale);
  work.team.wait();
#pragma unroll
  for (int k = 0; k < kKnobs.each; ++k) {
    const int p = work.depth(k);
    if (p >= a.depths || pixel >= a.pixels) continue;
    CleanPart<Real>& component = work.components[p];
    component = {component.re * (1 / scale), component.im * (1 / scale)};
    if (iterations > 0) continue;
    work.residual[k] = {
        static_cast<const Real*>(a.real.data)[tile.place(a.real, pixel) + p * a.real.plane],
        static_cast<const Real*>(
            a.imaginary.data)[tile.place(a.imaginary, pixel) + p * a.imaginary.plane]};
  }
  return iterations;
}

/// kMany: pixels have their own tables, or tables are large; they stay in global memory.
template <class Real, CleanKnobs kKnobs, bool kMany>
__device__ inline void faraday_clean_pixels(const FaradayCleanArgs& a) {
  constexpr int kThreads = kKnobs.threads;
  extern __shared__ CleanPart<double> faraday_clean_memory[];
  Real* const memory = reinterpret_cast<Real*>(faraday_clean_memory);
  const int numbers = faraday_table_numbers(a.entries);
  const Real* const tables = static_cast<const Real*>(a.tables);
  if constexpr (!kMany)
    for (int i = static_cast<int>(threadIdx.x); i < numbers; i += a.teams * kThreads)
      memory[i] = tables[i];
  FaradaySpectraTile<Real> tile{reinterpret_cast<CleanPart<Real>*>(memory + (kMany ? 0 : numbers)),
                                a.depths,
                                faraday_tile_stride(a.depths, sizeof(Real)),
                                a.teams,
                                kThreads,
                                a.width,
                                1LL * blockIdx.x * a.teams,
                                a.pixels};
  const int bytes = faraday_team_bytes(kMany ? 0 : numbers, a.depths, a.teams, sizeof(Real)),
            number = static_cast<int>(threadIdx.x) / kThreads;
  FaradayTeam<kThreads> team(reinterpret_cast<unsigned long long*>(faraday_clean_memory) +
                             bytes / 8 - kFaradayTeamSlots);
  for (; tile.first < a.pixels; tile.first += 1LL * gridDim.x * a.teams) {
    tile.load(a.real, a.imaginary);
    __syncthreads();
    const long long pixel = tile.first + number;
    const int own = a.table_of_pixel && pixel < a.pixels ? a.table_of_pixel[pixel] : 0;
    const Real* const table = kMany ? tables + 1LL * own * numbers : memory;
    CleaningTeam<Real, kKnobs> work{team, reinterpret_cast<const CleanPart<Real>*>(table),
                                    table + 2 * a.entries, tile.of_team(number), a.depths};
    const int iterations = faraday_clean_row(a, tile, pixel, a.half_windows[own], work);
    if (a.iteration_map.data && team.rank == 0 && pixel < a.pixels)
      static_cast<Real*>(a.iteration_map.data)[tile.place(a.iteration_map, pixel)] =
          static_cast<Real>(iterations);
    __syncthreads();
    if (a.components_real.data || a.components_imaginary.data) {
      tile.store(a.components_real, a.components_imaginary);
      __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < kKnobs.each; ++k)
      if (work.depth(k) < a.depths) work.components[work.depth(k)] = work.residual[k];
    __syncthreads();
    tile.store(a.clean_real, a.clean_imaginary);
    __syncthreads();
  }
}

}  // namespace tessera
