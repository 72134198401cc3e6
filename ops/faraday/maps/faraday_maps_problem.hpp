// SPDX-License-Identifier: Apache-2.0
/// The checked problem that the methods of Faraday maps see, and the interface they implement.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/choice.hpp"
#include "tessera/faraday_maps.hpp"

namespace tessera {

struct FaradayMapsProblem {
  ImageInfo spectra, output;  ///< f32 or f64, one channel; planes are depths and maps
  FaradayAxes axes;
  double fwhm = 0;
  std::vector<FaradayMap> maps;
  double noise = 0;  ///< dF where the bands do not have it; NaN: measured in the spectrum
  int device = 0;    ///< where the CUDA methods run
};

/// Spectra of some rows, the bands of their pixels (may be empty), and the destination.
struct FaradayMapsCall {
  AnyView real, imaginary, bands;
  AnyMutableView maps;
};

/// A method, ready to run. Immutable: any number of threads run it, each on its own stream.
class FaradayMapsRunner {
 public:
  virtual ~FaradayMapsRunner() = default;
  virtual void run(const FaradayMapsCall& call, Stream& stream) const = 0;
  virtual std::string describe() const = 0;
};

using FaradayMapsMethod = Method<FaradayMapsProblem, FaradayMapsRunner>;
const std::vector<FaradayMapsMethod>& faraday_maps_methods();

using FaradayMapsRunnerPointer = std::unique_ptr<const FaradayMapsRunner>;
FaradayMapsRunnerPointer make_faraday_maps_reference(const FaradayMapsProblem&);
FaradayMapsRunnerPointer make_faraday_maps_simd(const FaradayMapsProblem&);

}  // namespace tessera
