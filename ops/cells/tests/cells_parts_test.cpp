// SPDX-License-Identifier: Apache-2.0
// Every heavy loop on every SIMD target against the plain loops in double.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "ops/cells/cells_plain_parts.hpp"
#include "ops/cells/cpu/cells_simd_parts.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

using testing::ForcedIsa;
using testing::random_image;

constexpr double kRounding = 0x1p-24;

CellsProblem flowing_problem(int width, int height, double flow_x = 0, double flow_y = 0) {
  CellsProblem p;
  p.frame = {{width, height}, Type::f32};
  if (flow_x != 0 || flow_y != 0) p.options.flow = std::atan2(flow_y, flow_x) * 180 / M_PI;
  p.crop = p.entry = {0, 0, width, height};
  p.radii = {6, 7, 9};
  p.threshold = 1.5;
  return p;
}

CellPlane<float> random_plane(int width, int height, unsigned seed) {
  std::mt19937 engine(seed);
  CellPlane<float> plane(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (float& v : plane) v = static_cast<float>(engine() % 20001) / 10000 - 1;
  return plane;
}
CellPlane<double> in_double(const CellPlane<float>& plane) { return {plane.begin(), plane.end()}; }

void expect_near(const std::vector<float>& made, const std::vector<double>& expected, double bound,
                 const std::string& what) {
  ASSERT_EQ(made.size(), expected.size()) << what;
  double worst = 0;
  for (std::size_t i = 0; i < made.size(); ++i) {
    ASSERT_EQ(std::isnan(made[i]), std::isnan(expected[i])) << what << " at " << i;
    if (!std::isnan(made[i]))
      worst = std::max(worst, std::abs(static_cast<double>(made[i]) - expected[i]));
  }
  EXPECT_LE(worst, bound) << what;
}

/// Calls test(problem, name) on every target with sizes around vectors of 1 to 16 lanes.
template <class Test>
void sweep(Test test) {
  for (const std::string& isa : isa_names()) {
    const ForcedIsa forced(isa);
    for (const auto& [width, height] :
         {std::pair{1, 1}, {2, 3}, {5, 17}, {15, 4}, {16, 61}, {33, 62}, {64, 59}, {67, 123}})
      test(flowing_problem(width, height),
           isa + " " + std::to_string(width) + "x" + std::to_string(height));
  }
}

// A sum of weights 1 rounds its 13 products and sums, across and down, and the weights.
TEST(CellsParts, SmoothOfEveryTypeAndStep) {
  Stream stream(kHost, 2);
  sweep([&](const CellsProblem& p, const std::string& name) {
    const Size size = p.frame.size;
    for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64}) {
      const Image wide = random_image({3 * size.width, 2 * size.height}, type, 3);
      AnyView frame = wide.view();
      frame.size = size;
      frame.pixel = 3;
      frame.row *= 2;
      CellPlane<float> made;
      CellPlane<double> expected;
      SimdCellsParts(p).smooth(frame, made, stream);
      PlainCellsParts<double>(p).smooth(frame, expected, stream);
      const double most = type == Type::u8 ? 255 : type == Type::u16 ? 65535 : 1;
      expect_near(made, expected, 32 * kRounding * most, name);
    }
  });
}

/// Whole shifts, shifts out of the frame on each side, and between.
constexpr std::pair<float, float> kShifts[] = {
    {0.0F, 0.0F},  {0.375F, -0.25F},  {-1.75F, 2.0F},  {3.0F, -4.5F},  {-20.3F, 0.7F},
    {0.1F, 31.9F}, {1000.0F, 1000.F}, {-66.5F, -1.0F}, {22.0F, 21.5F}, {20.5F, 22.0F}};

// Three mixtures of two, each with a product and two sums of values up to 2, and the sum itself.
TEST(CellsParts, AccumulateAtEveryShift) {
  Stream stream(kHost, 2);
  sweep([&](const CellsProblem& p, const std::string& name) {
    const int width = p.frame.size.width, height = p.frame.size.height;
    if (width < 2 || height < 2) return;
    const CellPlane<float> frame = random_plane(width, height, 1);
    for (const auto& [x, y] : kShifts) {
      CellPlane<float> made = random_plane(width, height, 2);
      CellPlane<double> expected = in_double(made);
      std::vector<int> made_count(made.size(), 3), expected_count = made_count;
      SimdCellsParts(p).accumulate(frame, x, y, made, made_count, stream);
      PlainCellsParts<double>(p).accumulate(in_double(frame), static_cast<double>(x),
                                            static_cast<double>(y), expected, expected_count,
                                            stream);
      const std::string what = name + " shift " + std::to_string(x) + "," + std::to_string(y);
      EXPECT_EQ(made_count, expected_count) << what;
      expect_near(made, expected, 16 * kRounding, what);
    }
  });
}

/// Epochs that lie elsewhere, were seen too seldom, or have no number.
TEST(CellsParts, MedianOfEpochs) {
  Stream stream(kHost, 2);
  sweep([&](const CellsProblem& p, const std::string& name) {
    const int width = p.frame.size.width, height = p.frame.size.height;
    for (int epochs = 1; epochs <= kMostEpochs; ++epochs) {
      std::mt19937 engine(7);
      std::vector<CellPlane<float>> sums;
      std::vector<CellPlane<double>> wide;
      std::vector<std::vector<int>> counts(static_cast<std::size_t>(epochs));
      std::vector<EpochCanvas<float>> canvases;
      std::vector<EpochCanvas<double>> expected_canvases;
      for (unsigned e = 0; e < counts.size(); ++e) {
        sums.push_back(random_plane(width, height, e));
        for (float& v : sums.back())
          if (engine() % 50 == 0) v = std::numeric_limits<float>::quiet_NaN();
        wide.push_back(in_double(sums.back()));
        for (std::size_t i = 0; i < sums.back().size(); ++i)
          counts[e].push_back(static_cast<int>(engine() % 6));
      }
      for (unsigned e = 0; e < counts.size(); ++e) {
        const int dx = static_cast<int>(engine() % 9) - 4, dy = static_cast<int>(engine() % 9) - 4;
        canvases.push_back({sums[e].data(), counts[e].data(), dx, dy});
        expected_canvases.push_back({wide[e].data(), counts[e].data(), dx, dy});
      }
      StillScene<float> made;
      StillScene<double> expected;
      SimdCellsParts(p).median(canvases, made, stream);
      PlainCellsParts<double>(p).median(expected_canvases, expected, stream);
      EXPECT_EQ(made.known, expected.known) << name;
      expect_near(made.value, expected.value, 2 * kRounding, name);
    }
  });
}

StillScene<float> scene_of(int width, int height, bool all_known) {
  StillScene<float> scene{random_plane(width, height, 5), {}};
  std::mt19937 engine(6);
  for (std::size_t i = 0; i < scene.value.size(); ++i)
    scene.known.push_back(all_known || engine() % 16 != 0);
  return scene;
}

TEST(CellsParts, SubtractAtEveryShift) {
  Stream stream(kHost, 2);
  sweep([&](const CellsProblem& p, const std::string& name) {
    const int width = p.frame.size.width, height = p.frame.size.height;
    if (width < 2 || height < 2) return;
    const CellPlane<float> frame = random_plane(width, height, 1);
    const StillScene<float> scene = scene_of(width, height, false);
    for (const auto& [x, y] : kShifts) {
      CellPlane<float> made;
      CellPlane<double> expected;
      SimdCellsParts(p).subtract(frame, scene, x, y, made, stream);
      PlainCellsParts<double>(p).subtract(in_double(frame), {in_double(scene.value), scene.known},
                                          static_cast<double>(x), static_cast<double>(y), expected,
                                          stream);
      expect_near(made, expected, 16 * kRounding,
                  name + " shift " + std::to_string(x) + "," + std::to_string(y));
    }
  });
}

// A float sum of a row's points loses at most one rounding of the sum of sizes per term, and each
// term at most 8 of its own; slopes are at most 1, differences 2.
TEST(CellsParts, DriftSumsWithHoles) {
  Stream stream(kHost, 2);
  for (const std::string& isa : isa_names())
    for (const auto& [width, height] : {std::pair{30, 90}, {45, 61}, {99, 83}, {240, 160}})
      for (const bool all_known : {true, false})
        for (const auto& [x, y] : kShifts) {
          const ForcedIsa forced(isa);
          const CellsProblem p = flowing_problem(width, height);
          const CellPlane<float> frame = random_plane(width, height, 1);
          const StillScene<float> scene = scene_of(width, height, all_known);
          const DriftSums made = SimdCellsParts(p).drift_sums(frame, scene, x, y, 0.7F, stream);
          const DriftSums expected = PlainCellsParts<double>(p).drift_sums(
              in_double(frame), {in_double(scene.value), scene.known}, static_cast<double>(x),
              static_cast<double>(y), static_cast<double>(0.7F), stream);
          const double bound = (width / 4.0 + 8) * kRounding * 2 * expected.n;
          EXPECT_EQ(made.n, expected.n);
          EXPECT_NEAR(made.gx, expected.gx, bound);
          EXPECT_NEAR(made.gy, expected.gy, bound);
          EXPECT_NEAR(made.gxx, expected.gxx, bound);
          EXPECT_NEAR(made.gxy, expected.gxy, bound);
          EXPECT_NEAR(made.gyy, expected.gyy, bound);
          EXPECT_NEAR(made.r, expected.r, bound);
          EXPECT_NEAR(made.gxr, expected.gxr, bound);
          EXPECT_NEAR(made.gyr, expected.gyr, bound);
          EXPECT_NEAR(made.absolute, expected.absolute, bound);
          EXPECT_NEAR(made.g4, expected.g4, 4 * bound);
        }
}

TEST(CellsParts, Gradients) {
  Stream stream(kHost, 2);
  sweep([&](const CellsProblem& p, const std::string& name) {
    const CellPlane<float> in = random_plane(p.frame.size.width, p.frame.size.height, 9);
    CellPlane<float> across, down;
    CellPlane<double> expected_across, expected_down;
    const double mean = SimdCellsParts(p).gradients(in, across, down, stream);
    EXPECT_NEAR(
        mean,
        PlainCellsParts<double>(p).gradients(in_double(in), expected_across, expected_down, stream),
        (p.frame.size.width + 2) * kRounding)
        << name;
    expect_near(across, expected_across, 2 * kRounding, name);
    expect_near(down, expected_down, 2 * kRounding, name);
  });
}

/// The values of a circle around a centre, in double and point by point.
struct CircleStatistics {
  double score = 0, bound = 0;
};
CircleStatistics statistics(const CellPlane<float>& across, const CellPlane<float>& down, int width,
                            int x, int y, double radius, int points, double floor) {
  double sum = 0, squares = 0, energy = 0;
  for (int n = 0; n < points; ++n) {
    const int upper = std::min(n, points - n);  // half of a pixel is rounded alike on both sides
    const double angle = 2 * M_PI * upper / points, c = std::cos(angle);
    const double s = std::copysign(std::sin(angle), n == upper ? 1 : -1);
    const auto at = static_cast<std::size_t>((y + std::lround(radius * s)) * width + x +
                                             std::lround(radius * c));
    const double gx = across[at], gy = down[at], out = gx * c + gy * s;
    sum += out;
    squares += out * out;
    energy += gx * gx + gy * gy;
  }
  const double mean = sum / points, variance = (squares - sum * mean) / (points - 1) + floor;
  if (!(variance > 0)) return {};
  // At most 100 pixels, each with three terms no larger than twice its energy: what is lost of the
  // sum of squares, of the sum (of its square: twice), and of the variance.
  const double lost = 100 * kRounding * 8 * energy / (points - 1) / variance;
  const double score = mean / std::sqrt(variance);
  return {score, (std::abs(score) + 1) * lost};
}

void compare_scores(const CellsProblem& p, const CellPlane<float>& across,
                    const CellPlane<float>& down, float floor, const std::string& name) {
  Stream stream(kHost, 2);
  const CellsCrop region = centres_of(p, p.crop);
  ScoreMap<float> made;
  SimdCellsParts(p).scores(across, down, floor, region, made, stream);
  ASSERT_EQ(made.score.size(), static_cast<std::size_t>(region.width * region.height)) << name;
  for (int y = 0; y < region.height; ++y)
    for (int x = 0; x < region.width; ++x) {
      const auto at = static_cast<std::size_t>(y * region.width + x);
      CircleStatistics best, chosen;
      for (std::size_t c = 0; c < p.radii.size(); ++c) {
        const CircleStatistics one =
            statistics(across, down, p.frame.size.width, region.x + x, region.y + y, p.radii[c],
                       p.options.samples, static_cast<double>(floor));
        const bool wanted = p.options.polarity == Polarity::both ||
                            (p.options.polarity == Polarity::bright) == (one.score < 0);
        if (wanted && std::abs(one.score) > std::abs(best.score)) best = one;
        if (c == made.circle[at]) chosen = one;
      }
      const double score = made.score[at];
      ASSERT_NEAR(std::abs(score), std::abs(best.score), best.bound)
          << name << " " << x << "," << y;
      if (score != 0) {
        ASSERT_NEAR(score, chosen.score, chosen.bound) << name << " " << x << "," << y;
      }
    }
}

TEST(CellsParts, ScoresOfEveryPolarity) {
  for (const std::string& isa : isa_names())
    for (const Polarity polarity : {Polarity::both, Polarity::bright, Polarity::dark})
      for (const auto& [width, height] : {std::pair{22, 23}, {23, 24}, {41, 25}, {90, 31}}) {
        const ForcedIsa forced(isa);
        CellsProblem p = flowing_problem(width, height);
        p.options.polarity = polarity;
        compare_scores(p, random_plane(width, height, 1), random_plane(width, height, 2),
                       width % 2 == 0 ? 0.0F : 0.3F, isa + " " + std::to_string(width));
      }
}

TEST(CellsParts, NoScoreWhereNothingVariesOrIsNoNumber) {
  Stream stream(kHost, 2);
  for (const std::string& isa : isa_names()) {
    const ForcedIsa forced(isa);
    const CellsProblem p = flowing_problem(60, 40);
    CellPlane<float> across(60 * 40), down(60 * 40);
    ScoreMap<float> made;
    SimdCellsParts(p).scores(across, down, 0, centres_of(p, p.crop), made, stream);
    for (const float score : made.score) EXPECT_EQ(score, 0);
    across = random_plane(60, 40, 1);
    down = random_plane(60, 40, 2);
    across[20 * 60 + 30] = down[5 * 60 + 7] = std::numeric_limits<float>::quiet_NaN();
    SimdCellsParts(p).scores(across, down, 0, centres_of(p, p.crop), made, stream);
    for (const float score : made.score) EXPECT_TRUE(std::isfinite(score));
  }
}

// A step makes no error larger, and adds at most 12 roundings of its own: 6 sums up to 10, of which
// a tenth counts, and keep, pull and the last product.
TEST(CellsParts, MgvfOfEveryFlowAndWindow) {
  for (const std::string& isa : isa_names()) {
    const ForcedIsa forced(isa);
    for (int flow = 0; flow < 9; ++flow)
      for (const auto& [width, height] :
           {std::pair{1, 1}, {1, 7}, {2, 2}, {3, 5}, {4, 4}, {17, 6}, {31, 3}, {49, 49}}) {
        const int across = flow % 3 - 1, down = flow / 3 - 1;
        const CellsProblem p = flowing_problem(64, 64, across, down);
        CellPlane<float> edge = random_plane(width, height, 4);
        for (float& e : edge) e = std::abs(e);
        CellPlane<float> made(edge.size());
        CellPlane<double> expected(edge.size());
        SimdCellsParts(p).mgvf(edge.data(), width, height, made.data());
        const CellPlane<double> wide = in_double(edge);
        PlainCellsParts<double>(p).mgvf(wide.data(), width, height, expected.data());
        expect_near(made, expected, 12 * kRounding * kCells.mgvf_iterations,
                    isa + " flow " + std::to_string(flow) + " width " + std::to_string(width));
      }
  }
}

TEST(CellsParts, BitsDoNotDependOnThreads) {
  const CellsProblem p = flowing_problem(131, 187);
  const SimdCellsParts parts(p);
  const Image frame = random_image({131, 187}, Type::u8, 8);
  const StillScene<float> scene = scene_of(131, 187, false);
  std::vector<float> first;
  for (const int threads : {1, 2, 3, 7}) {
    Stream stream(kHost, threads);
    CellPlane<float> smooth, moving, across, down;
    parts.smooth(frame.view(), smooth, stream);
    parts.subtract(smooth, scene, 1.3F, -0.4F, moving, stream);
    parts.gradients(moving, across, down, stream);
    ScoreMap<float> map;
    parts.scores(across, down, 0.1F, centres_of(p, p.crop), map, stream);
    const DriftSums sums = parts.drift_sums(smooth, scene, 1.3F, -0.4F, 20, stream);
    std::vector<float> all = map.score;
    all.insert(all.end(), across.begin(), across.end());
    for (const double sum : {sums.gx, sums.gxy, sums.gxr, sums.absolute})
      all.push_back(static_cast<float>(std::remainder(sum * 0x1p40, 1 << 20)));
    if (first.empty()) first = all;
    EXPECT_EQ(all, first) << threads;
  }
}

}  // namespace
}  // namespace tessera
