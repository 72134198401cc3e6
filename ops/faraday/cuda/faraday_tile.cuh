// SPDX-License-Identifier: Apache-2.0
// Spectra of neighbouring pixels, transposed through shared memory: in memory the pixels of one
// depth are contiguous, and teams need the depths of one pixel.
#pragma once

#include "ops/faraday/clean/faraday_clean_step.cuh"
#include "ops/faraday/cuda/faraday_cubes.cuh"
#include "ops/faraday/cuda/faraday_team_args.cuh"

namespace tessera {

/// The pixels of a block, one per team; neighbouring threads are neighbouring pixels.
template <class Real>
struct FaradaySpectraTile {
  CleanPart<Real>* memory;
  int depths, stride, teams, team_threads;
  int width;
  long long first, pixels;  ///< pixel of team 0; number of all pixels, in row order

  __device__ CleanPart<Real>* of_team(int team) const { return memory + team * stride; }

  /// Where a pixel of a plane lies.
  template <class Cube>
  __device__ long long place(const Cube& cube, long long pixel) const {
    return pixel / width * cube.row + pixel % width * cube.pixel;
  }

  __device__ void load(const FaradaySource& real, const FaradaySource& imaginary) const {
    const int team = static_cast<int>(threadIdx.x) % teams;
    const long long pixel = first + team;
    CleanPart<Real>* const to = of_team(team);
    const bool there = pixel < pixels;
    const Real* re = static_cast<const Real*>(real.data) + (there ? place(real, pixel) : 0);
    const Real* im =
        static_cast<const Real*>(imaginary.data) + (there ? place(imaginary, pixel) : 0);
#pragma unroll 4
    for (int p = static_cast<int>(threadIdx.x) / teams; p < depths; p += team_threads) {
      to[p] = {0, 0};
      if (there) to[p] = {re[p * real.plane], im[p * imaginary.plane]};
    }
  }

  /// Targets without data are not wanted.
  __device__ void store(const FaradayTarget& real, const FaradayTarget& imaginary) const {
    const int team = static_cast<int>(threadIdx.x) % teams;
    const long long pixel = first + team;
    if (pixel >= pixels) return;
    const CleanPart<Real>* const from = of_team(team);
    Real* re = static_cast<Real*>(real.data) + place(real, pixel);
    Real* im = static_cast<Real*>(imaginary.data) + place(imaginary, pixel);
    for (int p = static_cast<int>(threadIdx.x) / teams; p < depths; p += team_threads) {
      if (real.data) re[p * real.plane] = from[p].re;
      if (imaginary.data) im[p * imaginary.plane] = from[p].im;
    }
  }
};

}  // namespace tessera
