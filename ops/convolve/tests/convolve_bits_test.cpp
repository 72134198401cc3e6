// SPDX-License-Identifier: Apache-2.0
// The bits contract: the same bits for any threads, strips and memory limits; and many threads may
// share one plan.
#include <gtest/gtest.h>

#include "ops/convolve/convolve_problem.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/filter_for.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::all_ways;
using testing::bytes_of_view;
using testing::expect_eight_threads_may_share;
using testing::expect_same_bits;
using testing::filter_for;
using testing::ForcedIsa;
using testing::limit_for;
using testing::random_image;
using testing::streamed;
using testing::Way;

Size bits_size() { return testing::run_small() ? Size{29, 31, 3} : Size{83, 97, 3, 2}; }

void same_bits(Backend backend, const std::vector<Border>& borders) {
  const Image in = random_image(bits_size(), Type::f32, 1);
  for (const Way& way : all_ways()) {
    if (way.backend != backend) continue;
    const ForcedIsa forced(way.isa);
    for (const auto& method : convolve_methods()) {
      if (method.backend != backend || std::string(method.name) == "reference") continue;
      const Image filter = filter_for(method.name, {9, 6}, 2);
      for (const Border border : borders) {
        const Convolve plan(in.info(), filter.view(),
                            {.border = border, .backend = backend, .method = method.name});
        SCOPED_TRACE(name_of(border));
        expect_same_bits(plan, in);
      }
    }
  }
}

const std::vector<Border> kAllBorders{Border::valid,   Border::constant,    Border::replicate,
                                      Border::reflect, Border::reflect_101, Border::wrap,
                                      Border::inside};

TEST(ConvolveBits, CpuSameForAnyThreadsAndStrips) { same_bits(Backend::cpu, kAllBorders); }

TEST(ConvolveBitsCuda, SameForAnyStrips) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  same_bits(Backend::cuda, testing::run_small() ? std::vector<Border>{Border::wrap} : kAllBorders);
}

TEST(ConvolveBits, StripsOfTheReferenceToo) {
  const Image in = random_image({19, 23}, Type::u16, 1),
              filter = random_image({4, 5}, Type::f64, 2);
  for (const Border border : kAllBorders) {
    const Convolve plan(
        in.info(), filter.view(),
        {.border = border, .anchor = Point{3, 4}, .output_type = Type::f64, .method = "reference"});
    Image whole(plan.output());
    plan(in.view(), whole.view());
    EXPECT_EQ(bytes_of_view(whole.view()),
              bytes_of_view(testing::short_view(streamed(plan, in, 1, limit_for(plan, 3)))));
  }
}

void share_a_plan(Backend backend) {
  const Image in = random_image({200, 150}, Type::f32, 1),
              filter = random_image({7, 7}, Type::f64, 2);
  const Convolve plan(in.info(), filter.view(), {.backend = backend});
  expect_eight_threads_may_share(plan, in);
}

TEST(ConvolveBits, EightThreadsShareOnePlan) { share_a_plan(Backend::cpu); }

TEST(ConvolveBitsCuda, EightThreadsShareOnePlan) {
  if (this_machine().devices.empty())
    GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  share_a_plan(Backend::cuda);
}

}  // namespace
}  // namespace tessera
