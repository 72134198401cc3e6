// SPDX-License-Identifier: Apache-2.0
/// The results of `tessera bench --report`: the JSON next to the page, and all the page shows.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tessera/options.hpp"

namespace tessera {

/// One way to do an operation's standard work.
struct BenchWay {
  std::string backend, method, absent;
  bool transfers = false;
  std::optional<double> ms, spread;  ///< median; (slowest - fastest) / median
  std::optional<double> rate;        ///< of the quantity the row counts, per second
  std::optional<double> of_peak;     ///< of the roofline at the row's intensity

  static constexpr auto fields() {
    using W = BenchWay;
    return std::tuple{field("backend", &W::backend, "where it ran"),
                      field("method", &W::method, "its method"),
                      field("transfers", &W::transfers, "with copies from and to host memory"),
                      field("absent", &W::absent, "why it did not run"),
                      field("ms", &W::ms, "median time"),
                      field("spread", &W::spread, "(slowest - fastest) / median"),
                      field("rate", &W::rate, "of what is counted, per second"),
                      field("of_peak", &W::of_peak, "share of min(peak, intensity x bandwidth)")};
  }
};

/// One operation.
struct BenchRow {
  std::string operation, what, counts;
  double amount = 0, flops = 0, bytes = 0;
  bool bytes_of_8_bits = false;
  std::vector<BenchWay> ways;
  std::optional<double> cpu_ms, gpu_ms, gpu_with_transfers_ms;  ///< of the best of each
  std::optional<double> ratio, ratio_with_transfers;            ///< CPU over GPU
  std::optional<double> cpu_cost, gpu_cost;  ///< of a million results, by --price
  std::string verdict, published;

  static constexpr auto fields() {
    using R = BenchRow;
    return std::tuple{
        field("operation", &R::operation, "its name"),
        field("what", &R::what, "its standard work"),
        field("counts", &R::counts, "what is counted"),
        field("amount", &R::amount, "number of them per run"),
        field("flops", &R::flops, "arithmetic of a run"),
        field("bytes", &R::bytes, "bytes that must move"),
        field("bytes_of_8_bits", &R::bytes_of_8_bits, "arithmetic on bytes"),
        field("ways", &R::ways, "every backend and method"),
        field("cpu_ms", &R::cpu_ms, "the best on the CPU"),
        field("gpu_ms", &R::gpu_ms, "the best on the GPU, data in its memory"),
        field("gpu_with_transfers_ms", &R::gpu_with_transfers_ms, "the same from host memory"),
        field("ratio", &R::ratio, "CPU over GPU"),
        field("ratio_with_transfers", &R::ratio_with_transfers, "CPU over GPU with copies"),
        field("cpu_cost", &R::cpu_cost, "cost of a million results on the CPU"),
        field("gpu_cost", &R::gpu_cost, "cost of a million results on the GPU"),
        field("verdict", &R::verdict, "CPU or GPU, in a sentence"),
        field("published", &R::published, "the papers' headline")};
  }
};

/// One call of an operation, in microseconds of wall-clock time until its result is there.
struct BenchCall {
  std::string operation, what, place, absent;
  std::optional<double> new_plan_us, kept_plan_us, own_plan_us;

  static constexpr auto fields() {
    using C = BenchCall;
    return std::tuple{
        field("operation", &C::operation, "its name"),
        field("what", &C::what, "its work"),
        field("place", &C::place, "where it ran, and where its images were"),
        field("absent", &C::absent, "why it did not run"),
        field("new_plan_us", &C::new_plan_us, "the plan is made by the call"),
        field("kept_plan_us", &C::kept_plan_us, "the plan is found, as from the second call on"),
        field("own_plan_us", &C::own_plan_us, "the caller holds the plan")};
  }
};

/// The machine and all rows. Ceilings are 0 if there is no device.
struct BenchReport {
  std::string machine, device, no_device_reason, version, date, commit;
  int threads = 0;
  bool quick = false;
  double cpu_flops = 0, cpu_bytes_per_second = 0, cpu_byte_ops = 0;
  double gpu_flops = 0, gpu_bytes_per_second = 0, gpu_byte_ops = 0;
  double upload_bytes_per_second = 0, download_bytes_per_second = 0;
  std::optional<double> cpu_price, gpu_price;  ///< per hour
  std::vector<BenchRow> rows;
  std::vector<BenchCall> calls;

  static constexpr auto fields() {
    using R = BenchReport;
    return std::tuple{
        field("machine", &R::machine, "the processor"),
        field("threads", &R::threads, "threads used"),
        field("device", &R::device, "the GPU"),
        field("no_device_reason", &R::no_device_reason, "why there is none"),
        field("version", &R::version, "version of Tessera"),
        field("date", &R::date, "when it was measured"),
        field("commit", &R::commit, "the version measured, if known"),
        field("quick", &R::quick, "small cases"),
        field("cpu_flops", &R::cpu_flops, "f32 multiply-add peak, measured"),
        field("cpu_bytes_per_second", &R::cpu_bytes_per_second, "copy bandwidth, measured"),
        field("cpu_byte_ops", &R::cpu_byte_ops, "8-bit multiply-add peak, if measured"),
        field("gpu_flops", &R::gpu_flops, "the same for the GPU"),
        field("gpu_bytes_per_second", &R::gpu_bytes_per_second, "the same for the GPU"),
        field("gpu_byte_ops", &R::gpu_byte_ops, "the same for the GPU"),
        field("upload_bytes_per_second", &R::upload_bytes_per_second, "pinned memory to device"),
        field("download_bytes_per_second", &R::download_bytes_per_second,
              "device to pinned memory"),
        field("cpu_price", &R::cpu_price, "price of an hour of the CPU"),
        field("gpu_price", &R::gpu_price, "price of an hour of the GPU"),
        field("rows", &R::rows, "one per operation"),
        field("calls", &R::calls, "single calls, small images to large")};
  }
};

}  // namespace tessera
