// SPDX-License-Identifier: Apache-2.0
// Bad calls: one sentence each, with the numbers and what would be right.
#include <gtest/gtest.h>

#include "core/machine.hpp"
#include "tessera/correlate.hpp"
#include "tests/support/bad_calls.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::expect_refused;

const ImageInfo kImage{{8, 6, 1, 4}, Type::f32};

Correlate plan_of(const CorrelateOptions& options) { return Correlate(kImage, options); }

TEST(CorrelateErrors, PlansAreRefused) {
  expect_refused({
      {[] { plan_of({}); },
       "correlate: max-shift is 250; it can be 1 to 6, the smaller side of the image"},
      {[] { plan_of({.max_shift = 0}); }, "correlate: max-shift is 0; it can be 1 or more pixels"},
      {[] { plan_of({.max_shift = 3, .batch = 3}); },
       "correlate: batch is 3 but there are 4 planes; it must divide them"},
      {[] { plan_of({.max_shift = 3, .batch = 0}); }, "correlate: batch is 0; it can be 1 or more"},
      {[] {
         Correlate({{0, 6}, Type::f32});
       },
       "correlate: the image is 0x6 with 1 plane; it needs at least one pixel"},
      {[] {
         Correlate({{8, 6, 5}, Type::f32});
       },
       "correlate: the image is 8x6 with 5 channels and 1 plane; channels can be 1 to 4, and "
       "no size can be negative"},
      {[] { plan_of({.max_shift = 3, .backend = Backend::cpu, .method = "fourier"}); },
       "correlate: method: 'fourier' is not known; it can be auto, reference, direct or fft"},
  });
}

TEST(CorrelateErrors, SumsAreRefused) {
  expect_refused({
      {[] { parse_sums("pairs", 3); },
       "correlate: sums 'pairs' needs an even number of planes; the image has 3"},
      {[] { parse_sums("joint", 1); },
       "correlate: sums 'joint' needs an even number of planes; the image has 1"},
      {[] { parse_sums("all", 0); }, "correlate: the image has 0 planes; it needs at least one"},
      {[] { parse_sums("0:0,1:4", 4); },
       "correlate: the pair '1:4' has plane 4; the image has planes 0 to 3"},
      {[] { parse_sums("-1:0", 4); },
       "correlate: the pair '-1:0' has plane -1; the image has planes 0 to 3"},
      {[] { parse_sums("0:0+", 4); },
       "correlate: '' is not a pair of planes; write two numbers such as 0:1, pairs added by '+', "
       "maps by ',', or one of all, each, pairs, joint"},
      {[] { parse_sums("", 4); },
       "correlate: '' is not a pair of planes; write two numbers such as 0:1, pairs added by '+', "
       "maps by ',', or one of all, each, pairs, joint"},
      {[] { parse_sums("0:1x", 4); },
       "correlate: '0:1x' is not a pair of planes; write two numbers such as 0:1, pairs added by "
       "'+', "
       "maps by ',', or one of all, each, pairs, joint"},
      {[] { parse_sums("every", 4); },
       "correlate: 'every' is not a pair of planes; write two numbers such as 0:1, pairs added by "
       "'+', maps by ',', or one of all, each, pairs, joint"},
  });
}

TEST(CorrelateErrors, CallsAreRefused) {
  const Correlate plan(kImage, {.max_shift = 3, .backend = Backend::cpu});
  Image in(kImage), map(plan.output());
  expect_refused({
      {[&] {
         plan(testing::short_view(Image({7, 6, 1, 4}, Type::f32)), map.view());
       },
       "correlate: the image has 7 columns, 1 channel, 4 planes of f32; the plan was made for 8 "
       "columns, 1 channel, 4 planes of f32"},
      {[&] {
         plan(in.view(), testing::short_view(Image({8, 5, 1, 4}, Type::f32)), map.view());
       },
       "correlate: the other image has 5 rows; the plan was made for 6"},
      {[&] {
         plan(in.view(), testing::short_view(Image({8, 6, 1, 4}, Type::u8)), map.view());
       },
       "correlate: the other image has 8 columns, 1 channel, 4 planes of u8; the plan was made "
       "for 8 columns, 1 channel, 4 planes of f32"},
      {[&] {
         Image small({3, 3}, Type::f64);
         plan(in.view(), small.view());
       },
       "correlate: the map has 3 columns, 1 channel, 1 plane of f64; the plan was made for 3 "
       "columns, 1 channel, 1 plane of f32"},
      {[&] {
         AnyMutableView inside = in.view();
         inside.size = {3, 3};
         plan(in.view(), inside);
       },
       "correlate: input and output share memory; give the output its own memory"},
  });
}

TEST(CorrelateErrors, CudaIsRefusedWithoutADevice) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  try {
    plan_of({.max_shift = 3, .backend = Backend::cuda});
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find(this_machine().no_device_reason), std::string::npos);
  }
}

}  // namespace
}  // namespace tessera
