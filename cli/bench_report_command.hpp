// SPDX-License-Identifier: Apache-2.0
/// `tessera bench --report`: one page that answers "CPU or GPU?".
#pragma once

#include <string>

#include "cli/command.hpp"

namespace tessera {

struct BenchReportChoice {
  std::string page;       ///< empty: no report is wanted
  std::string operation;  ///< only this one; empty: all
  bool quick = false, force = false;
  std::string price, against, from;
};

void add_bench_report(Command& command, BenchReportChoice& choice);

/// Throws Error(usage) if options of a report are given without --report.
void check_no_report(const BenchReportChoice& choice);

void run_bench_report(const BenchReportChoice& choice, Session& session);

}  // namespace tessera
