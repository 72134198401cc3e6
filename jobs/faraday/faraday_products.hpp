// SPDX-License-Identifier: Apache-2.0
/// The files of `faraday synth`, their names and their headers.
#pragma once

#include <string>
#include <vector>

#include "jobs/faraday/faraday_header.hpp"
#include "jobs/faraday/faraday_outputs.hpp"
#include "jobs/faraday/faraday_strips.hpp"
#include "jobs/faraday/faraday_synth_job.hpp"

namespace tessera {

/// "default", "all", "none" or names separated by commas. Throws Error(usage).
std::vector<FaradayMap> faraday_maps_of(const std::string& text);

/// The name of a map's file, that of rmtools_peakfitcube if it has one; the unit of its values, if
/// spectra are in `flux`; and the header of the largest value or its depth, which keeps all axes
/// (`unit`: that of the cubes of channels).
std::string faraday_map_name(FaradayMap map, bool measured_noise);
std::string faraday_map_unit(FaradayMap map, const std::string& flux);
HeaderCards faraday_peak_header(const HeaderCards& depth_header, const FaradayCubeAxes& axes,
                                FaradayMap map, double first_depth, const std::string& unit);

/// Cubes that are written.
struct FaradayCubesWanted {
  bool dirty = false, clean = false, components = false;
};
/// By --cubes, --maps-only and --clean. Throws Error(usage) for names that do not exist, and for
/// cubes of cleaned spectra that are not cleaned.
FaradayCubesWanted faraday_cubes_of(const FaradaySynthJob& job);

/// The data that names and headers depend on.
struct FaradayProductsOf {
  const FaradaySynthJob& job;
  const FaradayCubeSource& input;  ///< Q
  const FaradayAxes& axes;
  bool measured_noise = true;
  bool rmsf_cube = false;  ///< RMSFs are written for every pixel
};

struct FaradayProducts {
  FaradayLayout layout;
  std::vector<FaradayMap> maps;  ///< computed: max-pi and peak-rm, then the others asked for
  std::vector<FaradayProduct> streamed;
  std::vector<FaradayProduct> pattern;  ///< the map of patterns, used if there are any
};
FaradayProducts faraday_products(const FaradayProductsOf& of, bool rmsf);

/// The RMSFs of `count` patterns next to each other, plane after plane.
std::vector<FaradayProduct> rmsf_products(const FaradayProductsOf& of, int count);

/// "out/field_" + "RMSF_real" + ".fits"
std::string faraday_file(const FaradayProductsOf& of, const std::string& name);

}  // namespace tessera
