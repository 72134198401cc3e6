// SPDX-License-Identifier: Apache-2.0
/// The checked problem that the methods of RM-CLEAN see, and the interface they implement.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/choice.hpp"
#include "tessera/faraday_clean.hpp"

namespace tessera {

struct FaradayCleanProblem {
  ImageInfo spectra;  ///< f32 or f64, one channel; planes are depths
  FaradayRmsf rmsf;   ///< 2 n + 1 values for n depths, the middle one at zero
  FaradayCleanOptions options;
  double dphi = 0;
  int device = 0;  ///< where the CUDA methods run

  int depths() const { return spectra.size.planes; }
};

/// A method, ready to run. Immutable: any number of threads run it, each on its own stream.
class FaradayCleanRunner {
 public:
  virtual ~FaradayCleanRunner() = default;
  /// Views fit the problem except for the number of rows; steps may be anything, `cleaned` may be
  /// `dirty` itself. CUDA methods get host views too. The result of a pixel depends only on that
  /// pixel.
  virtual void run(const FaradayDirty& dirty, const FaradayCleaned& cleaned,
                   Stream& stream) const = 0;
  virtual std::string describe() const = 0;
};

using FaradayCleanMethod = Method<FaradayCleanProblem, FaradayCleanRunner>;
const std::vector<FaradayCleanMethod>& faraday_clean_methods();

using FaradayCleanRunnerPointer = std::unique_ptr<const FaradayCleanRunner>;
FaradayCleanRunnerPointer make_faraday_clean_reference(const FaradayCleanProblem&);
FaradayCleanRunnerPointer make_faraday_clean_simd(const FaradayCleanProblem&);

}  // namespace tessera
