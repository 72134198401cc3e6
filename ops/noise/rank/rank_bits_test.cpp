// SPDX-License-Identifier: Apache-2.0
// The bits contract: the same bytes for any threads, strips and memory limits; and many threads may
// share one plan.
#include <gtest/gtest.h>

#include "ops/noise/rank/rank_problem.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/noise_images.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::expect_same_bits;
using testing::random_image;

void same_rank_bits(Backend backend) {
  const Size size = testing::run_small() ? Size{29, 31, 3} : Size{83, 97, 3, 2};
  const Image words = random_image(size, Type::u16, 1), bytes = random_image(size, Type::u8, 1);
  for (const char* footprint : {"box:5x5", "disk:4.5", "box:40x37"})
    for (const RankMethod& method : rank_methods())
      for (const Border border : {Border::wrap, Border::inside, Border::constant}) {
        if (method.backend != backend) continue;
        if (method.name == std::string("reference") && !testing::run_all()) continue;
        const Image& in = method.name == std::string("histogram") ? bytes : words;
        const auto plan = testing::if_offered([&] {
          return RankFilter(
              in.info(), testing::short_view(element_from_text(footprint)),
              {.percentile = 40, .border = border, .backend = backend, .method = method.name});
        });
        if (plan) expect_same_bits(*plan, in);
      }
}

TEST(RankBits, CpuSameForAnyThreadsAndStrips) { same_rank_bits(Backend::cpu); }

TEST(RankBitsCuda, SameForAnyStrips) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  same_rank_bits(Backend::cuda);
}

TEST(RankBits, EightThreadsShareOnePlan) {
  const Image in = random_image({200, 150}, Type::f32, 1);
  for (const char* footprint : {"box:3x3", "disk:3", "disk:6"})
    testing::expect_eight_threads_may_share(
        RankFilter(in.info(), testing::short_view(element_from_text(footprint)),
                   {.backend = Backend::cpu}),
        in);
}

}  // namespace
}  // namespace tessera
