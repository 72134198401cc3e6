// SPDX-License-Identifier: Apache-2.0
/// CPU or GPU? Conclusions from the times of a report: rates, fractions of the roofline, the best
/// of each backend, ratios, costs, a sentence.
#pragma once

#include <optional>
#include <string>

#include "study/bench_report.hpp"

namespace tessera {

/// "cpu=0.08,gpu=3.5": the price per hour of each, either may be left out. Throws Error(usage).
struct BenchPrices {
  std::optional<double> cpu, gpu;
};
BenchPrices parse_prices(const std::string& text);

/// Fills in everything that follows from the times, ceilings and prices of the report.
void settle_report(BenchReport& report);

/// The fastest way of a backend that ran, with the copies or without; null: there is none.
const BenchWay* best_way(const BenchRow& row, const std::string& backend, bool transfers);

/// Operations per second that the roofline allows for the row; 0: unknown.
double roofline_of(const BenchRow& row, const BenchReport& report, const std::string& backend);

/// The report in lines for a terminal.
std::string describe_report(const BenchReport& report);

}  // namespace tessera
