// SPDX-License-Identifier: Apache-2.0
/// Several settings of how planes are made of photographs, in one run over an ensemble.
#pragma once

#include <string>
#include <vector>

#include "tessera/scene_planes.hpp"

namespace tessera {

/// One of the settings: a value of every option of the sweep.
struct SceneSetting {
  std::vector<std::string> values;
  ScenePlanesOptions scene;
};

struct SceneSweep {
  std::vector<std::string> options;    ///< "gradient-scale", in the order given; empty: no sweep
  std::vector<SceneSetting> settings;  ///< at least one; the last option varies fastest

  /// "gradient-scale 1, texture-scale 3"; "" without a sweep.
  std::string name_of(std::size_t setting) const;
};

/// "gradient-scale=1,2,texture-scale=3,4,6" is six settings of `usual` with these values; "" is
/// `usual` alone. Throws Error(usage) for other options, values out of their range, options or
/// values given twice, and more than kMostSettings.
SceneSweep parse_sweep(const std::string& text, const ScenePlanesOptions& usual);

inline constexpr int kMostSettings = 256;

}  // namespace tessera
