// SPDX-License-Identifier: Apache-2.0
#include "sample/polarised_options.hpp"

#include <fmt/format.h>

#include "core/refuse.hpp"
#include "sample/sample_checks.hpp"

namespace tessera {
namespace {

constexpr const char* kName = "polarised";

}  // namespace

void check_polarised(const PolarisedOptions& o) {
  check_ranges(kName, o);
  if (o.low >= o.high)
    refuse(kName, fmt::format("low is {} Hz; it must be below high, {} Hz", o.low, o.high));
  require_within(kName, "flux-low", o.flux_low, 1e-30, o.flux_high);
  require_within(kName, "dead", o.dead, 0, o.channels - 2);
}

}  // namespace tessera
