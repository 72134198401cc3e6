// SPDX-License-Identifier: Apache-2.0
/// The vectors of the fft method: 16 spectra side by side, which are 16 transforms down a slab.
#pragma once

#include <string>

#include "core/fft_axis.hpp"
#include "ops/channelise/channelise_blocks.hpp"

namespace tessera {

inline constexpr int kChanneliseLanes = kSlabColumns<float>;
/// Floats around samples and filters that vectors may read and do not use.
inline constexpr int kChannelisePad = 16;

/// A row that is folded to the length M of a transform: value j is the sum over taps t of
/// filter[a + t M] samples[a + t M], with a = (j - turn) mod M.
struct ChanneliseFold {
  const float* samples;
  const float* filter;
  int turn;
};
struct ChanneliseFolds {
  int length, taps;                          ///< M, which is a multiple of 16
  ChanneliseFold rows[2][kChanneliseLanes];  ///< real and imaginary parts of 16 spectra
  bool turned;                               ///< whether any row is
};

/// A line of a transformed slab that becomes a channel. Real samples: the value at a frequency
/// comes from those at it and at its opposite; complex ones: `opposite` is negative.
struct ChanneliseLine {
  const float* slab;
  int row, opposite;
  float turn_re, turn_im;  ///< of the odd samples
  const float* whole;      ///< 16 numbers, 0 for spectra that are missing
  float gain, most;        ///< most 0: the output is float
};

struct ChanneliseVectors {
  int most_radix;
  /// Samples [first, first + count) of a line as floats: real and imaginary parts, or even and odd
  /// samples of the recording, in two planes.
  void (*decode)(const ChanneliseOptions& options, const ChanneliseSamples& samples,
                 const unsigned char* line, long long first, long long count, float* planes[2]);
  void (*fold)(const ChanneliseFolds& folds, float* slab);
  void (*transform)(const FftAxis<float>& axis, float* slab);
  /// 16 values with their parts side by side.
  void (*store)(const ChanneliseLine& line, unsigned char* to, int bytes,
                ChanneliseTallies& counts);
};

/// Those of the target that plans made now use.
ChanneliseVectors channelise_vectors();

}  // namespace tessera
