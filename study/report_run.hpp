// SPDX-License-Identifier: Apache-2.0
/// Times the standard work of operations on every backend and method, and measures the machine.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "study/bench_report.hpp"
#include "study/call_work.hpp"
#include "study/report_work.hpp"

namespace tessera {

struct ReportOptions {
  bool quick = false;
  std::string operation;  ///< only this one; empty: all
  std::string version;    ///< of Tessera
};

/// Called with the number done and the total.
using ReportProgress = std::function<void(long long done, long long all)>;

/// Everything that a report times.
struct ReportEntries {
  std::vector<ReportEntry> works;
  std::vector<CallEntry> calls;
};

/// Every entry's rows, and the ceilings of the machine; verdicts are still missing
/// (report_verdict.hpp). Throws Error(usage) for an operation that has no entry.
BenchReport run_report(const ReportEntries& entries, const ReportOptions& options,
                       const ReportProgress& progress);

/// One entry's row: ways take turns, so that a slowdown of the machine affects all of them.
BenchRow time_entry(const ReportEntry& entry, bool quick);

}  // namespace tessera
