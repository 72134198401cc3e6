// SPDX-License-Identifier: Apache-2.0
// Reports of entries that do nearly nothing, and the making of ways.
#include "study/report_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/compare.hpp"
#include "core/device.hpp"
#include "core/machine.hpp"
#include "core/parallel.hpp"
#include "study/report_verdict.hpp"
#include "study/report_ways.hpp"
#include "tests/support/files.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::expect_error;

int calls_of_fast = 0, calls_of_slow = 0;
bool was_quick = false;

void spin(int steps) {
  volatile unsigned sum = 0;
  for (int k = 0; k < steps; ++k) sum = sum + static_cast<unsigned>(k);
}

ReportWork make_fake(bool quick) {
  was_quick = quick;
  calls_of_fast = calls_of_slow = 0;
  ReportWork work{.what = "a fake", .counts = "things", .amount = 3, .flops = 600, .bytes = 200};
  work.ways.push_back({Backend::cpu, "slow", false, "", [](Stream&) {
                         ++calls_of_slow;
                         spin(2'000'000);
                       }});
  work.ways.push_back({Backend::cpu, "fast", false, "", [](Stream&) {
                         ++calls_of_fast;
                         spin(2000);
                       }});
  work.ways.push_back({Backend::cuda, "far", true, "there is no such place", {}});
  return work;
}

const ReportEntry kFake{"fake", make_fake, "Nobody printed it."};

TEST(ReportRun, AnEntryBecomesARow) {
  const BenchRow row = time_entry(kFake, true);
  EXPECT_TRUE(was_quick);
  EXPECT_EQ(row.operation, "fake");
  EXPECT_EQ(row.what, "a fake");
  EXPECT_EQ(row.published, "Nobody printed it.");
  EXPECT_EQ(row.amount, 3);
  EXPECT_EQ(row.flops, 600);
  EXPECT_EQ(row.bytes, 200);
  ASSERT_EQ(row.ways.size(), 3U);
  EXPECT_EQ(row.ways[0].method, "slow");
  EXPECT_EQ(row.ways[2].backend, "cuda");
  EXPECT_EQ(row.ways[2].absent, "there is no such place");
  EXPECT_TRUE(row.ways[2].transfers);
  EXPECT_FALSE(row.ways[2].ms);
  for (const int k : {0, 1}) {
    EXPECT_GT(row.ways[static_cast<std::size_t>(k)].ms.value(), 0);
    EXPECT_GE(row.ways[static_cast<std::size_t>(k)].spread.value(), 0);
  }
  EXPECT_GT(calls_of_slow, 3) << "once to plan, then three turns at least";
  EXPECT_GT(calls_of_fast, 3);
}

TEST(ReportRun, WhatFollowsIsArithmeticOfTheTimes) {
  BenchReport report = run_report({{kFake}, {}}, {true, "", "1.2.3"}, {});
  settle_report(report);
  EXPECT_EQ(report.version, "1.2.3");
  EXPECT_TRUE(report.quick);
  EXPECT_EQ(report.threads, available_threads());
  EXPECT_GT(report.cpu_flops, 0);
  EXPECT_GT(report.cpu_bytes_per_second, 0);
  ASSERT_EQ(report.date.size(), std::string("2026-01-01T00:00:00Z").size()) << report.date;
  const BenchRow& row = report.rows.at(0);
  EXPECT_EQ(row.cpu_ms, std::min(row.ways[0].ms, row.ways[1].ms));
  EXPECT_DOUBLE_EQ(row.ways[1].rate.value(), 3 / (1e-3 * *row.ways[1].ms));
  const double roof = std::min(report.cpu_flops, 3 * report.cpu_bytes_per_second);
  EXPECT_DOUBLE_EQ(row.ways[0].of_peak.value(), 600 / (1e-3 * *row.ways[0].ms) / roof);
  EXPECT_FALSE(row.ratio);
}

TEST(ReportRun, OneOperationAlone) {
  ReportEntry other = kFake;
  other.operation = "other";
  std::vector<long long> done;
  const BenchReport report =
      run_report({{kFake, other}, {}}, {true, "other", ""}, [&](long long at, long long all) {
        done.push_back(at);
        EXPECT_EQ(all, 2);
      });
  ASSERT_EQ(report.rows.size(), 1U);
  EXPECT_EQ(report.rows[0].operation, "other");
  EXPECT_EQ(done, (std::vector<long long>{0, 1, 2}));
  expect_error(
      [&] {
        run_report({{kFake}, {}}, {true, "fakes", ""}, {});
      },
      ErrorKind::usage, "did you mean fake");
}

TEST(ReportWays, WrongOnesAreNoResultAndRefusalsAreKept) {
  ReportWork work;
  const WayPlace here{Backend::cpu, "direct", false};
  const auto right = [](const WayPlace&) {
    return ReadyWay{[](Stream&) {}, [] { return std::string(); }};
  };
  add_way(work, "fake", here, right);
  EXPECT_TRUE(work.ways.at(0).run);
  add_way(work, "fake", here,
          [](const WayPlace&) -> ReadyWay { throw Error(ErrorKind::usage, "not today"); });
  EXPECT_EQ(work.ways.at(1).absent, "not today");
  EXPECT_FALSE(work.ways.at(1).run);
  const auto wrong = [](const WayPlace&) {
    return ReadyWay{[](Stream&) {}, [] { return std::string("pixel 1 is 2"); }};
  };
  expect_error([&] { add_way(work, "fake", here, wrong); }, ErrorKind::failure,
               "fake: cpu direct differs from the reference: pixel 1 is 2");
  if (!this_machine().devices.empty()) return;
  add_way(work, "fake", {Backend::cuda, "direct", true}, right);
  EXPECT_EQ(work.ways.back().absent, "no GPU: " + this_machine().no_device_reason);
}

TEST(ReportWays, ImagesArePoisonedBeforeAWayRuns) {
  Image given({2, 1}, Type::u8);
  given.as<unsigned char>().at(1, 0) = 7;
  const auto images = std::make_shared<ReportImages>(
      std::vector<Image>{given}, std::vector<ImageInfo>{{{2, 1}, Type::u8, kHost}});
  const WayPlace here{Backend::cpu, "copy", false};
  const ReadyWay ready = on_images(images, [](const WayPlace&, const ReportImages::Side& at) {
    return ReadyWay{[at](Stream&) { copy_samples(at.given[0], at.made[0]); },
                    [at] {
                      const auto made = AnyView(at.made[0]).as<const unsigned char>();
                      return std::to_string(made.at(0, 0)) + " " + std::to_string(made.at(1, 0));
                    }};
  })(here);
  EXPECT_EQ(ready.wrong(), "255 255");
  Stream stream;
  ready.run(stream);
  EXPECT_EQ(ready.wrong(), "0 7");
}

TEST(ReportWays, ImagesGoToTheDeviceAndBackOnDevice) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  Image given({300, 7}, Type::f32);
  for (int k = 0; k < 2100; ++k) given.as<float>().data[k] = static_cast<float>(k);
  const auto images = std::make_shared<ReportImages>(std::vector<Image>{given},
                                                     std::vector<ImageInfo>{given.info()});
  const auto prepare = on_images(images, [&](const WayPlace&, const ReportImages::Side& at) {
    EXPECT_EQ(at.made[0].device, 0);
    return ReadyWay{[at](Stream& stream) { device_stream(stream).copy(at.given[0], at.made[0]); },
                    [&] {
                      return compare(testing::short_view(as_double(given.view())),
                                     images->host().made[0], 0)
                          .disagreement;
                    }};
  });
  const ReadyWay ready = prepare({Backend::cuda, "copy", false});
  EXPECT_NE(ready.wrong(), "") << "before it has run all is NaN";
  Stream stream(0);
  ready.run(stream);
  stream.wait();
  EXPECT_EQ(ready.wrong(), "");
}

TEST(ReportEntries, EveryOperationHasItsStandardWork) {
  std::map<std::string, int> found;
  for (const ReportEntry& entry : report_entries()) ++found[entry.operation];
  const std::map<std::string, int> wanted{{"cells", 1},   {"convolve", 1}, {"correlate", 1},
                                          {"enhance", 1}, {"faraday", 1},  {"morphology", 1},
                                          {"noise", 1},   {"rank", 1},     {"xengine", 1}};
  EXPECT_EQ(found, wanted);
}

}  // namespace
}  // namespace tessera
