// SPDX-License-Identifier: Apache-2.0
// The demo's checks must distinguish a right filter from one that is slightly wrong.
#include "jobs/demo/star_field_truth.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "jobs/demo/reference_share.hpp"
#include "tessera/convolve.hpp"
#include "tessera/elements.hpp"
#include "tessera/error.hpp"
#include "tessera/filters.hpp"
#include "tessera/morphology.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

constexpr double kBackground = 100, kNoise = 5;

struct Field {
  Image image{Size{600, 500}, Type::f32};
  std::vector<PointSource> stars;
};

Field stars_of_width_two() {
  Field field;
  Points points({600, 500}, 5, Type::f32,
                {.sources = 60, .sigma = 2, .flux_low = 1000, .noise = kNoise, .separation = 50});
  points.read({0, 500}, field.image.view());
  field.stars = points.truth();
  return field;
}

Image filtered(const Field& field, const Image& filter) {
  return convolve(field.image.view(), filter.view(), {});
}

/// For a filter of widths whose product is `area`.
double misfit(const Image& image, const Field& field, const StarShape& shape, double area) {
  const double noise = kNoise / (2 * std::sqrt(std::acos(-1) * area));
  return misfit_over_noise(image, field.stars, shape, kBackground, noise);
}

TEST(StarFieldTruth, OnlyTheRightWidthLeavesNothingButNoise) {
  const Field field = stars_of_width_two();
  const StarShape round = shape_of_star(2, 2, 2, 0);
  EXPECT_NEAR(misfit(filtered(field, gaussian(2)), field, round, 4), 1, 0.1);
  EXPECT_GT(misfit(filtered(field, gaussian(2.1)), field, round, 4), 1.2);
}

TEST(StarFieldTruth, ATurnedBeamHasItsWidthsAlongItsOwnAxes) {
  const Field field = stars_of_width_two();
  const Image beam = filtered(field, anisotropic_gaussian(6, 3, 30));
  EXPECT_NEAR(misfit(beam, field, shape_of_star(2, 6, 3, 30), 18), 1, 0.1);
  EXPECT_GT(misfit(beam, field, shape_of_star(2, 6, 2.8, 30), 18), 1.2);
  EXPECT_GT(misfit(beam, field, shape_of_star(2, 6, 3, 45), 18), 1.2);
}

TEST(StarFieldTruth, PeaksAreStarsAndOthersAreMistaken) {
  const Field field = stars_of_width_two();
  const Image smooth = filtered(field, gaussian(2));
  const Size size = smooth.info().size;
  const Image highest = dilate(smooth.view(), testing::short_view(disk_element(6)));
  const std::vector<Point> peaks = peaks_above(smooth, highest, kBackground + 6);
  const StarsFound tally = stars_found(peaks, field.stars, 1000, size);
  EXPECT_TRUE(tally.all_right());
  const StarsFound without_catalogue = stars_found(peaks, {}, 1000, size);
  EXPECT_GE(without_catalogue.mistaken, tally.there);
  EXPECT_FALSE(without_catalogue.all_right());
  const StarsFound without_peaks = stars_found({}, field.stars, 1000, size);
  EXPECT_EQ(without_peaks.found, 0);
  EXPECT_FALSE(without_peaks.all_right());
}

TEST(StarFieldTruth, FramesLieAroundPeaksOfThePart) {
  const Image framed = framed_peaks(Image({40, 30}, Type::u8), {{115, 112}, {0, 0}}, {100, 100});
  const View<const unsigned char> pixels = framed.as<unsigned char>();
  EXPECT_GT(pixels.at(15 + 9, 12, 1), 0);
  EXPECT_EQ(pixels.at(15, 12, 1), 0);
  EXPECT_EQ(pixels.at(39, 29, 1), 0);
}

TEST(ReferenceShare, TellsErrorsOverWhatIsAllowed) {
  Json said = {
      {"check",
       {{"rows", 5}, {"all_rows", 9}, {"max_error", 0.5}, {"bound", 2.0}, {"disagreement", ""}}}};
  EXPECT_TRUE(reference_share(said).right);
  EXPECT_EQ(reference_share(said).share, 0.25);
  said["check"]["bound"] = 0.0;
  EXPECT_FALSE(reference_share(said).right);
  said["check"]["max_error"] = 0.0;
  EXPECT_TRUE(reference_share(said).right);
  said["check"]["disagreement"] = "at 3, 4";
  EXPECT_FALSE(reference_share(said).right);
  said["check"] = nullptr;
  EXPECT_THROW(reference_share(said), Error);
}

}  // namespace
}  // namespace tessera
