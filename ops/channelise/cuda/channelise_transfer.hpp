// SPDX-License-Identifier: Apache-2.0
/// Samples and spectra of the host, copied without gaps for the way to a device and back.
#pragma once

#include <cstddef>

#include "ops/channelise/channelise_blocks.hpp"

namespace tessera {

/// A packed copy of the samples that a call needs, in memory that the caller provides.
class ChanneliseGather {
 public:
  ChanneliseGather(const ChanneliseProblem& problem, const RawVoltages& in, long long first,
                   long long count);

  std::size_t bytes() const { return bytes_; }
  void copy(void* to, int threads) const;
  /// The copy, once it lies at `data`.
  ChanneliseSamples samples(const void* data) const;

 private:
  const ChanneliseProblem& problem_;
  ChanneliseSamples from_;
  ChannelisePlaces places_{};
  long long first_, count_, item_;
  int parts_;
  std::size_t bytes_ = 0;
};

/// Spectra in layout cit to their places.
void scatter_spectra(const ChanneliseProblem& problem, const void* packed, const SpectraBlock& out,
                     int threads);

}  // namespace tessera
