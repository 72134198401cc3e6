// SPDX-License-Identifier: Apache-2.0
// Everything that follows from times, by hand arithmetic. The figures are made up.
#include "study/report_verdict.hpp"

#include <gtest/gtest.h>

#include "tests/support/files.hpp"

namespace tessera {
namespace {

using testing::expect_error;

BenchWay way(const char* backend, const char* method, bool transfers, std::optional<double> ms) {
  BenchWay made;
  made.backend = backend;
  made.method = method;
  made.transfers = transfers;
  made.ms = ms;
  if (!ms) made.absent = "it refuses";
  return made;
}

/// A machine of round numbers with one row: 4e9 flop on 1e9 bytes, 20 Mpixel.
BenchReport machine() {
  BenchReport report;
  report.machine = "made-up CPU";
  report.device = "made-up GPU";
  report.cpu_flops = 100e9;
  report.cpu_bytes_per_second = 20e9;
  report.gpu_flops = 10e12;
  report.gpu_bytes_per_second = 1e12;
  BenchRow row;
  row.operation = "convolve";
  row.counts = "Mpixel";
  row.amount = 20;
  row.flops = 4e9;
  row.bytes = 1e9;
  row.ways = {way("cpu", "direct", false, 200),
              way("cpu", "fft", false, 100),
              way("cpu", "separable", false, std::nullopt),
              way("cuda", "direct", false, 2.5),
              way("cuda", "fft", false, 5),
              way("cuda", "direct", true, 20)};
  report.rows = {row};
  return report;
}

BenchRow settled(BenchReport report) {
  settle_report(report);
  return report.rows.at(0);
}

/// The verdict for the given GPU times in ms, without and with copies.
std::string verdict(std::optional<double> gpu, std::optional<double> copied) {
  BenchReport report = machine();
  report.rows[0].ways = {way("cpu", "fft", false, 100), way("cuda", "direct", false, gpu),
                         way("cuda", "direct", true, copied)};
  return settled(report).verdict;
}

TEST(ReportVerdict, BestRatiosAndShares) {
  const BenchRow row = settled(machine());
  EXPECT_EQ(row.cpu_ms, 100);
  EXPECT_EQ(row.gpu_ms, 2.5);
  EXPECT_EQ(row.gpu_with_transfers_ms, 20);
  EXPECT_EQ(row.ratio, 40);
  EXPECT_EQ(row.ratio_with_transfers, 5);
  EXPECT_DOUBLE_EQ(row.ways[0].rate.value(), 100) << "20 Mpixel in 0.2 s";
  // 4 flop per byte: the CPU may do min(100, 4 x 20) = 80 GFLOP/s and does 4e9 / 0.1 s = 40.
  EXPECT_DOUBLE_EQ(row.ways[1].of_peak.value(), 0.5);
  // The GPU min(10, 4 x 1) = 4 TFLOP/s, and does 1.6.
  EXPECT_DOUBLE_EQ(row.ways[3].of_peak.value(), 0.4);
  EXPECT_FALSE(row.ways[2].rate);
  EXPECT_FALSE(row.ways[2].of_peak);
  EXPECT_TRUE(row.ways[5].rate);
  EXPECT_FALSE(row.ways[5].of_peak) << "copies have another ceiling";
  EXPECT_FALSE(row.cpu_cost);
}

TEST(ReportVerdict, ProductsOfBytesHaveTheirOwnCeiling) {
  BenchReport report = machine();
  report.rows[0].bytes_of_8_bits = true;
  report.rows[0].bytes = 1e6;
  report.gpu_byte_ops = 16e12;
  const BenchRow row = settled(report);
  EXPECT_FALSE(row.ways[1].of_peak) << "that of the CPU is not known";
  EXPECT_DOUBLE_EQ(row.ways[3].of_peak.value(), 0.1);
}

TEST(ReportVerdict, CostsOfAMillionRuns) {
  BenchReport report = machine();
  report.cpu_price = 0.36;
  report.gpu_price = 3.6;
  const BenchRow row = settled(report);
  // A million runs of 0.1 s are 1e5 s, at 1e-4 per second; with copies 2e4 s at 1e-3.
  EXPECT_DOUBLE_EQ(row.cpu_cost.value(), 10);
  EXPECT_DOUBLE_EQ(row.gpu_cost.value(), 20);
  EXPECT_EQ(row.verdict,
            "The GPU wins: 40 times the CPU, 5.0 times with copies. The CPU is 2.0 times cheaper.");
  report.gpu_price.reset();
  EXPECT_FALSE(settled(report).gpu_cost);
}

TEST(ReportVerdict, Sentences) {
  EXPECT_EQ(verdict(2.5, 10), "The GPU wins: 40 times the CPU, 10 times with copies.");
  EXPECT_EQ(verdict(10, 100),
            "The GPU wins on data that are there: 10 times the CPU; with copies about equal, 1.0 "
            "times.");
  EXPECT_EQ(verdict(10, 400),
            "The GPU wins on data that are there: 10 times the CPU; with copies the CPU is 4.0 "
            "times as fast.");
  EXPECT_EQ(verdict(80, 125), "About equal, 1.2 times the CPU, 0.80 with copies: stay on the CPU.");
  EXPECT_EQ(verdict(300, 400), "The CPU wins: 3.0 times the GPU.");
  EXPECT_EQ(verdict(10, std::nullopt), "The GPU wins: 10 times the CPU.");
  EXPECT_EQ(verdict(std::nullopt, std::nullopt),
            "Not on this GPU: it refuses. The CPU's best is fft, 100 ms.");
}

TEST(ReportVerdict, WithoutAGpuItSaysSo) {
  BenchReport report = machine();
  report.device = "";
  report.no_device_reason = "no driver";
  for (BenchWay& one : report.rows[0].ways)
    if (one.backend == "cuda") one.ms.reset();
  const BenchRow row = settled(report);
  EXPECT_EQ(row.verdict, "No GPU here: no driver. The CPU's best is fft, 100 ms.");
  EXPECT_FALSE(row.ratio);
  EXPECT_FALSE(row.gpu_ms);
}

TEST(ReportVerdict, PricesAreParsed) {
  EXPECT_EQ(parse_prices("cpu=0.08,gpu=3.5").cpu, 0.08);
  EXPECT_EQ(parse_prices("cpu=0.08,gpu=3.5").gpu, 3.5);
  EXPECT_FALSE(parse_prices("gpu=1").cpu);
  EXPECT_FALSE(parse_prices("").gpu);
  expect_error([] { parse_prices("cpu"); }, ErrorKind::usage, "'cpu' has no price");
  expect_error([] { parse_prices("tpu=1"); }, ErrorKind::usage, "--price: 'tpu' is not known");
  expect_error([] { parse_prices("cpu=0"); }, ErrorKind::usage, "costs more than 0");
  expect_error([] { parse_prices("cpu=-1"); }, ErrorKind::usage, "costs more than 0");
  expect_error([] { parse_prices("cpu=much"); }, ErrorKind::usage, "--price cpu");
}

TEST(ReportVerdict, LinesForATerminal) {
  BenchReport report = machine();
  settle_report(report);
  const std::string text = describe_report(report);
  EXPECT_NE(text.find("made-up GPU"), std::string::npos) << text;
  EXPECT_NE(text.find("The GPU wins: 40 times"), std::string::npos) << text;
}

}  // namespace
}  // namespace tessera
