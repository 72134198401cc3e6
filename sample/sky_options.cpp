// SPDX-License-Identifier: Apache-2.0
#include "sample/sky_options.hpp"

#include "sample/sample_checks.hpp"

namespace tessera {
namespace {

constexpr const char* kName = "sky";

}  // namespace

void check_sky(const SkyOptions& o) {
  require_within(kName, "background", o.background, -1e30, 1e30);
  require_within(kName, "gradient", o.gradient, -1e30, 1e30);
  require_within(kName, "swell", o.swell, 0, 1e30);
  require_within(kName, "swell-length", o.swell_length, 2, 1e9);
  require_within(kName, "noise", o.noise, 0, 1e30);
  if (o.rise) require_within(kName, "rise", *o.rise, 1, 1000);
  require_within(kName, "sources", o.sources, 0, 1e6);
  require_within(kName, "flux-high", o.flux_high, 1e-30, 1e30);
  require_within(kName, "flux-low", o.flux_low, 1e-30, o.flux_high);
  require_within(kName, "slope", o.slope, 0.01, 10);
  require_within(kName, "separation", o.separation, 0, 1e6);
  require_within(kName, "beam", o.beam, 0.5, 1000);
  require_within(kName, "beam-ratio", o.beam_ratio, 0.1, 1);
  require_within(kName, "beam-angle", o.beam_angle, -180, 180);
  require_within(kName, "extended", o.extended, 0, 1);
  require_within(kName, "extent", o.extent, 1, 100);
  require_within(kName, "margin", o.margin, 0, 1e6);
  require_within(kName, "field-of-view", o.field_of_view, 0, 100);
  require_within(kName, "holes", o.holes, 0, 10000);
  require_within(kName, "hole-size", o.hole_size, 0, 1e6);
}

}  // namespace tessera
