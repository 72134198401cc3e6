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
        field("channels", &O::channels, "frequencies, at equal steps", Range{2, 1e5}),
        field("low", &O::low, "the lowest frequency, Hz", Range{1e6, 1e12}),
        field("high", &O::high, "the highest frequency, Hz", Range{1e6, 1e12}),
        field("sources", &O::sources, "number of sources", Range{0, 1e6}),
        field("flux-low", &O::flux_low, "minimum polarised flux: the value at a source's centre",
              Range{1e-30, 1e30}),
        field("flux-high", &O::flux_high, "maximum polarised flux", Range{1e-30, 1e30}),
        field("rm-max", &O::rm_max, "the largest |rotation measure|, rad/m^2", Range{0, 1e7}),
        field("sigma", &O::sigma, "width of a source: standard deviation in pixels",
              Range{0.1, 1000}),
        field("separation", &O::separation, "minimum distance between two sources, in pixels",
              Range{0, 1e6}),
        field("second", &O::second, "fraction of sources with a second component at another depth",
              Range{0, 1}),
        field("thick", &O::thick, "fraction of sources that are slabs, thick in Faraday depth",
              Range{0, 1}),
        field("thickness", &O::thickness, "maximum thickness of a slab, rad/m^2", Range{0, 1e7}),
        field("noise", &O::noise, "standard deviation of the Gaussian noise per voxel",
              Range{0, 1e30}),
        field("flags", &O::flags, "fraction of voxels that are NaN", Range{0, 1}),
        field("dead", &O::dead, "channels that are NaN everywhere", Range{0, 1e5}),
    };
  }
};

/// Throws Error(usage) naming an impossible value.
void check_polarised(const PolarisedOptions& options);

}  // namespace tessera
