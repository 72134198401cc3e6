// SPDX-License-Identifier: Apache-2.0
// Cells near bright sources: how far maps are from the exact ones, with and without refining.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tessera/noise_grid.hpp"
#include "tests/support/noise_images.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

/// Normal noise of standard deviation 1 and round bright sources of any place.
Image bright_field(const Size& size, int sources, unsigned seed, double radius = 3) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> unit;
  Image image(size, Type::f32);
  const View<float> to = image.as<float>();
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) to.at(x, y) = static_cast<float>(normal(random));
  for (int k = 0; k < sources; ++k) {
    const double u = unit(random) * size.width, v = unit(random) * size.height;
    const double peak = std::pow(10, 2 + 2 * unit(random));
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        const double squared = (x - u) * (x - u) + (y - v) * (y - v);
        to.at(x, y) += static_cast<float>(peak * std::exp(-squared / (2 * radius * radius)));
      }
  }
  return image;
}

/// The largest distance of background and noise from the exact ones, over the exact noise.
double worst(const NoiseMaps& maps, const NoiseMaps& exact) {
  const Size size = exact.rms.info().size;
  double largest = 0;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const auto off = [&](const Image& map, const Image& from) {
        return std::abs(map.as<float>().at(x, y) - from.as<float>().at(x, y)) /
               exact.rms.as<float>().at(x, y);
      };
      largest = std::max({largest, static_cast<double>(off(maps.rms, exact.rms)),
                          static_cast<double>(off(maps.background, exact.background))});
    }
  return largest;
}

NoiseOptions options_of(NoiseEstimator estimator, NoiseMode mode, double refine = 0.2) {
  NoiseOptions options{.box = {20, 20}, .mode = mode, .estimator = estimator};
  options.backend = Backend::cpu;
  if (mode == NoiseMode::grid) options.refine = refine;
  return options;
}

// Without refining, maps are off by whole factors. 2.5 t: of 48 fields like these, 12 per
// estimator, the worst was off by 0.45 with t = 0.2 (estimator clip).
TEST(NoiseRefine, BoundsTheErrorNearBrightSources) {
  for (const auto estimator :
       {NoiseEstimator::iqr, NoiseEstimator::mad, NoiseEstimator::clip, NoiseEstimator::mode})
    for (unsigned seed = 1; seed <= 2; ++seed) {
      const Image field = bright_field({100, 93}, 5, seed);
      const NoiseMaps exact = noise(field.view(), options_of(estimator, NoiseMode::exact));
      const double plain =
          worst(noise(field.view(), options_of(estimator, NoiseMode::grid, 0)), exact);
      const double refined =
          worst(noise(field.view(), options_of(estimator, NoiseMode::grid)), exact);
      const double fine =
          worst(noise(field.view(), options_of(estimator, NoiseMode::grid, 0.1)), exact);
      EXPECT_GT(plain, 1.0) << name_of(estimator) << " " << seed;
      EXPECT_LT(refined, 0.5) << name_of(estimator) << " " << seed;
      EXPECT_LT(fine, 0.3) << name_of(estimator) << " " << seed;
    }
}

// The noise is that of the image minus the background of these maps.
TEST(NoiseRefine, TwoPassesToo) {
  const Image field = bright_field({100, 93}, 5, 4);
  for (const auto estimator : {NoiseEstimator::iqr, NoiseEstimator::clip})
    for (const double refine : {0.0, 0.2}) {
      NoiseOptions grid = options_of(estimator, NoiseMode::grid, refine);
      grid.two_pass = true;
      const NoiseMaps maps = noise(field.view(), grid);
      Image left = copy(field.view());
      for (int i = 0; i < 100 * 93; ++i)
        left.as<float>().data[i] -= maps.background.as<float>().data[i];
      const NoiseOptions exact = options_of(estimator, NoiseMode::exact);
      const NoiseMaps once = noise(field.view(), exact), rest = noise(left.view(), exact);
      const double background = worst({maps.background, once.rms}, once);
      const double rms = worst({rest.background, maps.rms}, rest);
      if (refine > 0) {
        EXPECT_LT(background, 0.4) << name_of(estimator);
        EXPECT_LT(rms, 0.4) << name_of(estimator);
      } else {
        EXPECT_GT(rms, 1.0) << name_of(estimator);
      }
    }
}

// The quartiles of every pixel of a refined cell are its own, to the bit, at the edges too.
TEST(NoiseRefine, CellsOfQuartilesAreExact) {
  Image field = bright_field({100, 93}, 6, 5);
  for (int y = 30; y < 60; ++y)
    for (int x = 40; x < 52; ++x)
      field.as<float>().at(x, y) = std::numeric_limits<float>::quiet_NaN();
  for (const Border border : {Border::inside, Border::reflect_101}) {
    NoiseOptions grid = options_of(NoiseEstimator::iqr, NoiseMode::grid);
    grid.border = border;
    NoiseOptions pixels = options_of(NoiseEstimator::iqr, NoiseMode::exact);
    pixels.border = border;
    pixels.nomask = true;
    const NoiseMaps exact = noise(field.view(), pixels);
    const NoiseGrid plan(field.info(), grid);
    Stream stream(plan.device());
    const NoiseNodes nodes = plan.measured(field.view(), stream);
    Image maps(plan.output());
    plan.draw(nodes, {0, 93}, maps.view(), stream);
    ASSERT_GT(nodes.patches.size(), 10U);
    ASSERT_LT(std::ssize(nodes.patches), plan.node_count());
    for (const NoisePatch& patch : nodes.patches)
      for (int y = patch.rows.front(); y < patch.rows.back(); ++y)
        for (int x = patch.columns.front(); x < patch.columns.back(); ++x) {
          if (std::isnan(exact.rms.as<float>().at(x, y))) continue;
          ASSERT_EQ(maps.as<float>().at(x, y, 0, 0), exact.background.as<float>().at(x, y));
          ASSERT_EQ(maps.as<float>().at(x, y, 0, 1), exact.rms.as<float>().at(x, y));
        }
  }
}

TEST(NoiseRefine, FlatNoiseIsLeftAlone) {
  const Image field = bright_field({300, 200}, 0, 6);
  const NoiseGrid plan(field.info(), options_of(NoiseEstimator::iqr, NoiseMode::grid));
  Stream stream(plan.device());
  EXPECT_TRUE(plan.measured(field.view(), stream).patches.empty());
}

TEST(NoiseRefine, MapsOfQuantilesAreRefinedByTheNoise) {
  const Image field = bright_field({120, 100}, 4, 7);
  NoiseOptions grid = options_of(NoiseEstimator::iqr, NoiseMode::grid);
  grid.quantiles.orders = {0.5, 0.1, 0.2, 0.3, 0.6, 0.7, 0.8, 0.9};
  NoiseOptions exact = options_of(NoiseEstimator::iqr, NoiseMode::exact);
  const NoiseMaps unit = noise(field.view(), exact);
  exact.quantiles = grid.quantiles;
  const auto worst_of = [&](const NoiseOptions& options) {
    const Image truth = noise_quantiles(field.view(), exact),
                maps = noise_quantiles(field.view(), options);
    double largest = 0;
    for (int p = 0; p < 8; ++p)
      for (int y = 0; y < 100; ++y)
        for (int x = 0; x < 120; ++x)
          largest = std::max<double>(largest, std::abs(maps.as<float>().at(x, y, 0, p) -
                                                       truth.as<float>().at(x, y, 0, p)) /
                                                  unit.rms.as<float>().at(x, y));
    return largest;
  };
  EXPECT_LT(worst_of(grid), 0.5);
  grid.refine = 0;
  EXPECT_GT(worst_of(grid), 1.0);
}

// Nothing can be tested between two nodes along an axis, so such cells are refined.
TEST(NoiseRefine, GridsOfOneCell) {
  const Image field = bright_field({40, 37}, 2, 8);
  for (const auto estimator : {NoiseEstimator::iqr, NoiseEstimator::clip}) {
    NoiseOptions grid = options_of(estimator, NoiseMode::grid);
    grid.grid = NoiseBox{64, 64};
    const NoiseMaps exact = noise(field.view(), options_of(estimator, NoiseMode::exact));
    EXPECT_LT(worst(noise(field.view(), grid), exact), 0.4) << name_of(estimator);
  }
}

TEST(NoiseRefine, PlanesOfAnImageAreImages) {
  Image cube({60, 50, 1, 3}, Type::f32);
  for (int p = 0; p < 3; ++p)
    copy_samples(testing::short_view(bright_field({60, 50}, p, 9)), cube.view().only_plane(p));
  for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned, NoiseMode::grid}) {
    NoiseOptions options = options_of(NoiseEstimator::iqr, mode);
    const NoiseMaps all = noise(cube.view(), options);
    options.quantiles.orders = {0.25, 0.5};
    const Image quantiles = noise_quantiles(cube.view(), options);
    ASSERT_EQ(all.rms.info().size, (Size{60, 50, 1, 3}));
    ASSERT_EQ(quantiles.info().size, (Size{60, 50, 1, 6}));
    for (int p = 0; p < 3; ++p) {
      const Image its = noise_quantiles(cube.view().only_plane(p), options);
      const NoiseMaps one = noise(cube.view().only_plane(p), options_of(NoiseEstimator::iqr, mode));
      for (int y = 0; y < 50; ++y)
        for (int x = 0; x < 60; ++x) {
          ASSERT_EQ(all.rms.as<float>().at(x, y, 0, p), one.rms.as<float>().at(x, y));
          ASSERT_EQ(all.background.as<float>().at(x, y, 0, p), one.background.as<float>().at(x, y));
          ASSERT_EQ(quantiles.as<float>().at(x, y, 0, 3 + p), its.as<float>().at(x, y, 0, 1));
        }
    }
  }
}

}  // namespace
}  // namespace tessera
