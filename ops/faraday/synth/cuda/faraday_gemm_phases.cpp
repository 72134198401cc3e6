// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/synth/cuda/faraday_gemm_phases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ops/faraday/faraday_phase.hpp"

namespace tessera {

std::vector<double> faraday_shares(const FaradayAxes& axes) {
  std::vector<double> shares = axes.weight;
  for (double& share : shares) share /= axes.weight_sum;
  return shares;
}

std::vector<double> faraday_phases(const FaradayAxes& axes) {
  const auto channels = static_cast<std::size_t>(axes.channels());
  const bool symmetric = axes.symmetric();
  const auto depths = symmetric ? (axes.phi.size() + 1) / 2 : axes.phi.size();
  const std::size_t inner = symmetric ? channels : 2 * channels;
  const std::vector<double> shares = faraday_shares(axes);
  std::vector<double> phases(2 * depths * inner);
  for (std::size_t p = 0; p < depths; ++p)
    for (std::size_t k = 0; k < channels; ++k) {
      const std::complex<double> turn =
          shares[k] * faraday_turn(axes.phi[p], axes.lambda2[k] - axes.lambda2_0);
      double* const upper = phases.data() + p * inner + k;
      double* const lower = phases.data() + (depths + p) * inner + k;
      *upper = turn.real();
      *lower = symmetric ? -turn.imag() : turn.imag();
      if (symmetric) continue;
      upper[channels] = -turn.imag();
      lower[channels] = turn.real();
    }
  return phases;
}

// Twice as many of each if the grid is not symmetric; fewer if it is.
std::string why_no_faraday_product(long long depths, long long channels) {
  const long long most = std::numeric_limits<int>::max(), rows = 2 * depths, inner = 2 * channels;
  if (std::max(rows, inner) <= most) return "";
  return fmt::format(
      "products of {}x{} numbers have more rows or columns than cuBLAS can count, {}", rows, inner,
      most);
}

}  // namespace tessera
