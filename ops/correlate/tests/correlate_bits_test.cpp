// SPDX-License-Identifier: Apache-2.0
// The bits contract: the same bytes for any threads, and many threads may share one plan.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tessera/correlate.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/methods.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::bytes_of_view;
using testing::ForcedIsa;
using testing::random_image;
using testing::Way;

struct Task {
  const char* sums;
  Quadrants quadrants;
  bool cross;
};

void same_bits(Backend backend) {
  const Image in = random_image({110, 90, 1, 4}, Type::f32, 1);
  const Image other = random_image({110, 90, 1, 4}, Type::f32, 2);
  for (const Way& way : all_ways())
    for (const char* method : {"direct", "fft"})
      for (const Task& task : {Task{"all", Quadrants::one, false},
                               {"all", Quadrants::all, false},
                               {"0:1,2:2+3:0", Quadrants::all, true}}) {
        if (way.backend != backend) continue;
        const ForcedIsa forced(way.isa);
        const Correlate plan(in.info(), {.max_shift = 60,
                                         .quadrants = task.quadrants,
                                         .sums = task.sums,
                                         .scale = ShiftScale::coefficient,
                                         .batch = 1,
                                         .backend = backend,
                                         .method = method});
        const Image& second = task.cross ? other : in;
        Image whole(plan.output());
        plan(in.view(), second.view(), whole.view());
        for (const int threads : {1, 2, 3, 7}) {
          Image map(plan.output());
          Stream stream(plan.device(), threads);
          plan(in.view(), second.view(), map.view(), stream);
          stream.wait();
          EXPECT_TRUE(bytes_of_view(map.view()) == bytes_of_view(whole.view()))
              << plan.describe() << ", " << threads << " threads";
        }
      }
}

TEST(CorrelateBits, CpuSameForAnyThreads) { same_bits(Backend::cpu); }

TEST(CorrelateBitsCuda, SameAgain) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  same_bits(Backend::cuda);
}

TEST(CorrelateBits, AnImageOfABatchIsAsIfAlone) {
  const Image in = random_image({60, 50, 1, 6}, Type::u16, 3);
  for (const Way& way : all_ways())
    for (const char* method : {"direct", "fft"}) {
      const ForcedIsa forced(way.isa);
      CorrelateOptions options{.max_shift = 40, .backend = way.backend, .method = method};
      if (way.backend == Backend::cuda) continue;
      AnyView last = in.view().only_plane(4);
      last.size.planes = 2;
      const Image alone = correlate(last, options);
      options.batch = 3;
      const Image all = correlate(in.view(), options);
      EXPECT_EQ(bytes_of_view(all.view().only_plane(2)), bytes_of_view(alone.view()));
    }
}

TEST(CorrelateBits, ANanInABatchLeavesTheOthersAlone) {
  Image in = random_image({60, 50, 1, 3}, Type::f32, 4);
  for (const Way& way : all_ways())
    for (const char* method : {"direct", "fft"}) {
      const ForcedIsa forced(way.isa);
      const CorrelateOptions options{
          .max_shift = 40, .batch = 3, .backend = way.backend, .method = method};
      in.as<float>().at(7, 8, 0, 1) = 0.5F;
      const Image clean = correlate(in.view(), options);
      in.as<float>().at(7, 8, 0, 1) = std::numeric_limits<float>::quiet_NaN();
      const Image spoilt = correlate(in.view(), options);
      for (const int image : {0, 2})
        EXPECT_EQ(bytes_of_view(spoilt.view().only_plane(image)),
                  bytes_of_view(clean.view().only_plane(image)));
      EXPECT_TRUE(std::isnan(spoilt.as<float>().at(0, 0, 0, 1)));
    }
}

void share_a_plan(Backend backend) {
  const Image in = random_image({80, 90, 1, 2}, Type::f32, 1);
  for (const char* method : {"direct", "fft"})
    testing::expect_eight_threads_may_share(
        Correlate(in.info(), {.max_shift = 50, .backend = backend, .method = method}), in);
}

TEST(CorrelateBits, EightThreadsShareOnePlan) { share_a_plan(Backend::cpu); }

TEST(CorrelateBitsCuda, EightThreadsShareOnePlan) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  share_a_plan(Backend::cuda);
}

}  // namespace
}  // namespace tessera
