// SPDX-License-Identifier: Apache-2.0
/// The checked problem that the methods of the fit see, and the interface they implement.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/choice.hpp"
#include "ops/faraday/stokes/stokes_fit_pixel.cuh"
#include "tessera/stokes_fit.hpp"

namespace tessera {

struct StokesFitProblem {
  ImageInfo image, output;  ///< f32 or f64, one channel; planes are channels and StokesPlanes
  std::vector<double> frequencies;
  std::vector<StokesChannel> channels;
  StokesRule rule;
  int device = 0;  ///< where the CUDA method runs
};

/// Throws Error(usage) with what would be right.
StokesFitProblem stokes_fit_problem(const ImageInfo& image, const std::vector<double>& frequencies,
                                    const StokesFitOptions& options);

/// The views of a call; `model` may be empty.
struct StokesCall {
  StokesVoxels voxels;
  AnyMutableView model, maps;
};

/// One plane of noise is repeated for all channels by a step of 0.
inline StokesCubes stokes_cubes(const AnyView& i, const AnyView& sigma) {
  const auto source = [](const AnyView& view) {
    return FaradaySource{view.data, view.pixel, view.row, view.size.planes > 1 ? view.plane : 0};
  };
  return {source(i), source(sigma)};
}

/// A method, ready to run. Immutable: any number of threads run it, each on its own stream.
class StokesFitRunner {
 public:
  virtual ~StokesFitRunner() = default;
  /// Views fit the problem except for the number of rows, which is the same in all.
  virtual void run(const StokesCall& call, Stream& stream) const = 0;
  virtual std::string describe() const = 0;
};

using StokesFitMethod = Method<StokesFitProblem, StokesFitRunner>;
const std::vector<StokesFitMethod>& stokes_fit_methods();

using StokesFitRunnerPointer = std::unique_ptr<const StokesFitRunner>;
StokesFitRunnerPointer make_stokes_fit_reference(const StokesFitProblem&);
StokesFitRunnerPointer make_stokes_fit_rows(const StokesFitProblem&);

}  // namespace tessera
