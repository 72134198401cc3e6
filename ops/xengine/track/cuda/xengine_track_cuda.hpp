// SPDX-License-Identifier: Apache-2.0
/// Delays removed on a device, from and to memory of the host, with the bits of vectors that have
/// fused products.
#pragma once

#include <vector>

#include "ops/xengine/track/cuda/xengine_track_args.cuh"
#include "ops/xengine/track/xengine_track.hpp"
#include "ops/xengine/track/xengine_window.hpp"
#include "tessera/stream.hpp"

namespace tessera {

/// Outputs to make: `count` from sample `next` on, [channel][input][time][re, im].
struct FringeStretch {
  const FringeSetup& setup;
  const FringeWindow& window;
  const std::vector<FringeKnot>& knots;
  long long next, count, knot, run, halo;
};

/// Tables of a stretch, for some channels; samples are not among them.
struct FringeTables {
  std::vector<float> taps;
  std::vector<long long> place;
  std::vector<double> starts;
};
FringeTables fringe_tables(const FringeStretch& of, int first_channel, int channels);

/// Without pointers.
XEngineTrackArgs fringe_args(const FringeStretch& of);
/// Blocks across that a launch needs.
long long fringe_blocks(const XEngineTrackArgs& args, int threads);

class FringeDevice {
 public:
  /// Throws Error(resources) if there is no such device.
  explicit FringeDevice(int device) : stream_(device) {}
  void turn(const FringeStretch& of, float* out);

 private:
  Stream stream_;
};

}  // namespace tessera
