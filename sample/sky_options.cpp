// SPDX-License-Identifier: Apache-2.0
#include "sample/sky_options.hpp"

#include "sample/sample_checks.hpp"

namespace tessera {

void check_sky(const SkyOptions& o) {
  check_ranges("sky", o);
  require_within("sky", "flux-low", o.flux_low, 1e-30, o.flux_high);
}

}  // namespace tessera
