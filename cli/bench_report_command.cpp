// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_report_command.hpp"

#include <fmt/format.h>

#include "jobs/bench/bench_page.hpp"
#include "jobs/read_result.hpp"
#include "study/report_run.hpp"
#include "study/report_verdict.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// A report and its description for the terminal.
struct SaidReport : BenchReport {
  std::string files;
  std::string describe() const { return describe_report(*this) + "\n" + files; }
};

/// Times and counts that a page cannot draw.
void check_numbers(const std::string& path, const BenchReport& report) {
  const auto refuse = [&](const BenchRow& row, const char* what) {
    throw Error(ErrorKind::input,
                fmt::format("{}: {} of {} is not positive", path, what, row.operation));
  };
  for (const BenchRow& row : report.rows) {
    if (!(row.amount > 0)) refuse(row, "the amount");
    if (row.flops < 0 || row.bytes < 0) refuse(row, "the arithmetic");
    for (const BenchWay& way : row.ways)
      if (way.ms && !(*way.ms > 0)) refuse(row, "a time");
  }
  for (const BenchCall& call : report.calls)
    for (const auto& us : {call.new_plan_us, call.kept_plan_us, call.own_plan_us})
      if (us && !(*us > 0))
        throw Error(ErrorKind::input,
                    fmt::format("{}: a call of {} is not positive", path, call.operation));
}

BenchReport read_report(const std::string& path) {
  Json json = read_json(path);
  if (json.is_object() && !json.contains("calls")) json["calls"] = Json::array();  // older reports
  BenchReport report;
  try {
    read_value("it", json, report);
  } catch (const Error& error) {
    throw Error(
        ErrorKind::input,
        fmt::format("{}: {}; it is not a report of tessera bench --report", path, error.what()));
  }
  check_numbers(path, report);
  return report;
}

BenchReport measured_report(const BenchReportChoice& choice, Session& session) {
  BenchReport report =
      run_report({report_entries(), call_entries()},
                 {choice.quick, choice.operation, TESSERA_VERSION}, session.progress());
  settle_report(report);
  return report;
}

/// Costs follow the prices; everything else stays as it was read.
void set_prices(const BenchPrices& prices, BenchReport& report) {
  if (prices.cpu) report.cpu_price = prices.cpu;
  if (prices.gpu) report.gpu_price = prices.gpu;
  if (prices.cpu || prices.gpu) settle_report(report);
}

}  // namespace

void add_bench_report(Command& command, BenchReportChoice& choice) {
  const auto text = [&](const char* name, const char* hint, std::string& value,
                        const std::string& help) {
    command.option(name, hint, "", help, [&value](const std::string& given) { value = given; });
  };
  text("report", "FILE", choice.page,
       "time the standard work of every operation and write a page, with JSON next to it");
  command.flag("quick", choice.quick, "with --report: small cases, less than a minute");
  text("price", "cpu=N,gpu=N", choice.price,
       "with --report: the price of an hour; the page then shows costs");
  text("against", "FILE", choice.against, "with --report: another machine's JSON, for comparison");
  text("from", "FILE", choice.from, "with --report: draw this JSON, time nothing");
  command.flag("force", choice.force, std::string("with --report: ") + kForceHelp);
}

void check_no_report(const BenchReportChoice& choice) {
  const std::pair<const char*, bool> given[] = {{"--quick", choice.quick},
                                                {"--price", !choice.price.empty()},
                                                {"--against", !choice.against.empty()},
                                                {"--from", !choice.from.empty()},
                                                {"--force", choice.force}};
  for (const auto& [name, is_given] : given)
    if (is_given)
      throw Error(ErrorKind::usage, fmt::format("{} needs --report with the name of a page", name));
}

void run_bench_report(const BenchReportChoice& choice, Session& session) {
  if (!choice.from.empty() && (choice.quick || !choice.operation.empty()))
    throw Error(ErrorKind::usage, "--from times nothing; leave out --quick and --op");
  const BenchPrices prices = parse_prices(choice.price);
  std::string against = "null";
  if (!choice.against.empty()) against = json_text(read_report(choice.against));
  SaidReport report;
  if (!choice.from.empty()) static_cast<BenchReport&>(report) = read_report(choice.from);
  BenchFiles files(choice.page, choice.force);
  if (choice.from.empty()) static_cast<BenchReport&>(report) = measured_report(choice, session);
  set_prices(prices, report);
  files.write(json_text(static_cast<const BenchReport&>(report)), against);
  report.files = choice.page + " and " + json_beside(choice.page);
  session.say(report);
}

}  // namespace tessera
