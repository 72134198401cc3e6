// SPDX-License-Identifier: Apache-2.0
// Calls of every operation, timed on small images.
#include "study/call_times.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/forget_plans.hpp"
#include "core/machine.hpp"
#include "tests/support/files.hpp"

namespace tessera {
namespace {

/// A plan that counts how often it is made, and how often it runs.
struct CountedPlan {
  static inline int made = 0, runs = 0;
  static inline unsigned char answer = 0, step = 0;

  CountedPlan(const ImageInfo& image, int) : info(image) { ++made; }
  const ImageInfo& output() const { return info; }
  ImageInfo info;
};

CallWork counted_call(int side) {
  forget_kept_plans();
  CountedPlan::made = CountedPlan::runs = 0;
  return call_work<CountedPlan>(
      "counted", {Image({side, side}, Type::u8)}, 1,
      [](const ImageInfo& image, Backend backend, const auto& make) {
        if (backend == Backend::cuda) throw Error(ErrorKind::usage, "there is no such method");
        return make(image, 3);
      },
      [](const CountedPlan&, const CallViews& v) {
        ++CountedPlan::runs;
        v.made[0].as<unsigned char>().at(0, 0) = CountedPlan::answer;
        CountedPlan::answer = static_cast<unsigned char>(CountedPlan::answer + CountedPlan::step);
      });
}

TEST(CallTimes, OnlyNewPlansAreMadeAgainAndAgain) {
  CountedPlan::step = 0;
  const std::vector<BenchCall> rows = time_calls_of({"counted", counted_call}, true);
  const bool has_device = !this_machine().devices.empty();
  ASSERT_EQ(rows.size(), has_device ? 8U : 2U) << "two sizes in four places, or one";
  EXPECT_EQ(rows[0].operation, "counted");
  EXPECT_EQ(rows[0].place, "CPU");
  EXPECT_GT(rows[0].new_plan_us, 0);
  EXPECT_GT(rows[0].kept_plan_us, 0);
  EXPECT_GT(rows[0].own_plan_us, 0);
  if (has_device) {
    EXPECT_EQ(rows[1].absent, "there is no such method");
    EXPECT_FALSE(rows[1].kept_plan_us);
  }
  EXPECT_GT(CountedPlan::made, 5);
  EXPECT_GT(CountedPlan::runs, 2 * CountedPlan::made) << "kept and own plans run as often";
}

TEST(CallTimes, APlanThatGivesOtherBytesIsNoResult) {
  CountedPlan::step = 1;
  testing::expect_error(
      [] {
        time_calls_of({"counted", counted_call}, true);
      },
      ErrorKind::failure, "a kept plan gives other bytes");
}

TEST(CallTimes, OperationsHaveOne) {
  std::set<std::string> operations;
  for (const CallEntry& entry : call_entries()) operations.insert(entry.operation);
  EXPECT_EQ(operations, (std::set<std::string>{"convolve", "correlate", "enhance", "faraday",
                                               "morphology", "noise"}));
}

TEST(CallTimes, ThoseOfAnOperationRunInEveryPlace) {
  for (const CallEntry& entry : call_entries()) {
    if (entry.operation != "morphology") continue;
    for (const BenchCall& row : time_calls_of(entry, true)) {
      EXPECT_EQ(row.absent, "") << row.place;
      EXPECT_TRUE(row.kept_plan_us) << row.place;
    }
  }
}

}  // namespace
}  // namespace tessera
