// SPDX-License-Identifier: Apache-2.0
#include "ops/faraday/synth/cpu/faraday_turns.hpp"

#include <fmt/format.h>

#include "core/pools.hpp"

namespace tessera {
namespace {

constexpr double kMostTableBytes = 1LL << 31;

}  // namespace

FaradayTurns::FaradayTurns(const FaradayAxes& axes) : mirrored(axes.symmetric()) {
  const int depths = axes.depths();
  for (int p = mirrored ? depths / 2 : 0; p < depths; ++p) {
    phi.push_back(axes.phi[static_cast<std::size_t>(p)]);
    depth.push_back(p);
    if (mirrored) depth.push_back(depths - 1 - p == p ? -1 : depths - 1 - p);
  }
}

std::string why_no_faraday_tables(const FaradayProblem& problem) {
  const double turns = problem.axes.depths() / (problem.axes.symmetric() ? 2.0 : 1.0);
  const double bytes = 2.0 * turns * problem.axes.channels() * bytes_of(problem.image.type);
  if (bytes <= kMostTableBytes) return "";
  return fmt::format("{} channels by {} depths need tables of {}, more than {}",
                     problem.axes.channels(), problem.axes.depths(), bytes_text(bytes),
                     bytes_text(kMostTableBytes));
}

}  // namespace tessera
