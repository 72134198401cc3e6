// SPDX-License-Identifier: Apache-2.0
// Arguments of the kernel that removes delays.
#pragma once

namespace tessera {

struct XEngineTrackKnobs {
  int threads = 128;  ///< of a block
};

/// Phases are products of a start and a step, four in turn: both have a real and an imaginary part.
inline constexpr int kXEngineTrackLanes = 4, kXEngineTrackStarts = 2 * (kXEngineTrackLanes + 1);
inline constexpr int kXEngineTrackTaps = 64;
/// Floats before and behind all rows that threads at their ends may read.
inline constexpr int kXEngineTrackSlack = kXEngineTrackTaps + kXEngineTrackLanes;

/// Outputs `next` to `next + count` of some channels. Runs of outputs, whose phases begin again,
/// are counted from `first_run`, and knots, whose delays differ, from `first_knot`, in samples.
struct XEngineTrackArgs {
  const float* values;     ///< [channel][input][re, im][length]
  const float* taps;       ///< [knot][antenna][tap]; null: samples are not shifted
  const long long* place;  ///< [knot][antenna] where the first tap of output `next` is in a row
  const double* starts;    ///< [channel][antenna][run][kXEngineTrackStarts]
  float* out;              ///< [channel][input][count][re, im]
  long long length, next, count, first_run, runs, first_knot, knot;
  int inputs, polarisations, run;
};

}  // namespace tessera
