// SPDX-License-Identifier: Apache-2.0
// Elements by name, and bad calls: one sentence each, with the numbers and what would be right.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tessera/morphology.hpp"
#include "tests/support/bad_calls.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using testing::expect_refused;

const ImageInfo kImage{{8, 6}, Type::u8};

Morphology plan_of(const MorphologyOptions& options, const char* element = "box:3x3") {
  return {MorphologyKind::erode, kImage, testing::short_view(element_from_text(element)), options};
}

/// Rows as text: "010" has a pixel in the middle.
std::vector<std::string> drawn(const Image& element) {
  std::vector<std::string> rows;
  for (int y = 0; y < element.info().size.height; ++y) {
    rows.emplace_back();
    for (int x = 0; x < element.info().size.width; ++x)
      rows.back() += element.as<unsigned char>().at(x, y) ? '1' : '0';
  }
  return rows;
}

TEST(Elements, AreWhatTheirNamesSay) {
  using Rows = std::vector<std::string>;
  EXPECT_EQ(drawn(element_from_text("disk:1")), (Rows{"010", "111", "010"}));
  EXPECT_EQ(drawn(element_from_text("disk:1.5")), (Rows{"111", "111", "111"}));
  EXPECT_EQ(drawn(element_from_text("box:3x2")), (Rows{"111", "111"}));
  EXPECT_EQ(drawn(element_from_text("box:2")), (Rows{"11", "11"}));
  EXPECT_EQ(drawn(element_from_text("cross:1")), (Rows{"010", "111", "010"}));
  EXPECT_EQ(drawn(element_from_text("line:4,0")), (Rows{"1111"}));
  EXPECT_EQ(drawn(element_from_text("line:2,90")), (Rows{"1", "1"}));
  EXPECT_EQ(drawn(element_from_text("line:3,45")), (Rows{"001", "010", "100"}));
  EXPECT_EQ(drawn(element_from_text("line:3,-45")), (Rows{"100", "010", "001"}));
  EXPECT_EQ(drawn(element_from_text("line:5,30")), (Rows{"00011", "00100", "11000"}));
  long long pixels = 0;
  for (const std::string& row : drawn(disk_element(12)))
    pixels += std::count(row.begin(), row.end(), '1');
  EXPECT_EQ(pixels, 441);
  EXPECT_EQ(element_usages().size(), 4U);
}

TEST(Elements, BadTextIsRefused) {
  expect_refused({
      {[] { element_from_text("disk"); }, "element: 'disk' is not complete; write disk:RADIUS"},
      {[] { element_from_text("box:"); }, "element: 'box:' is not complete; write box:WxH"},
      {[] { element_from_text("disk:-1"); },
       "element: a radius of -1 is not offered; it can be 0 to 4095"},
      {[] { element_from_text("disk:wide"); }, "element: 'wide' is not a number"},
      {[] { element_from_text("box:0x5"); },
       "element: a box of 0x5 has no pixels; it needs at least one each way"},
      {[] { element_from_text("box:99999x99999"); },
       "element: a box of 99999x99999 has 9999800001 pixels; it can have up to 67108864"},
      {[] { element_from_text("line:0,45"); },
       "element: a line of 0 pixels is not offered; it can have 1 to 8191"},
      {[] { element_from_text("cross:5000"); },
       "element: a radius of 5000 is not offered; it can be 0 to 4095"},
  });
}

TEST(MorphologyErrors, PlansAreRefused) {
  Image with_nan({2, 2}, Type::f64);
  with_nan.as<double>().at(1, 0) = std::numeric_limits<double>::quiet_NaN();
  expect_refused({
      {[] {
         dilate(testing::short_view(Image(kImage)), testing::short_view(Image({0, 5}, Type::f32)));
       },
       "dilate: the element is 0 by 5; it needs at least one pixel each way"},
      {[] {
         erode(testing::short_view(Image(kImage)),
               testing::short_view(Image({3, 3, 2}, Type::f32)));
       },
       "erode: the element has 2 channels and 1 plane; it needs one of each"},
      {[] {
         erode(testing::short_view(Image(kImage)), testing::short_view(Image({3, 2}, Type::f32)));
       },
       "erode: all 6 pixels of the element are 0; at least one must not be"},
      {[&] { erode(testing::short_view(Image(kImage)), with_nan.view()); },
       "erode: the element's pixel at column 1, row 0 is nan; it must be 0 or not"},
      {[] {
         plan_of({.anchor = Point{3, 0}});
       },
       "erode: the anchor is column 3, row 0, which the element does not have; its columns are 0 "
       "to "
       "2, its rows 0 to 2"},
      {[] {
         plan_of(
             {.border = Border::constant, .constant = std::numeric_limits<double>::quiet_NaN()});
       },
       "erode: constant is nan, which u8 does not have; give a number, or an image of f32"},
      {[] { plan_of({.method = "separabel"}); },
       "erode: method: 'separabel' is not known (did you mean separable?); it can be auto, "
       "reference, separable or direct"},
      {[] { plan_of({.backend = Backend::cpu, .method = "separable"}, "disk:2"); },
       "erode: no method can run this (cpu separable: the element is not a full rectangle); give "
       "another backend or method"},
  });
}

TEST(MorphologyErrors, CallsAreRefusedAndOutputsKept) {
  const Morphology plan = plan_of({.backend = Backend::cpu});
  const Image in(kImage), wide({9, 6}, Type::u8);
  const testing::Guarded out(kImage.size, kImage.type);
  Stream stream;
  expect_refused({
      {[&] { plan(wide.view(), out.view()); },
       "erode: the input has 9 columns, 1 channel, 1 plane of u8; the plan was made for 8 "
       "columns, 1 channel, 1 plane of u8"},
      {[&] {
         plan(Piece{AnyView(in.view().rows(0, 3)), 0}, MutablePiece{out.view(), 0}, stream);
       },
       "erode: the piece holds rows 0 to 3, but row 3 is needed; give it all rows that needs() "
       "names"},
  });
  EXPECT_TRUE(out.untouched_outside());
  for (const unsigned char byte : testing::bytes_of_view(out.view())) EXPECT_EQ(byte, 0xA5);
}

}  // namespace
}  // namespace tessera
