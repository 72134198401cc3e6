// SPDX-License-Identifier: Apache-2.0
/// Percentiles without a histogram: guessed from some rows, then proved. A value v is the p-th
/// percentile if count(<= v - 1) < ceil(p N) <= count(<= v), and comparing all pixels with a few
/// values takes a fraction of the time of counting each. u16 has too many values to guess one: a
/// range is guessed instead, and the samples in it are counted.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "ops/enhance/cpu/enhance_rows.hpp"
#include "ops/enhance/enhance_problem.hpp"

namespace tessera {

/// Three consecutive values around the lower percentile, three around the higher one.
using GuessedValues = std::array<std::uint8_t, kGuessedValues>;
GuessedValues guess_limits(const EnhanceProblem&, const SweepCounts& some_rows);

/// Counts with the same percentiles as the image's, from the number of its `total` samples that are
/// greater than each value. False: the guess was wrong, and the samples must be counted.
bool prove_limits(const EnhanceProblem&, const GuessedValues&,
                  const std::array<std::uint64_t, kGuessedValues>& greater, std::uint64_t total,
                  SweepCounts& counts);

/// For u16: ranges that contain about a thousandth of the samples on each side of each percentile.
/// Empty if they overlap or contain too many samples to pay.
std::optional<ValueRanges> guess_ranges(const EnhanceProblem&, const SweepCounts& some_rows);

/// As prove_limits(). `counts` holds how often values in the ranges occur; `below` is the number of
/// samples smaller than each range.
bool prove_ranges(const EnhanceProblem&, const ValueRanges&,
                  const std::array<std::uint64_t, 2>& below, std::uint64_t total,
                  SweepCounts& counts);

}  // namespace tessera
