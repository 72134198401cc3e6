// SPDX-License-Identifier: Apache-2.0
/// What the methods of the X-engine see: the checked problem, and what they must make of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/choice.hpp"
#include "tessera/stream.hpp"
#include "tessera/xengine.hpp"

namespace tessera {

/// Worst-case sums of |re| or |im| of a product of samples fit int32 over this many samples:
/// 2 * 128 * 128 * 65535 < 2^31. ci4: 2 * 8 * 8.
constexpr int samples_in_int32(SampleType type) {
  return type == SampleType::ci4 ? 16777215 : 65535;
}

/// Blocks that costs are estimated for.
inline constexpr int kTypicalSamples = 4096;

struct XEngineProblem {
  XEngineShape shape;
  XEngineOptions options;
  VisibilityInfo output;
  int device = 0;  ///< where the CUDA methods run

  /// Real multiply-adds of a typical block: four per pair of inputs.
  double products() const {
    return 4.0 * static_cast<double>(shape.values()) * shape.channels * kTypicalSamples;
  }
};

/// Sums of a method, while they grow. They begin empty, and take memory with the first block.
class XEngineSums {
 public:
  virtual ~XEngineSums() = default;

  /// A runner sets it before a block changes anything, the plan resets it when the block is added
  /// and counted. If it is still set, a block was added only in part.
  bool touched = false;
  /// Samples of the integration before the block that comes next, missing ones included. Runs of
  /// float sums are counted from sample 0 of the integration, so that blocks change no bit.
  long long position = 0;

  int phase() const { return static_cast<int>(position % kFloatRun); }  ///< in the run
};

/// A method, ready to run. Immutable: any number of threads run it, each on its own stream and
/// sums.
class XEngineRunner {
 public:
  virtual ~XEngineRunner() = default;
  virtual std::unique_ptr<XEngineSums> start() const = 0;
  /// The block has at least one sample. Host blocks reach CUDA methods too. Invalid samples count
  /// as zero; the plan counts them.
  virtual void add(XEngineSums& sums, const VoltageBlock& block, Stream& stream) const = 0;
  /// Writes the visibilities as the problem's output says, zeros if nothing was added; returns the
  /// number of saturated parts. Clears the sums. Returns when done.
  virtual long long dump(XEngineSums& sums, VisibilityView out, Stream& stream) const = 0;
  virtual void clear(XEngineSums& sums, Stream& stream) const = 0;
  virtual std::string describe() const = 0;  ///< "neon-dot"
};

using XEngineMethod = Method<XEngineProblem, XEngineRunner>;
const std::vector<XEngineMethod>& xengine_methods();
using XEngineRunnerPointer = std::unique_ptr<const XEngineRunner>;

}  // namespace tessera
