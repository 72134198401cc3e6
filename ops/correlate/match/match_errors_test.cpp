// SPDX-License-Identifier: Apache-2.0
// Bad calls: one sentence each, with the numbers and what would be right.
#include <gtest/gtest.h>

#include <cmath>

#include "tessera/match_template.hpp"
#include "tests/support/bad_calls.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::expect_refused;
using testing::short_view;

const ImageInfo kScene{{8, 6}, Type::f32};

MatchTemplate plan_with(const Image& pattern, const MatchOptions& options = {},
                        const ImageInfo& image = kScene) {
  return MatchTemplate(image, pattern.view(), options);
}

TEST(MatchErrors, PlansAreRefused) {
  const Image fits({3, 2}, Type::u8);
  expect_refused({
      {[] {
         plan_with(Image({9, 2}, Type::u8));
       },
       "match: the template is 9x2, larger than the image of 8x6; it must fit into the image"},
      {[] {
         plan_with(Image({0, 2}, Type::u8));
       },
       "match: the template is 0x2 with 1 plane; it must have pixels, and one plane"},
      {[] {
         plan_with(Image({3, 2, 1, 2}, Type::u8));
       },
       "match: the template is 3x2 with 2 planes; it must have pixels, and one plane"},
      {[] {
         plan_with(Image({3, 2, 3}, Type::u8));
       },
       "match: the template has 3 channels and the image 1 channel; give both the same"},
      {[&] {
         plan_with(fits, {}, {{0, 6}, Type::u8});
       },
       "match: the image is 0x6 with 1 plane; it needs at least one pixel"},
      {[&] { plan_with(fits, {.overlap = 1.5}); }, "match: overlap is 1.5; it can be 0 to 1"},
      {[&] { plan_with(fits, {.output_type = Type::u8}); },
       "match: output-type is u8; a map is f32 or f64"},
      {[&] { plan_with(fits, {.border = Border::constant, .constant = INFINITY}); },
       "match: constant is infinite; it can be any finite number, or nan"},
      {[&] { plan_with(fits, {.backend = Backend::cuda}); },
       "match: it runs on the CPU only; give backend auto or cpu"},
      {[&] { plan_with(fits, {.method = "fourier"}); },
       "match: method: 'fourier' is not known; it can be auto, reference, direct or fft"},
      {[&] {
         MatchTemplate(kScene, fits.view(), short_view(Image({2, 3}, Type::u8)));
       },
       "match: the mask is 2x3 with 1 channel and 1 plane; it must be 3x2 with one of each, as the "
       "template"},
      {[&] {
         MatchTemplate(kScene, fits.view(), short_view(Image({3, 2}, Type::u8)));
       },
       "match: no pixel of the template counts; it needs one that is finite and not masked"},
  });
}

TEST(MatchErrors, PeaksAreRefused) {
  const Image map({3, 2}, Type::f32);
  expect_refused({
      {[] {
         match_peaks(short_view(Image({3, 2}, Type::u8)));
       },
       "match: the map is u8 with 1 channel; peaks are looked for in maps of f32 or f64 with one "
       "channel, in host memory"},
      {[&] { match_peaks(map.view(), {.count = 0}); }, "match: peaks is 0; it can be 1 or more"},
      {[&] { match_peaks(map.view(), {.distance = -1}); },
       "match: distance is -1; it can be 0 or more pixels"},
  });
}

}  // namespace
}  // namespace tessera
