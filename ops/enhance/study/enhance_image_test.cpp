// SPDX-License-Identifier: Apache-2.0
// Images of the user in the study.
#include <gtest/gtest.h>

#include "ops/enhance/study/enhance_study.hpp"
#include "tests/support/files.hpp"
#include "tests/support/study_images.hpp"
#include "tests/support/text_has.hpp"

namespace tessera {
namespace {

using testing::expect_error;
using testing::has;
using testing::study_pattern;
using testing::with_image;

TEST(EnhanceImage, EnhanceTakesAScanOfColours) {
  const Image scan = study_pattern({61, 40, 3}, Type::u8);
  const StudyResult result = run_enhance_study(with_image(scan, {.rungs = "grey,smooth"}), {});
  EXPECT_TRUE(has(result.tables, "enhance: mine.png of 61x40")) << result.tables;
  int ran = 0;
  for (const StudyRow& row : result.rows) ran += row.ms.has_value();
  EXPECT_GE(ran, 6) << "each is verified before it is timed";
}

TEST(EnhanceImage, EnhanceRefusesOthersInOneSentence) {
  const auto expect_refused = [](const Image& image, const char* part) {
    expect_error([&] { run_enhance_study(with_image(image), {}); }, ErrorKind::input, part);
  };
  expect_refused(study_pattern({61, 40}, Type::u8), "mine.png: it is 61x40 u8 with 1 channel");
  expect_refused(study_pattern({61, 40, 3}, Type::f32), "takes u8 images of 3 channels");
  expect_refused(study_pattern({61, 40, 3, 2}, Type::u8), "2 planes");
  expect_refused(study_pattern({61, 15, 3}, Type::u8), "with sides from 16");
  Image flat({20, 20, 3}, Type::u8);
  expect_error([&] { run_enhance_study(with_image(flat), {}); }, ErrorKind::usage,
               "one value only");
  const Image scan = study_pattern({61, 40, 3}, Type::u8);
  expect_error([&] { run_enhance_study(with_image(scan, {.side = 20}), {}); }, ErrorKind::usage,
               "--side");
}

}  // namespace
}  // namespace tessera
