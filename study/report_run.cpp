// SPDX-License-Identifier: Apache-2.0
#include "study/report_run.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iterator>

#include "core/device.hpp"
#include "core/machine.hpp"
#include "core/parallel.hpp"
#include "study/byte_peak.hpp"
#include "study/call_times.hpp"
#include "study/study_loops.hpp"

namespace tessera {
namespace {

/// Seconds for which a way may be timed, and the number of its turns in them.
struct Patience {
  double seconds;
  int least, most;
};
constexpr Patience kWhole{1.5, 3, 11}, kQuick{0.2, 3, 7};

/// A way while it is timed.
struct Timed {
  const ReportWay* way;
  Stream* stream;
  int calls = 1, turns = 0;
  std::vector<double> seconds = {};

  /// Copies of pageable memory are the host's work too: they end when the caller has the result.
  double time(const DeviceTiming& timing) {
    const auto clock = way->transfers ? time_by_wall : time_calls;
    return clock(*stream, timing, [this] { way->run(*stream); }).front();
  }
};

void plan_turns(Timed& timed, const Patience& patience) {
  const double once = timed.time({.warm_ups = 0, .repeats = 1});
  timed.calls = calls_a_batch(once);
  timed.turns = std::clamp(static_cast<int>(patience.seconds / (once * timed.calls)),
                           patience.least, patience.most);
}

void take_turns(std::vector<Timed>& all, const Patience& patience) {
  for (Timed& timed : all) plan_turns(timed, patience);
  for (int turn = 0; turn < patience.most; ++turn)
    for (Timed& timed : all)
      if (turn < timed.turns)
        timed.seconds.push_back(timed.time({.warm_ups = 0, .repeats = 1, .calls = timed.calls}));
}

void keep_times(const Timed& timed, BenchWay& way) {
  const MedianTime time = median_time(timed.seconds);
  way.ms = 1e3 * time.seconds;
  way.spread = time.spread;
}

BenchRow row_of(const ReportEntry& entry, const ReportWork& work) {
  BenchRow row;
  row.operation = entry.operation;
  row.what = work.what;
  row.counts = work.counts;
  row.amount = work.amount;
  row.flops = work.flops;
  row.bytes = work.bytes;
  row.bytes_of_8_bits = work.bytes_of_8_bits;
  row.published = entry.published;
  for (const ReportWay& way : work.ways) {
    BenchWay& kept = row.ways.emplace_back();
    kept.backend = name_of(way.backend);
    kept.method = way.method;
    kept.transfers = way.transfers;
    kept.absent = way.absent;
  }
  return row;
}

void measure_machine(BenchReport& report) {
  const Machine& machine = this_machine();
  report.machine = machine.cpu_name;
  report.threads = available_threads();
  const CpuCeilings cpu = measure_cpu();
  report.cpu_flops = cpu.fma_flops_all;
  report.cpu_bytes_per_second = cpu.copy_bytes_all;
  report.no_device_reason = machine.no_device_reason;
  if (machine.devices.empty()) return;
  const std::string driver = device_versions().driver;
  report.device =
      machine.devices.front().name + (driver.empty() ? "" : fmt::format(", driver {}", driver));
  const DeviceCeilings device = measure_device(0);
  report.gpu_flops = device.fma_flops;
  report.gpu_bytes_per_second = device.copy_bytes;
  report.gpu_byte_ops = measure_byte_peak(0);
  report.upload_bytes_per_second = device.upload_pinned;
  report.download_bytes_per_second = device.download_pinned;
}

std::vector<ReportEntry> chosen_entries(const std::vector<ReportEntry>& entries,
                                        const std::string& operation) {
  if (operation.empty()) return entries;
  std::vector<std::string> known;
  for (const ReportEntry& entry : entries) {
    if (entry.operation == operation) return {entry};
    known.push_back(entry.operation);
  }
  throw_unknown("--op", operation, known);
}

}  // namespace

BenchRow time_entry(const ReportEntry& entry, bool quick) {
  const ReportWork work = entry.make(quick);
  BenchRow row = row_of(entry, work);
  Stream host;
  std::optional<Stream> device;
  std::vector<Timed> all;
  for (const ReportWay& way : work.ways) {
    if (!way.run) continue;
    if (way.backend == Backend::cuda && !device) device.emplace(0);
    all.push_back({&way, way.backend == Backend::cuda ? &*device : &host});
  }
  take_turns(all, quick ? kQuick : kWhole);
  for (Timed& timed : all)
    keep_times(timed, row.ways[static_cast<std::size_t>(timed.way - work.ways.data())]);
  return row;
}

BenchReport run_report(const ReportEntries& entries, const ReportOptions& options,
                       const ReportProgress& progress) {
  std::vector<ReportEntry> chosen = chosen_entries(entries.works, options.operation);
  std::ranges::sort(chosen, {}, &ReportEntry::operation);
  BenchReport report;
  report.version = options.version;
  report.quick = options.quick;
  if (const char* commit = std::getenv("TESSERA_COMMIT")) report.commit = commit;
  report.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  std::vector<CallEntry> calls = entries.calls;
  std::erase_if(calls, [&](const CallEntry& entry) {
    return !options.operation.empty() && entry.operation != options.operation;
  });
  std::ranges::sort(calls, {}, &CallEntry::operation);
  const long long all = std::ssize(chosen) + std::ssize(calls) + 1;
  long long done = 0;
  if (progress) progress(0, all);
  measure_machine(report);
  for (const ReportEntry& entry : chosen) {
    if (progress) progress(++done, all);
    report.rows.push_back(time_entry(entry, options.quick));
  }
  for (const CallEntry& entry : calls) {
    if (progress) progress(++done, all);
    std::ranges::move(time_calls_of(entry, options.quick), std::back_inserter(report.calls));
  }
  if (progress) progress(all, all);
  return report;
}

}  // namespace tessera
