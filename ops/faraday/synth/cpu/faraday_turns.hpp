// SPDX-License-Identifier: Apache-2.0
/// Shared by the methods that sum over channels: which turns (cosine and sine) they need, and which
/// depths follow from each.
///
/// A grid that is symmetric about zero needs half of them: with C = w cos(2 phi d) and
/// S = w sin(2 phi d) the four sums of C Q, S U, C U and S Q make
///
///     F(phi) = (C Q + S U) + i (C U - S Q),     F(-phi) = (C Q - S U) + i (C U + S Q)
#pragma once

#include <string>
#include <vector>

#include "ops/faraday/faraday_phase.hpp"
#include "ops/faraday/synth/cpu/faraday_pack.hpp"

namespace tessera {

struct FaradayTurns {
  explicit FaradayTurns(const FaradayAxes& axes);

  bool mirrored = false;    ///< one turn gives two depths
  std::vector<double> phi;  ///< for every turn
  std::vector<int> depth;   ///< of rows of results, one or two per turn; -1: already present

  int count() const { return static_cast<int>(phi.size()); }
  int rows_each() const { return mirrored ? 2 : 1; }
};

/// The channel's fraction of the weights times exp(2 i phi d), in double, to be rounded once.
inline std::complex<double> faraday_turn_of(const FaradayTurns& turns, int turn,
                                            const FaradayUsed& used, int channel) {
  const auto k = static_cast<std::size_t>(channel);
  return used.share[k] *
         std::conj(faraday_turn(turns.phi[static_cast<std::size_t>(turn)], used.offset[k]));
}

/// "100 channels by 16777216 depths need tables of 13.4 GB, more than 2.1 GB"; empty: they are not
/// too large.
std::string why_no_faraday_tables(const FaradayProblem& problem);

}  // namespace tessera
