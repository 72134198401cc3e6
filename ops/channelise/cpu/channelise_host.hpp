// SPDX-License-Identifier: Apache-2.0
/// Shared by the CPU methods: counts, and spectra of one input and coarse channel at a time.
#pragma once

#include <atomic>
#include <vector>

#include "ops/channelise/channelise_blocks.hpp"
#include "ops/channelise/channelise_problem.hpp"

namespace tessera {

class ChanneliseHostTally : public ChanneliseTally {
 public:
  std::atomic<long long> saturated = 0, not_a_number = 0;

  void add(const ChanneliseTallies& counts) {
    if (counts.saturated) saturated += counts.saturated;
    if (counts.not_a_number) not_a_number += counts.not_a_number;
  }
};

/// Some neighbouring spectra of an input and coarse channel.
struct ChanneliseUnit {
  int coarse, input;
  long long first;  ///< in the call
  int count;
};

/// A CPU method: units of spectra on all threads. The parts that do not depend on the arithmetic.
class ChanneliseHostRunner : public ChanneliseRunner {
 public:
  /// Units have `spectra` spectra; the last of a call may have fewer.
  ChanneliseHostRunner(const ChanneliseProblem& problem, int spectra)
      : problem_(problem), unit_(spectra) {}
  std::unique_ptr<ChanneliseTally> start() const override {
    return std::make_unique<ChanneliseHostTally>();
  }
  void run(ChanneliseTally& tally, const ChanneliseCall& call, Stream& stream) const override;
  ChanneliseCounts take(ChanneliseTally& tally, Stream& stream) const override;

 protected:
  /// Writes the spectra of a unit. Missing ones are zeros and count nothing.
  virtual void make(const ChanneliseCall& call, const ChanneliseUnit& unit,
                    ChanneliseTallies& counts) const = 0;
  const ChanneliseProblem& problem() const { return problem_; }

 private:
  ChanneliseProblem problem_;
  int unit_;
};

/// Whether a spectrum of an input has all of its samples.
inline bool is_whole(const ChanneliseCall& call, int inputs, long long spectrum, int input) {
  return !call.whole || call.whole[spectrum * inputs + input] != 0;
}

ChanneliseRunnerPointer make_channelise_reference(const ChanneliseProblem& problem);
ChanneliseRunnerPointer make_channelise_direct(const ChanneliseProblem& problem);
ChanneliseRunnerPointer make_channelise_fft(const ChanneliseProblem& problem);
std::string why_no_channelise_fft(const ChanneliseProblem& problem);
double channelise_direct_seconds(const ChanneliseProblem& problem, const Machine& machine);
double channelise_fft_seconds(const ChanneliseProblem& problem, const Machine& machine);

}  // namespace tessera
