// SPDX-License-Identifier: Apache-2.0
#include "sample/sky_options.hpp"

#include "sample/sample_checks.hpp"

namespace tessera {
namespace {

constexpr const char* kSkyName = "sky";

}  // namespace

void check_sky(const SkyOptions& o) {
  require_within(kSkyName, "background", o.background, -1e30, 1e30);
  require_within(kSkyName, "gradient", o.gradient, -1e30, 1e30);
  require_within(kSkyName, "swell", o.swell, 0, 1e30);
  require_within(kSkyName, "swell-length", o.swell_length, 2, 1e9);
  require_within(kSkyName, "noise", o.noise, 0, 1e30);
  if (o.rise) require_within(kSkyName, "rise", *o.rise, 1, 1000);
  require_within(kSkyName, "sources", o.sources, 0, 1e6);
  require_within(kSkyName, "flux-high", o.flux_high, 1e-30, 1e30);
  require_within(kSkyName, "flux-low", o.flux_low, 1e-30, o.flux_high);
  require_within(kSkyName, "slope", o.slope, 0.01, 10);
  require_within(kSkyName, "separation", o.separation, 0, 1e6);
  require_within(kSkyName, "beam", o.beam, 0.5, 1000);
  require_within(kSkyName, "beam-ratio", o.beam_ratio, 0.1, 1);
  require_within(kSkyName, "beam-angle", o.beam_angle, -180, 180);
  require_within(kSkyName, "extended", o.extended, 0, 1);
  require_within(kSkyName, "extent", o.extent, 1, 100);
  require_within(kSkyName, "margin", o.margin, 0, 1e6);
  require_within(kSkyName, "field-of-view", o.field_of_view, 0, 100);
  require_within(kSkyName, "holes", o.holes, 0, 10000);
  require_within(kSkyName, "hole-size", o.hole_size, 0, 1e6);
}

}  // namespace tessera
