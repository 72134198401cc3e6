// SPDX-License-Identifier: Apache-2.0
/// Options of a polarised sky.
#pragma once

#include <tuple>

#include "tessera/options.hpp"

namespace tessera {

struct PolarisedOptions {
  int channels = 300;
  double low = 800e6;
  double high = 1088e6;
  int sources = 20;
  double flux_low = 0.01;
  double flux_high = 0.1;
  double rm_max = 400;
  double sigma = 2;
  double separation = 16;
  double second = 0.2;
  double thick = 0.2;
  double thickness = 30;
  double noise = 1e-3;
  double flags = 0;
  int dead = 0;

  bool operator==(const PolarisedOptions&) const = default;
  static constexpr auto fields() {
    using O = PolarisedOptions;
    return std::tuple{
        field("channels", &O::channels, "frequencies, at equal steps"),
        field("low", &O::low, "the lowest frequency, Hz"),
        field("high", &O::high, "the highest frequency, Hz"),
        field("sources", &O::sources, "number of sources"),
        field("flux-low", &O::flux_low, "minimum polarised flux: the value at a source's centre"),
        field("flux-high", &O::flux_high, "maximum polarised flux"),
        field("rm-max", &O::rm_max, "the largest |rotation measure|, rad/m^2"),
        field("sigma", &O::sigma, "width of a source: standard deviation in pixels"),
        field("separation", &O::separation, "minimum distance between two sources, in pixels"),
        field("second", &O::second, "fraction of sources with a second component at another depth"),
        field("thick", &O::thick, "fraction of sources that are slabs, thick in Faraday depth"),
        field("thickness", &O::thickness, "maximum thickness of a slab, rad/m^2"),
        field("noise", &O::noise, "standard deviation of the Gaussian noise per voxel"),
        field("flags", &O::flags, "fraction of voxels that are NaN"),
        field("dead", &O::dead, "channels that are NaN everywhere"),
    };
  }
};

/// Throws Error(usage) naming an impossible value.
void check_polarised(const PolarisedOptions& options);

}  // namespace tessera
