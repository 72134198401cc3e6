// SPDX-License-Identifier: Apache-2.0
/// Percentiles without a histogram: guessed from some rows, then proved. A value v is the p-th
/// percentile if count(<= v - 1) < ceil(p N) <= count(<= v), and comparing all pixels with a few
/// values takes a fraction of the time of counting each.
#pragma once

#include <array>
#include <cstdint>

#include "ops/enhance/enhance_problem.hpp"
#include "ops/enhance/enhance_rows.hpp"

namespace tessera {

/// Three values in a row about the lower percentile, three about the higher one.
using GuessedValues = std::array<std::uint8_t, kGuessedValues>;
GuessedValues guess_limits(const EnhanceProblem&, const SweepCounts& some_rows);

/// Counts that have the same percentiles as the image's, from how many of its `total` samples are
/// greater than each value. False: the guess was wrong, and they must be counted.
bool prove_limits(const EnhanceProblem&, const GuessedValues&,
                  const std::array<std::uint64_t, kGuessedValues>& greater, std::uint64_t total,
                  SweepCounts& counts);

}  // namespace tessera
