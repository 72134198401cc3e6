// SPDX-License-Identifier: Apache-2.0
// Maps of a sky whose background and noise are known: the measured values must be the true ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sample/sky.hpp"
#include "tessera/noise.hpp"

namespace tessera {
namespace {

constexpr int kSide = 1024, kBox = 64;
/// Standard deviations of (Q75 - Q25) / 1.35, and of the median, for n normal numbers of standard
/// deviation 1, times the root of n.
constexpr double kScatterOfRms = 1.16, kScatterOfMedian = 1.2533;

/// Sums of everything above and to the left: they give the number of valid pixels in a box.
class ValidCounts {
 public:
  explicit ValidCounts(const View<const float>& image) : sums_(kRow * kRow) {
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x)
        sum(x + 1, y + 1) =
            sum(x, y + 1) + sum(x + 1, y) - sum(x, y) + (std::isnan(image.at(x, y)) ? 0 : 1);
  }
  int in_box_about(int x, int y) {
    const auto inside = [](int place) { return std::clamp(place, 0, kSide); };
    const int left = inside(x - kBox / 2), right = inside(x + kBox / 2), top = inside(y - kBox / 2),
              bottom = inside(y + kBox / 2);
    return sum(right, bottom) - sum(left, bottom) - sum(right, top) + sum(left, top);
  }

 private:
  static constexpr std::size_t kRow = kSide + 1;
  int& sum(int x, int y) {
    return sums_[static_cast<std::size_t>(y) * kRow + static_cast<std::size_t>(x)];
  }
  std::vector<int> sums_;
};

/// Mean of a deviation, and of its square in units of the value expected for n pixels.
struct Judgement {
  double sum = 0, squares = 0;
  int count = 0;
  void add(double deviation, double expected) {
    sum += deviation;
    squares += deviation * deviation / (expected * expected);
    ++count;
  }
  double mean() const { return sum / count; }
  double scatter() const { return std::sqrt(squares / count); }
};

class NoiseTruth : public ::testing::Test {
 protected:
  static NoiseOptions options(const std::string& method, NoiseMode mode = NoiseMode::exact) {
    return {.box = {kBox, kBox}, .mode = mode, .backend = Backend::cpu, .method = method};
  }
  /// Rows first, first + step … of both maps.
  Image maps_of(const NoiseOptions& how, int first, int step) const {
    const Noise plan(image_.info(), how);
    Image maps({{kSide, kSide / step, 1, 2}, Type::f32, kHost});
    Stream stream;
    if (step == 1) plan(image_.view(), maps.view());
    for (int row = 0; step > 1 && row < kSide / step; ++row)
      plan({image_.view(), 0}, {maps.view().rows(row, 1), first + row * step}, stream);
    return maps;
  }
  /// Away from sources.
  void expect_the_truth(const Image& maps, int first, int step) {
    Judgement rms, background;
    for (int row = 0; row < kSide / step; ++row)
      judge(maps.view().rows(row, 1), first + row * step, rms, background);
    EXPECT_GT(rms.count, kSide * (kSide / step) / 4) << "much of the sky is away from sources";
    for (const Judgement& found : {rms, background}) {
      EXPECT_LT(std::abs(found.mean()), 0.005);
      EXPECT_LT(found.scatter(), 1.3);
      EXPECT_GT(found.scatter(), 0.7);
    }
  }

 private:
  void judge(AnyView row, int y, Judgement& rms, Judgement& background) {
    for (int x = 0; x < kSide; ++x) {
      if (std::isnan(image_.as<float>().at(x, y)) || near_a_source(x, y)) continue;
      const double sigma = sigma_.as<float>().at(x, y), truth = background_.as<float>().at(x, y);
      const double root = std::sqrt(counts_.in_box_about(x, y));
      const auto found = [&](int plane) {
        return double{row.as<const float>().at(x, 0, 0, plane)};
      };
      rms.add(found(1) / sigma - 1, kScatterOfRms / root);
      background.add((found(0) - truth) / sigma, kScatterOfMedian / root);
    }
  }
  /// Three widths and half a box away from bright sources.
  bool near_a_source(int x, int y) const {
    return std::ranges::any_of(sky_.truth(), [&](const SkySource& source) {
      const double apart = std::max(std::abs(source.x - x), std::abs(source.y - y));
      return source.peak > 3e-3 && apart < kBox / 2 + 3 * source.shape.major;
    });
  }
  Image map_of(SkyMap map) const {
    Image made(sky_.info());
    sky_.read(map, {0, kSide}, made.view());
    return made;
  }

  const Sky sky_{{kSide, kSide}, 1, {.sources = 40, .field_of_view = 1.2, .holes = 4}};
  const Image image_ = map_of(SkyMap::image), background_ = map_of(SkyMap::background),
              sigma_ = map_of(SkyMap::sigma);
  ValidCounts counts_{image_.as<float>()};
};

TEST_F(NoiseTruth, IsFoundByTheReference) {
  expect_the_truth(maps_of(options("reference"), 64, 128), 64, 128);
}

TEST_F(NoiseTruth, IsFoundAtEveryPixel) { expect_the_truth(maps_of(options("auto"), 0, 1), 0, 1); }

TEST_F(NoiseTruth, IsFoundFromHistograms) {
  expect_the_truth(maps_of(options("auto", NoiseMode::binned), 0, 1), 0, 1);
}

}  // namespace
}  // namespace tessera
