// SPDX-License-Identifier: Apache-2.0
#include "sample/sky_options.hpp"

#include <fmt/format.h>

#include "tessera/error.hpp"

namespace tessera {
namespace {

/// NaN is outside.
void require(const char* name, double value, double low, double high) {
  if (!(value >= low && value <= high))
    throw Error(ErrorKind::usage,
                fmt::format("sky: {} is {}; it must be {} to {}", name, value, low, high));
}

}  // namespace

void check_sky(const SkyOptions& o) {
  require("background", o.background, -1e30, 1e30);
  require("gradient", o.gradient, -1e30, 1e30);
  require("swell", o.swell, 0, 1e30);
  require("swell-length", o.swell_length, 2, 1e9);
  require("noise", o.noise, 0, 1e30);
  if (o.rise) require("rise", *o.rise, 1, 1000);
  require("sources", o.sources, 0, 1e6);
  require("flux-high", o.flux_high, 1e-30, 1e30);
  require("flux-low", o.flux_low, 1e-30, o.flux_high);
  require("slope", o.slope, 0.01, 10);
  require("separation", o.separation, 0, 1e6);
  require("beam", o.beam, 0.5, 1000);
  require("beam-ratio", o.beam_ratio, 0.1, 1);
  require("beam-angle", o.beam_angle, -180, 180);
  require("extended", o.extended, 0, 1);
  require("extent", o.extent, 1, 100);
  require("margin", o.margin, 0, 1e6);
  require("field-of-view", o.field_of_view, 0, 100);
  require("holes", o.holes, 0, 10000);
  require("hole-size", o.hole_size, 0, 1e6);
}

}  // namespace tessera
