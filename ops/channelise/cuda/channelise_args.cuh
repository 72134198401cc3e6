// SPDX-License-Identifier: Apache-2.0
// Arguments of the filter bank's kernels.
#pragma once

#include "core/cuda/line_fft_args.cuh"
#include "ops/channelise/channelise_samples.cuh"

namespace tessera {

/// Spectra that a thread filters together: neighbours share samples and coefficients.
inline constexpr int kChanneliseTogether = 4;

/// Shared memory that a block should need at most, so that three fit on a multiprocessor.
inline constexpr int kChanneliseShared = 64 << 10;

/// Spectra per block: a power of two up to 16.
TESSERA_BOTH constexpr LineShape channelise_shape(int length) {
  LineShape shape{length, 16};
  while (shape.lines > 1 && line_fft_bytes(shape) > kChanneliseShared) shape.lines /= 2;
  return shape;
}

struct ChanneliseArgs {
  LineShape shape;  ///< for kernels for any length
  LinePasses passes;
  const LineValue* turns;       ///< exp(-2 pi i k / M)
  const LineValue* half_turns;  ///< exp(-2 pi i k / 2 M), for real samples
  const float* filter;          ///< taps * N2
  int taps, hop;
  int channels, inputs, first_line;  ///< line: coarse * inputs + input; blocks down begin there
  const unsigned char* data;         ///< packed in time, aligned to samples
  ChannelisePlaces from;
  long long first_sample;  ///< of the recording, sample 0 of the data
  unsigned char* out;
  ChannelisePlaces to;
  long long first_spectrum, spectra;
  int bytes;           ///< of a value
  float most;          ///< 0: values are floats
  bool wide;           ///< neighbouring spectra can be stored 8 bytes at a time
  const float* gains;  ///< gains[channel * gain_channel + input * gain_input]
  int gain_channel, gain_input;
  const unsigned char* whole;  ///< [spectrum][input]; null: all are
  unsigned long long* counts;  ///< saturated, not a number
};

inline constexpr int kChannelisePackTile = 32, kChannelisePackThreads = 256;
/// Shared memory of that kernel: a tile of two parts of up to 4 bytes, one value more per row, so
/// that columns lie in different banks.
inline constexpr int kChannelisePackShared = kChannelisePackTile * (kChannelisePackTile + 1) * 8;

/// Samples [first, first + count) of a block, packed per input: [coarse][input][pitch].
struct ChannelisePackArgs {
  ChanneliseSamples samples;
  unsigned char* out;
  long long first, count, pitch;
  int inputs;
  bool inputs_first;  ///< neighbouring inputs are closer than neighbouring times
};

}  // namespace tessera
