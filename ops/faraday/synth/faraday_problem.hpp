// SPDX-License-Identifier: Apache-2.0
/// The checked problem that the methods of rotation measure synthesis see, and the interface they
/// implement.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/choice.hpp"
#include "tessera/faraday.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

struct FaradayProblem {
  ImageInfo image, output;  ///< f32 or f64, one channel; planes are channels and depths
  FaradayAxes axes;
  int device = 0;  ///< where the CUDA methods run

  /// Products of the plain sum: complex multiply-adds.
  double products() const { return static_cast<double>(image.size.pixels()) * axes.depths(); }
};

/// Q and U of some rows, and the destination of their spectra.
struct FaradayCall {
  AnyView q, u;
  AnyMutableView real, imaginary;
};

/// A method, ready to run. Immutable: any number of threads run it, each on its own stream.
class FaradayRunner {
 public:
  virtual ~FaradayRunner() = default;
  /// Views fit the problem except for the number of rows, which is the same in all; steps may be
  /// anything. CUDA methods get host views too. The result of a pixel depends only on that pixel.
  virtual void run(const FaradayCall& call, Stream& stream) const = 0;
  virtual std::string describe() const = 0;  ///< "neon, grid of 1024"
};

using FaradayMethod = Method<FaradayProblem, FaradayRunner>;
const std::vector<FaradayMethod>& faraday_methods();

using FaradayRunnerPointer = std::unique_ptr<const FaradayRunner>;
FaradayRunnerPointer make_faraday_reference(const FaradayProblem&);
FaradayRunnerPointer make_faraday_direct_cpu(const FaradayProblem&);

}  // namespace tessera
