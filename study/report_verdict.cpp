// SPDX-License-Identifier: Apache-2.0
#include "study/report_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Below it two times count as equal: a GPU must win by this much to be worthwhile.
constexpr double kClearly = 1.5;
constexpr double kRuns = 1e6, kSecondsAnHour = 3600;

/// "38", "9.1", "0.42": a reader remembers two digits.
std::string times(double ratio) {
  return ratio >= 10  ? fmt::format("{:.0f}", ratio)
         : ratio >= 1 ? fmt::format("{:.1f}", ratio)
                      : fmt::format("{:.2f}", ratio);
}

std::optional<double> ms_of(const BenchWay* way) { return way ? way->ms : std::nullopt; }

std::optional<double> over(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(*a / *b) : std::nullopt;
}

std::optional<double> cost_of(const std::optional<double>& ms, const std::optional<double>& price) {
  if (!ms || !price) return std::nullopt;
  return kRuns * *ms * 1e-3 / kSecondsAnHour * *price;
}

std::string why_no_gpu(const BenchRow& row, const BenchReport& report) {
  if (report.device.empty()) return "No GPU here: " + report.no_device_reason;
  for (const BenchWay& way : row.ways)
    if (way.backend == "cuda" && !way.absent.empty()) return "Not on this GPU: " + way.absent;
  return "It has no method for GPUs";
}

std::string without_gpu(const BenchRow& row, const BenchReport& report) {
  const BenchWay* const cpu = best_way(row, "cpu", false);
  const std::string reason = why_no_gpu(row, report);
  if (!cpu) return reason + ". No method ran on the CPU.";
  return fmt::format("{}. The CPU's best is {}, {:.4g} ms.", reason, cpu->method, *cpu->ms);
}

/// The effect of copies; `copied` is the CPU's time over the GPU's with them.
std::string with_copies(double copied) {
  if (copied >= kClearly) return fmt::format("{} times with copies", times(copied));
  if (copied > 1 / kClearly) return fmt::format("with copies about equal, {} times", times(copied));
  return fmt::format("with copies the CPU is {} times as fast", times(1 / copied));
}

std::string winner(double ratio, const std::optional<double>& copied) {
  if (ratio <= 1 / kClearly)
    return fmt::format("The CPU wins: {} times the GPU.", times(1 / ratio));
  const std::string copies = copied ? with_copies(*copied) : "";
  if (ratio < kClearly)
    return fmt::format("About equal, {} times the CPU{}: stay on the CPU.", times(ratio),
                       copied ? fmt::format(", {} with copies", times(*copied)) : "");
  const bool also_copied = !copied || *copied >= kClearly;
  return fmt::format("The GPU wins{}: {} times the CPU{}{}.",
                     also_copied ? "" : " on data that are there", times(ratio),
                     copied ? also_copied ? ", " : "; " : "", copies);
}

std::string cheaper(const BenchRow& row) {
  if (!row.cpu_cost || !row.gpu_cost) return "";
  const double ratio = *row.cpu_cost / *row.gpu_cost;
  if (ratio > 1 / kClearly && ratio < kClearly) return " They cost about the same.";
  return ratio > 1 ? fmt::format(" The GPU is {} times cheaper.", times(ratio))
                   : fmt::format(" The CPU is {} times cheaper.", times(1 / ratio));
}

std::string verdict_of(const BenchRow& row, const BenchReport& report) {
  if (!row.gpu_ms) return without_gpu(row, report);
  if (!row.cpu_ms) return "Only the GPU ran.";
  return winner(*row.ratio, row.ratio_with_transfers) + cheaper(row);
}

/// Fractions are for data in the memory of their device: copies have another ceiling.
void settle_way(BenchWay& way, const BenchRow& row, const BenchReport& report) {
  way.rate = way.of_peak = std::nullopt;
  if (!way.ms) return;
  const double seconds = 1e-3 * *way.ms, roof = roofline_of(row, report, way.backend);
  way.rate = row.amount / seconds;
  if (roof > 0 && !way.transfers) way.of_peak = row.flops / seconds / roof;
}

void settle_row(BenchRow& row, const BenchReport& report) {
  for (BenchWay& way : row.ways) settle_way(way, row, report);
  row.cpu_ms = ms_of(best_way(row, "cpu", false));
  row.gpu_ms = ms_of(best_way(row, "cuda", false));
  row.gpu_with_transfers_ms = ms_of(best_way(row, "cuda", true));
  row.ratio = over(row.cpu_ms, row.gpu_ms);
  row.ratio_with_transfers = over(row.cpu_ms, row.gpu_with_transfers_ms);
  row.cpu_cost = cost_of(row.cpu_ms, report.cpu_price);
  // A rented GPU costs money during copies too.
  row.gpu_cost =
      cost_of(row.gpu_with_transfers_ms ? row.gpu_with_transfers_ms : row.gpu_ms, report.gpu_price);
  row.verdict = verdict_of(row, report);
}

double parse_price(std::string_view word, std::string_view number) {
  double price = 0;
  from_text(fmt::format("--price {}", word), number, price);
  if (!(price > 0 && std::isfinite(price)))
    throw Error(ErrorKind::usage,
                fmt::format("--price: {} is {}; an hour costs more than 0", word, number));
  return price;
}

}  // namespace

BenchPrices parse_prices(const std::string& text) {
  BenchPrices prices;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    const std::string_view name = word.substr(0, word.find('='));
    if (name == word)
      throw Error(ErrorKind::usage,
                  fmt::format("--price: '{}' has no price; write cpu=0.08,gpu=3.5", word));
    if (name != "cpu" && name != "gpu") throw_unknown("--price", name, {"cpu", "gpu"});
    (name == "cpu" ? prices.cpu : prices.gpu) = parse_price(name, word.substr(name.size() + 1));
  }
  return prices;
}

void settle_report(BenchReport& report) {
  for (BenchRow& row : report.rows) settle_row(row, report);
}

const BenchWay* best_way(const BenchRow& row, const std::string& backend, bool transfers) {
  const BenchWay* best = nullptr;
  for (const BenchWay& way : row.ways)
    if (way.backend == backend && way.transfers == transfers && way.ms &&
        (!best || *way.ms < *best->ms))
      best = &way;
  return best;
}

double roofline_of(const BenchRow& row, const BenchReport& report, const std::string& backend) {
  const bool gpu = backend == "cuda";
  const double peak = row.bytes_of_8_bits ? (gpu ? report.gpu_byte_ops : report.cpu_byte_ops)
                                          : (gpu ? report.gpu_flops : report.cpu_flops);
  const double bytes = gpu ? report.gpu_bytes_per_second : report.cpu_bytes_per_second;
  if (!(peak > 0 && bytes > 0 && row.flops > 0)) return 0;
  return row.bytes > 0 ? std::min(peak, row.flops / row.bytes * bytes) : peak;
}

std::string describe_report(const BenchReport& report) {
  const auto ms = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.4g}", *value) : std::string("–");
  };
  std::string text = fmt::format(
      "{}, {} threads; {}\n\n{:<11}{:>11}{:>11}{:>13}  verdict\n", report.machine, report.threads,
      report.device.empty() ? "no GPU: " + report.no_device_reason : report.device, "operation",
      "CPU ms", "GPU ms", "with copies");
  for (const BenchRow& row : report.rows)
    text += fmt::format("{:<11}{:>11}{:>11}{:>13}  {}\n", row.operation, ms(row.cpu_ms),
                        ms(row.gpu_ms), ms(row.gpu_with_transfers_ms), row.verdict);
  return text;
}

}  // namespace tessera
