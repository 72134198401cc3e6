// SPDX-License-Identifier: Apache-2.0
#include "tessera/kept_plans.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

#include "core/forget_plans.hpp"

namespace tessera {
namespace {

std::atomic<int> plans_made, plans_alive;

/// A plan that only counts.
class Counted {
 public:
  Counted(const ImageInfo& image, int knob)
      : knob_(knob), token_(new int, [](int* token) {
          delete token;
          --plans_alive;
        }) {
    ++plans_made;
    ++plans_alive;
    PlanBytes::add(static_cast<std::size_t>(image.size.width));
  }
  int knob() const { return knob_; }

 private:
  int knob_;
  std::shared_ptr<int> token_;
};

ImageInfo image_of(int width) { return {{width, 1}, Type::f32, kHost}; }

class KeptPlans : public ::testing::Test {
 protected:
  KeptPlans() { clear_cache(); }
  ~KeptPlans() override { clear_cache(); }
  const int made_before = plans_made;
  int made_here() const { return plans_made - made_before; }
};

TEST_F(KeptPlans, TheSameArgumentsMakeOnePlan) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(kept_plan<Counted>(image_of(5), 7).knob(), 7);
  EXPECT_EQ(made_here(), 1);
  EXPECT_EQ(kept_plan<Counted>(image_of(5), 8).knob(), 8);
  EXPECT_EQ(kept_plan<Counted>(image_of(6), 7).knob(), 7);
  EXPECT_EQ(made_here(), 3);
}

TEST_F(KeptPlans, EverythingOfAnImageIsInTheKey) {
  const ImageInfo images[] = {{{4, 3, 2, 5}, Type::f32, kHost}, {{3, 4, 2, 5}, Type::f32, kHost},
                              {{4, 3, 5, 2}, Type::f32, kHost}, {{4, 3, 2, 5}, Type::f64, kHost},
                              {{4, 3, 2, 5}, Type::f32, 0},     {{4, 3, 2, 5}, Type::f32, 1}};
  for (const ImageInfo& image : images) kept_plan<Counted>(image, 1);
  EXPECT_EQ(made_here(), 6);
}

TEST_F(KeptPlans, KeysDifferWhereValuesDo) {
  const auto key = [](const auto&... values) {
    PlanKey made_of(typeid(Counted));
    (made_of.add(values), ...);
    return made_of.bytes();
  };
  // Parts cannot be moved from one argument to the next.
  EXPECT_NE(key(std::string("ab"), std::string("c")), key(std::string("a"), std::string("bc")));
  EXPECT_NE(key(std::vector<double>{1}, std::vector<double>{}),
            key(std::vector<double>{}, std::vector<double>{1}));
  EXPECT_NE(key(std::optional<int>()), key(std::optional<int>(0)));
  EXPECT_NE(key(0.0), key(-0.0));
  EXPECT_EQ(key(Point{1, 2}, Border::wrap), key(Point{1, 2}, Border::wrap));
  EXPECT_NE(key(Point{1, 2}), key(Point{2, 1}));
}

TEST_F(KeptPlans, SamplesCountHoweverTheyLie) {
  float grid[6] = {1, 2, 3, 4, 5, 6}, column[3] = {1, 3, 5};
  const AnyView spread{View<const float>{grid, {1, 3}, 1, 2, 0}},
      tight = packed(static_cast<const float*>(column), {1, 3});
  const auto key = [](AnyView samples) { return PlanKey(typeid(Counted)).add(samples).bytes(); };
  EXPECT_EQ(key(spread), key(tight));
  column[1] = 4;
  EXPECT_NE(key(spread), key(tight));
  EXPECT_FALSE(PlanKey(typeid(Counted))
                   .add(packed(static_cast<const float*>(nullptr), {1 << 15, 1 << 15}))
                   .usable());
}

TEST_F(KeptPlans, TheEnvironmentIsInTheKey) {
  const char* before = std::getenv("TESSERA_BACKEND");
  const std::string kept = before ? before : "";
  kept_plan<Counted>(image_of(5), 1);
  setenv("TESSERA_BACKEND", kept == "cpu" ? "auto" : "cpu", 1);
  kept_plan<Counted>(image_of(5), 1);
  before ? setenv("TESSERA_BACKEND", kept.c_str(), 1) : unsetenv("TESSERA_BACKEND");
  EXPECT_EQ(made_here(), 2);
}

TEST_F(KeptPlans, ThoseUsedLongestAgoLeave) {
  const int alive_before = plans_alive;
  for (int width = 1; width <= 500; ++width) {
    kept_plan<Counted>(image_of(width), 1);
    kept_plan<Counted>(image_of(1), 1);  // used all the time: stays
  }
  EXPECT_EQ(made_here(), 500);
  EXPECT_EQ(plans_alive - alive_before, 128);
  EXPECT_EQ(kept_plans_use().plans, 128);
  kept_plan<Counted>(image_of(1), 1);
  kept_plan<Counted>(image_of(500), 1);
  EXPECT_EQ(made_here(), 500);
  kept_plan<Counted>(image_of(2), 1);
  EXPECT_EQ(made_here(), 501);
  clear_cache();
  EXPECT_EQ(plans_alive, alive_before);
  EXPECT_EQ(kept_plans_use().plans, 0);
  EXPECT_EQ(kept_plans_use().bytes, 0u);
}

TEST_F(KeptPlans, TheirMemoryIsBounded) {
  constexpr int kMiB = 1 << 20;
  for (int i = 0; i < 10; ++i) kept_plan<Counted>(image_of(60 * kMiB), i);
  EXPECT_EQ(kept_plans_use().plans, 4);
  EXPECT_LE(kept_plans_use().bytes, std::size_t{256} << 20);
  kept_plan<Counted>(image_of(300 * kMiB), 0);  // larger than the bound: not kept, nothing leaves
  EXPECT_EQ(kept_plans_use().plans, 4);
}

TEST_F(KeptPlans, ForgottenWhenKnobsChange) {
  kept_plan<Counted>(image_of(3), 1);
  forget_kept_plans();
  kept_plan<Counted>(image_of(3), 1);
  EXPECT_EQ(made_here(), 2);
}

TEST_F(KeptPlans, ThreadsShareThem) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 400; ++i) {
        const int knob = t % 2 == 0 ? i % 7 : i % 200;
        if (kept_plan<Counted>(image_of(9), knob).knob() != knob) ++wrong;
        if (i % 97 == 0) clear_cache();
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(kept_plans_use().plans, 128);
}

}  // namespace
}  // namespace tessera
