// SPDX-License-Identifier: Apache-2.0
// Where visibilities lie: one rule for host and device. Includes nothing foreign.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// Number of the baseline of antennas a >= b.
TESSERA_BOTH constexpr long long baseline_of(int a, int b) { return 1LL * a * (a + 1) / 2 + b; }

/// Place of V_ij within a channel in triangular order; the antenna of i is not before that of j.
TESSERA_BOTH constexpr long long triangular_place(int i, int j, int polarisations) {
  const int a = i / polarisations, b = j / polarisations;
  return (baseline_of(a, b) * polarisations + i % polarisations) * polarisations +
         j % polarisations;
}

}  // namespace tessera
