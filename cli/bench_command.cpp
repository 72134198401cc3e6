// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_report_command.hpp"
#include "cli/commands.hpp"
#include "tessera/error.hpp"

#if TESSERA_HAVE_BENCH
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <sstream>
#endif

namespace tessera {
namespace {

constexpr double kMinTime = 0.5;

struct BenchChoice {
  std::string filter;
  double min_time = kMinTime;
  bool list = false;
  BenchReportChoice report;  ///< has the operation
};

constexpr const char* kBenchExamples = R"(Examples:
  tessera bench --op convolve
  tessera bench --filter 'cpu.*taps:7' --min-time 2 --json > results.json
  tessera bench --report report.html --quick
  tessera bench --report costs.html --price cpu=0.08,gpu=3.5
  tessera bench --report both.html --from here.json --against there.json
)";

#if TESSERA_HAVE_BENCH

// The row of a case whose device is absent begins with "absent:"; any other message is a failure.
// Google Benchmark 1.8 renamed the field.
template <class Run>
bool failed(const Run& run) {
  if constexpr (requires { run.error_message; })
    return run.error_occurred && !run.error_message.starts_with("absent:");
  else
    return !run.skip_message.empty() && !run.skip_message.starts_with("absent:");
}

// A reporter that also counts the cases that failed.
template <class Base>
class CountingReporter : public Base {
 public:
  template <class... Options>
  explicit CountingReporter(Options... options) : Base(options...) {
    this->SetErrorStream(&notes_);
  }
  bool ReportContext(const benchmark::BenchmarkReporter::Context& context) override {
    const bool wanted = Base::ReportContext(context);
    std::fputs(notes_.str().c_str(), stderr);
    this->SetErrorStream(&std::cerr);
    return wanted;
  }
  void ReportRuns(const std::vector<benchmark::BenchmarkReporter::Run>& runs) override {
    for (const auto& run : runs) failures += failed(run);
    Base::ReportRuns(runs);
  }
  int failures = 0;

 private:
  std::ostringstream notes_;  // dropped when no case matches: run_with says that
};

void initialize(const BenchChoice& choice) {
  std::vector<std::string> words{
      "tessera bench",
      fmt::format("--benchmark_filter={}", choice.filter.empty() ? "." : choice.filter),
      fmt::format("--benchmark_min_time={}", choice.min_time),
      fmt::format("--benchmark_list_tests={}", choice.list)};
  if (!choice.report.operation.empty())
    words[1] = fmt::format("--benchmark_filter=^{}/.*{}", choice.report.operation, choice.filter);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
}

template <class Reporter>
void run_with(Reporter&& reporter) {
  if (benchmark::RunSpecifiedBenchmarks(&reporter) == 0)
    throw Error(ErrorKind::usage, "no benchmark matches; see tessera bench --list");
  if (reporter.failures > 0)
    throw Error(ErrorKind::failure,
                fmt::format("{} benchmarks failed; their lines say why", reporter.failures));
}

void run_benchmarks(const BenchChoice& choice, bool json) {
  if (!(choice.min_time > 0))
    throw Error(ErrorKind::usage, "--min-time must be more than 0 seconds");
  using Console = benchmark::ConsoleReporter;
  initialize(choice);
  if (json)
    run_with(CountingReporter<benchmark::JSONReporter>());
  else
    run_with(CountingReporter<Console>(isatty(STDOUT_FILENO) ? Console::OO_ColorTabular
                                                             : Console::OO_Tabular));
}

#else

void run_benchmarks(const BenchChoice&, bool) {
  throw Error(ErrorKind::failure,
              "benchmarks were left out of this build; install Google Benchmark and build again");
}

#endif

void run_bench(const BenchChoice& choice, Session& session) {
  if (choice.report.page.empty()) {
    check_no_report(choice.report);
    return run_benchmarks(choice, session.json);
  }
  if (!choice.filter.empty() || choice.list || choice.min_time != kMinTime)
    throw Error(ErrorKind::usage,
                "--report has its own cases; leave out --filter, --min-time and --list");
  run_bench_report(choice.report, session);
}

}  // namespace

void add_bench(Program& program) {
  auto choice = std::make_shared<BenchChoice>();
  Command command =
      program.command("bench", "Time operations and compare them with the machine's peak.");
  command.option("op", choice->report.operation, "only this operation");
  command.option("filter", choice->filter, "only cases whose name matches a regular expression");
  command.option("min-time", choice->min_time, "seconds per case");
  command.flag("list", choice->list, "only list the cases");
  add_bench_report(command, choice->report);
  command.talk();
  command.notes(kBenchExamples);
  command.action([choice](Session& session) { run_bench(*choice, session); });
}

}  // namespace tessera
