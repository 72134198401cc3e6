// SPDX-License-Identifier: Apache-2.0
#include "sample/polarised_options.hpp"

#include <fmt/format.h>

#include "tessera/error.hpp"

namespace tessera {
namespace {

/// NaN is outside.
void require(const char* name, double value, double low, double high) {
  if (!(value >= low && value <= high))
    throw Error(ErrorKind::usage,
                fmt::format("polarised: {} is {}; it must be {} to {}", name, value, low, high));
}

}  // namespace

void check_polarised(const PolarisedOptions& o) {
  require("channels", o.channels, 2, 1e5);
  require("high", o.high, 1e6, 1e12);
  if (!(o.low >= 1e6 && o.low < o.high))
    throw Error(ErrorKind::usage,
                fmt::format("polarised: low is {} Hz; it must be 1e6 or more and below high, {}",
                            o.low, o.high));
  require("sources", o.sources, 0, 1e6);
  require("flux-high", o.flux_high, 1e-30, 1e30);
  require("flux-low", o.flux_low, 1e-30, o.flux_high);
  require("rm-max", o.rm_max, 0, 1e7);
  require("sigma", o.sigma, 0.1, 1000);
  require("separation", o.separation, 0, 1e6);
  require("second", o.second, 0, 1);
  require("thick", o.thick, 0, 1);
  require("thickness", o.thickness, 0, 1e7);
  require("noise", o.noise, 0, 1e30);
  require("flags", o.flags, 0, 1);
  require("dead", o.dead, 0, o.channels - 2);
}

}  // namespace tessera
