// SPDX-License-Identifier: Apache-2.0
/// The direction in which delays are zero.
#pragma once

#include <optional>
#include <string>

#include "io/uvfits/uvfits_sky.hpp"
#include "jobs/xengine/xengine_outputs.hpp"

namespace tessera {

/// The value of --phase-centre; neither: auto.
struct PhaseCentreChoice {
  bool zenith = false;
  std::optional<SkyPlace> place;
};
/// "auto", "zenith" or "83.6,22.0"; throws Error(usage) for others.
PhaseCentreChoice parse_phase_centre(const std::string& text);

class PhaseCentre {
 public:
  /// Throws Error(usage) for the zenith of antennas whose positions are not known.
  PhaseCentre(const PhaseCentreChoice& choice, const XEngineDescription& description);
  bool drifts() const { return drifts_; }
  /// The centre at a time; the zenith has a different name each time.
  UvfitsCentre at(double mjd);

 private:
  bool drifts_ = false;
  UvfitsCentre fixed_;
  Vector3 middle_{};  ///< of the array
  int times_ = 0;
};

}  // namespace tessera
