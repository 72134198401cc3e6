// SPDX-License-Identifier: Apache-2.0
/// Which files `faraday synth` makes, what they are called, and what their headers say.
#pragma once

#include <string>
#include <vector>

#include "jobs/faraday/faraday_header.hpp"
#include "jobs/faraday/faraday_outputs.hpp"
#include "jobs/faraday/faraday_strips.hpp"
#include "jobs/faraday/faraday_synth_job.hpp"

namespace tessera {

/// "default", "all", "none" or names by commas. Throws Error(usage).
std::vector<FaradayMap> faraday_maps_of(const std::string& text);

/// What the names and headers depend on.
struct FaradayProductsOf {
  const FaradaySynthJob& job;
  const FaradayCubeSource& input;  ///< Q
  const FaradayAxes& axes;
  bool measured_noise = true;
};

struct FaradayProducts {
  FaradayLayout layout;
  std::vector<FaradayMap> maps;  ///< computed: max-pi and peak-rm, then what else is asked
  std::vector<FaradayProduct> streamed;
  std::vector<FaradayProduct> pattern;  ///< the map of patterns, for where there are any
};
FaradayProducts faraday_products(const FaradayProductsOf& of, bool rmsf);

/// The RMSFs of `count` patterns beside each other, planes one after the other.
std::vector<FaradayProduct> rmsf_products(const FaradayProductsOf& of, int count);

/// "out/field_" + "RMSF_real" + ".fits"
std::string faraday_file(const FaradayProductsOf& of, const std::string& name);

/// Whether RMSFs are written for every pixel.
bool has_rmsf_cube(const FaradaySynthJob& job);

}  // namespace tessera
