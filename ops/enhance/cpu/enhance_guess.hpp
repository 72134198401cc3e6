// SPDX-License-Identifier: Apache-2.0
/// Percentiles without a histogram: guessed from some rows, then proved. A value v is the p-th
/// percentile if count(<= v - 1) < ceil(p N) <= count(<= v), and comparing all pixels with a few
/// values takes a fraction of the time of counting each. u16 has too many values to guess one:
/// there a range is guessed, and what lies in it is counted.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "ops/enhance/cpu/enhance_rows.hpp"
#include "ops/enhance/enhance_problem.hpp"

namespace tessera {

/// Three values in a row about the lower percentile, three about the higher one.
using GuessedValues = std::array<std::uint8_t, kGuessedValues>;
GuessedValues guess_limits(const EnhanceProblem&, const SweepCounts& some_rows);

/// Counts that have the same percentiles as the image's, from how many of its `total` samples are
/// greater than each value. False: the guess was wrong, and they must be counted.
bool prove_limits(const EnhanceProblem&, const GuessedValues&,
                  const std::array<std::uint64_t, kGuessedValues>& greater, std::uint64_t total,
                  SweepCounts& counts);

/// For u16: values that about a thousandth of the samples lies in on each side of each percentile.
/// Nothing where they meet or hold too many samples to be worth it.
std::optional<ValueRanges> guess_ranges(const EnhanceProblem&, const SweepCounts& some_rows);

/// The same as prove_limits(). `counts` comes with how often values in the ranges occur; `below` is
/// how many samples are smaller than each range.
bool prove_ranges(const EnhanceProblem&, const ValueRanges&,
                  const std::array<std::uint64_t, 2>& below, std::uint64_t total,
                  SweepCounts& counts);

}  // namespace tessera
