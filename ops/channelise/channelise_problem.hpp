// SPDX-License-Identifier: Apache-2.0
/// What the methods of the filter bank see: the checked problem, and what they must make of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/choice.hpp"
#include "tessera/channelise.hpp"
#include "tessera/stream.hpp"

namespace tessera {

/// Spectra that costs are estimated for.
inline constexpr int kTypicalSpectra = 256;

struct ChanneliseProblem {
  XEngineShape shape;  ///< of the recording
  ChanneliseOptions options;
  int transform = 0;  ///< N2
  int hop = 0;
  std::vector<float> filter;  ///< taps * transform
  std::vector<float> gains;   ///< as in ChanneliseTables
  int device = 0;             ///< where the CUDA methods run

  int channels() const { return options.channels; }
  int outputs() const { return shape.channels * options.channels; }
  long long length() const { return static_cast<long long>(filter.size()); }
  /// The first k, at position 0 of a coarse channel.
  int first_channel() const { return options.real ? 0 : -(options.channels / 2); }
  bool is_quantised() const { return is_integer(options.output_type); }
  float gain(int output, int input) const {
    if (gains.empty()) return 1;
    const std::size_t at =
        gains.size() == 1 ? 0
        : gains.size() == static_cast<std::size_t>(outputs())
            ? static_cast<std::size_t>(output)
            : static_cast<std::size_t>(output) * static_cast<std::size_t>(shape.inputs()) +
                  static_cast<std::size_t>(input);
    return gains[at];
  }
  /// Samples m D of a spectrum modulo the transform: how far the mixer has turned.
  int turn(long long spectrum) const {
    return static_cast<int>(spectrum % transform * hop % transform);
  }
  /// Samples that a typical call takes, of all inputs.
  double samples() const { return 1.0 * shape.inputs() * shape.channels * kTypicalSpectra * hop; }
};

/// A checked call. `whole` has the bytes of the output's mask, [spectrum][input]; null: all
/// spectra are whole.
struct ChanneliseCall {
  const RawVoltages& in;
  const SpectraBlock& out;
  const unsigned char* whole = nullptr;
};

/// Counts of a method, while they grow.
class ChanneliseTally {
 public:
  virtual ~ChanneliseTally() = default;
};

/// A method, ready to run. Immutable: any number of threads run it, each on its own stream and
/// tally.
class ChanneliseRunner {
 public:
  virtual ~ChanneliseRunner() = default;
  virtual std::unique_ptr<ChanneliseTally> start() const = 0;
  /// There is at least one spectrum. Memory may be on the host for CUDA methods too.
  virtual void run(ChanneliseTally& tally, const ChanneliseCall& call, Stream& stream) const = 0;
  /// And begins again.
  virtual ChanneliseCounts take(ChanneliseTally& tally, Stream& stream) const = 0;
  virtual std::string describe() const = 0;  ///< "avx512, 16 spectra at a time"
};

using ChanneliseMethod = Method<ChanneliseProblem, ChanneliseRunner>;
const std::vector<ChanneliseMethod>& channelise_methods();
using ChanneliseRunnerPointer = std::unique_ptr<const ChanneliseRunner>;

}  // namespace tessera
