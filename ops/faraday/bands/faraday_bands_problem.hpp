// SPDX-License-Identifier: Apache-2.0
/// The checked problem that the methods of the bands see, and the interface they implement.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/choice.hpp"
#include "ops/faraday/faraday_band.cuh"
#include "tessera/faraday_bands.hpp"

namespace tessera {

struct FaradayBandsProblem {
  ImageInfo image, output;  ///< f32 or f64, one channel; planes are channels and FaradayBand
  std::vector<FaradayBandChannel> channels;
  FaradayBandRule rule;
  int device = 0;  ///< where the CUDA method runs
};

/// A method, ready to run. Immutable: any number of threads run it, each on its own stream.
class FaradayBandsRunner {
 public:
  virtual ~FaradayBandsRunner() = default;
  /// Views fit the problem except for the number of rows, which is the same in all.
  virtual void run(const FaradayVoxels& voxels, AnyMutableView bands, Stream& stream) const = 0;
  virtual void weigh(const FaradayVoxels& voxels, AnyMutableView q, AnyMutableView u,
                     Stream& stream) const = 0;
  virtual std::string describe() const = 0;
};

using FaradayBandsMethod = Method<FaradayBandsProblem, FaradayBandsRunner>;
const std::vector<FaradayBandsMethod>& faraday_bands_methods();

using FaradayBandsRunnerPointer = std::unique_ptr<const FaradayBandsRunner>;
FaradayBandsRunnerPointer make_faraday_bands_reference(const FaradayBandsProblem&);
FaradayBandsRunnerPointer make_faraday_bands_rows(const FaradayBandsProblem&);

}  // namespace tessera
