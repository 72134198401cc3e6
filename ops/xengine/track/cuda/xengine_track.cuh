// SPDX-License-Identifier: Apache-2.0
// Delays removed from samples: a sum over taps and a turn, by the operations of the host's vectors
// (xengine_track_simd.cpp) in their order, so that the bits are theirs.
#pragma once

#include "ops/xengine/track/cuda/xengine_track_args.cuh"

namespace tessera {

/// exp(-2 pi i f d) of the four outputs of a thread, as in fringe_phases.
struct XEngineTrackPhases {
  float re[kXEngineTrackLanes], im[kXEngineTrackLanes];
};
__device__ inline XEngineTrackPhases xengine_track_phases(const double* starts, int steps) {
  constexpr int kLanes = kXEngineTrackLanes;
  XEngineTrackPhases phases;
  const double re = starts[2 * kLanes], im = starts[2 * kLanes + 1];
  for (int n = 0; n < kLanes; ++n) {
    double x = starts[n], y = starts[kLanes + n];
    for (int k = 0; k < steps; ++k) {
      const double next = x * re - y * im;
      y = x * im + y * re;
      x = next;
    }
    phases.re[n] = static_cast<float>(x);
    phases.im[n] = static_cast<float>(y);
  }
  return phases;
}

/// Four neighbouring sums over taps: every sample is read once.
__device__ inline void xengine_track_sums(const float* values, const float* taps, float* sums) {
  constexpr int kLanes = kXEngineTrackLanes;
  float window[kLanes];
  for (int n = 0; n < kLanes; ++n) sums[n] = 0;
  for (int n = 0; n + 1 < kLanes; ++n) window[n] = values[n];
  for (int k = 0; k < kXEngineTrackTaps; ++k) {
    window[kLanes - 1] = values[k + kLanes - 1];
    for (int n = 0; n < kLanes; ++n) sums[n] = __fmaf_rn(taps[k], window[n], sums[n]);
    for (int n = 0; n + 1 < kLanes; ++n) window[n] = window[n + 1];
  }
}

/// One thread per four outputs of a run; blocks down are channels.
template <XEngineTrackKnobs kKnobs>
__device__ inline void xengine_track(const XEngineTrackArgs& a) {
  constexpr int kLanes = kXEngineTrackLanes;
  const int quads = (a.run + kLanes - 1) / kLanes;
  const long long thread = 1LL * blockIdx.x * kKnobs.threads + threadIdx.x;
  const int quad = static_cast<int>(thread % quads);
  const long long run = thread / quads % a.runs, input = thread / quads / a.runs;
  if (input >= a.inputs) return;
  const int lanes = a.run - quad * kLanes < kLanes ? a.run - quad * kLanes : kLanes;
  const long long start = a.first_run + run * a.run, first = start + quad * kLanes - a.next;
  if (first + lanes <= 0 || first >= a.count) return;
  const int antennas = a.inputs / a.polarisations;
  const long long antenna = input / a.polarisations, channel = blockIdx.y;
  const long long table = (start - a.first_knot) / a.knot * antennas + antenna;
  const XEngineTrackPhases phases = xengine_track_phases(
      a.starts + ((channel * antennas + antenna) * a.runs + run) * kXEngineTrackStarts, quad);
  const float* const re =
      a.values + 2 * (channel * a.inputs + input) * a.length + first + a.place[table];
  const float* const im = re + a.length;
  float x[kLanes], y[kLanes];
  if (a.taps) {
    xengine_track_sums(re, a.taps + table * kXEngineTrackTaps, x);
    xengine_track_sums(im, a.taps + table * kXEngineTrackTaps, y);
  } else {
    for (int n = 0; n < kLanes; ++n) x[n] = re[n], y[n] = im[n];
  }
  float* const out = a.out + 2 * ((channel * a.inputs + input) * a.count + first);
  for (int n = 0; n < lanes; ++n) {
    if (first + n < 0 || first + n >= a.count) continue;
    out[2 * n] = __fmaf_rn(-y[n], phases.im[n], x[n] * phases.re[n]);
    out[2 * n + 1] = __fmaf_rn(y[n], phases.re[n], x[n] * phases.im[n]);
  }
}

}  // namespace tessera
