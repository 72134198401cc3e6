// SPDX-License-Identifier: Apache-2.0
// Work shared by the methods: images with samples that are not finite, summed according to the
// definition, and the energies of planes. A padding zero times an infinity would be a NaN, so such
// images get loops that end at the edges of the images.
#pragma once

#include "ops/correlate/cuda/correlate_args.cuh"

namespace tessera {

/// One pair of planes and one shift.
template <class In>
__device__ inline double exact_pair(const CorrelateArgs& a, int image, CorrelatePair pair, int dx,
                                    int dy) {
  const CorrelateSource &s = a.sources[0], &t = a.sources[a.second];
  const In* from = plane_of<In>(a, 0, image, pair.first) + dy * s.row + dx * s.pixel;
  const In* other = plane_of<In>(a, a.second, image, pair.second);
  double sum = 0;
  for (int y = dy < 0 ? -dy : 0; y < a.height && y + dy < a.height; ++y)
    for (int x = dx < 0 ? -dx : 0; x < a.width && x + dx < a.width; ++x)
      sum = __fma_rn(static_cast<double>(from[y * s.row + x * s.pixel]),
                     static_cast<double>(other[y * t.row + x * t.pixel]), sum);
  return sum;
}

/// A thread makes one output; neighbouring threads have neighbouring shifts. Most images need
/// nothing.
template <class In>
__device__ void correlate_exact(const CorrelateArgs& a) {
  const int image = static_cast<int>(blockIdx.z), thread = static_cast<int>(threadIdx.x);
  bool found = false;
  for (int slot = thread; slot < a.slots; slot += kCorrelateThreads)
    found = found || a.not_finite[static_cast<long long>(image) * a.slots + slot] != 0;
  if (!__syncthreads_or(found)) return;
  const long long outputs = static_cast<long long>(a.shifts_x) * a.shifts_y * a.maps;
  for (long long k = static_cast<long long>(blockIdx.x) * kCorrelateThreads + thread; k < outputs;
       k += static_cast<long long>(gridDim.x) * kCorrelateThreads) {
    const int x = static_cast<int>(k % a.shifts_x),
              y = static_cast<int>(k / a.shifts_x % a.shifts_y);
    const int map = static_cast<int>(k / a.shifts_x / a.shifts_y);
    double sum = 0;
    for (int pair = a.map_begin[map]; pair < a.map_begin[map + 1]; ++pair)
      sum += exact_pair<In>(a, image, a.pairs[pair], a.first_x + x, a.first_y + y);
    store_sum(a, image, map, x, y, sum);
  }
}

/// The sum of a plane's squares over every kEnergyParts-th row: part x of plane y of image z; the
/// planes of the others come after those of the images.
template <class In>
__device__ void correlate_energy(const CorrelateArgs& a) {
  __shared__ double sums[kCorrelateThreads];
  const int thread = static_cast<int>(threadIdx.x), plane = static_cast<int>(blockIdx.y);
  const int source = plane / a.planes, image = static_cast<int>(blockIdx.z);
  const In* from = plane_of<In>(a, source, image, plane % a.planes);
  double sum = 0;
  for (int y = static_cast<int>(blockIdx.x); y < a.height; y += kEnergyParts)
    for (int x = thread; x < a.width; x += kCorrelateThreads) {
      const auto value =
          static_cast<double>(from[y * a.sources[source].row + x * a.sources[source].pixel]);
      sum = __fma_rn(value, value, sum);
    }
  sums[thread] = sum;
  for (int half = kCorrelateThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) sums[thread] += sums[thread + half];
  }
  if (thread == 0)
    a.energies[(static_cast<long long>(image) * gridDim.y + plane) * kEnergyParts + blockIdx.x] =
        sums[0];
}

__device__ inline double whole_energy(const CorrelateArgs& a, int image, int source, int plane) {
  const double* parts = a.energies + (static_cast<long long>(image) * (a.second + 1) * a.planes +
                                      source * a.planes + plane) *
                                         kEnergyParts;
  double sum = 0;
  for (int part = 0; part < kEnergyParts; ++part) sum += parts[part];
  return sum;
}

/// A thread makes one map's divisor.
__device__ inline void correlate_divisors(const CorrelateArgs& a) {
  const int k = static_cast<int>(blockIdx.x * kCorrelateThreads + threadIdx.x);
  if (k >= a.images * a.maps) return;
  const int image = k / a.maps, map = k % a.maps;
  double sum = 0;
  for (int pair = a.map_begin[map]; pair < a.map_begin[map + 1]; ++pair)
    sum += sqrt(whole_energy(a, image, 0, a.pairs[pair].first) *
                whole_energy(a, image, a.second, a.pairs[pair].second));
  a.divisors[k] = sum * a.energy_factor;
}

}  // namespace tessera
