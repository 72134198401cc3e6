// SPDX-License-Identifier: Apache-2.0
// Images of the user in the study.
#include <gtest/gtest.h>

#include <limits>

#include "ops/correlate/study/correlate_study.hpp"
#include "tests/support/files.hpp"
#include "tests/support/study_images.hpp"
#include "tests/support/text_has.hpp"

namespace tessera {
namespace {

using testing::expect_error;
using testing::has;
using testing::study_pattern;
using testing::with_image;

TEST(CorrelateImage, CorrelateTakesTheMiddleOfAPhotographOrPlanes) {
  for (const Image& image :
       {study_pattern({50, 41, 3}, Type::u8), study_pattern({40, 44, 1, 4}, Type::f32)}) {
    const StudyResult result =
        run_correlate_study(with_image(image, {.rungs = "scalar,ours.cpu", .side = 32}), {});
    EXPECT_TRUE(has(result.tables, "32x32 in the middle of mine.png")) << result.tables;
    EXPECT_EQ(result.rows.size(), 3U);
    for (const StudyRow& row : result.rows) EXPECT_TRUE(row.ms) << row.rung << row.absent;
  }
}

TEST(CorrelateImage, CorrelateRefusesOthersInOneSentence) {
  const auto expect_refused = [](const Image& image, const char* part) {
    expect_error([&] { run_correlate_study(with_image(image, {.side = 32}), {}); },
                 ErrorKind::input, part);
  };
  expect_refused(study_pattern({31, 40, 3}, Type::u8), "the square of 32x32 pixels");
  expect_refused(study_pattern({40, 40, 2}, Type::u8), "2 channels");
  expect_refused(study_pattern({40, 40, 1, 3}, Type::f32), "4 planes of f32");
  expect_refused(Image({40, 40, 1, 4}, Type::f32), "is flat");
  Image holes = study_pattern({40, 40, 1, 4}, Type::f32);
  holes.as<float>().at(20, 20, 0, 2) = std::numeric_limits<float>::quiet_NaN();
  expect_refused(holes, "NaN or infinity");
  Image outside = study_pattern({40, 40, 1, 4}, Type::f32);
  outside.as<float>().at(0, 0, 0, 2) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NO_THROW(run_correlate_study(with_image(outside, {.rungs = "scalar", .side = 16}), {}));
}

}  // namespace
}  // namespace tessera
