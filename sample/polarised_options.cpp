// SPDX-License-Identifier: Apache-2.0
#include "sample/polarised_options.hpp"

#include <fmt/format.h>

#include "sample/sample_checks.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char* kName = "polarised";

}  // namespace

void check_polarised(const PolarisedOptions& o) {
  require_within(kName, "channels", o.channels, 2, 1e5);
  require_within(kName, "high", o.high, 1e6, 1e12);
  if (!(o.low >= 1e6 && o.low < o.high))
    throw Error(ErrorKind::usage,
                fmt::format("polarised: low is {} Hz; it must be 1e6 or more and below high, {}",
                            o.low, o.high));
  require_within(kName, "sources", o.sources, 0, 1e6);
  require_within(kName, "flux-high", o.flux_high, 1e-30, 1e30);
  require_within(kName, "flux-low", o.flux_low, 1e-30, o.flux_high);
  require_within(kName, "rm-max", o.rm_max, 0, 1e7);
  require_within(kName, "sigma", o.sigma, 0.1, 1000);
  require_within(kName, "separation", o.separation, 0, 1e6);
  require_within(kName, "second", o.second, 0, 1);
  require_within(kName, "thick", o.thick, 0, 1);
  require_within(kName, "thickness", o.thickness, 0, 1e7);
  require_within(kName, "noise", o.noise, 0, 1e30);
  require_within(kName, "flags", o.flags, 0, 1);
  require_within(kName, "dead", o.dead, 0, o.channels - 2);
}

}  // namespace tessera
