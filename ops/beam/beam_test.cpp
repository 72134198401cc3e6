// SPDX-License-Identifier: Apache-2.0
// Algebra of beams against arithmetic by hand, the common beam against its definition, and filtered
// sources against their formula.
#include "tessera/beam.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "core/strips.hpp"
#include "ops/beam/beam_matrix.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::expect_error;
using testing::random_image;

constexpr double kPi = std::numbers::pi;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<Beam> random_beams(int count, unsigned seed) {
  std::mt19937 numbers(seed);
  const auto pick = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(numbers()) / 4294967296.0);
  };
  std::vector<Beam> beams;
  for (int i = 0; i < count; ++i) {
    const double major = pick(8, 20);
    beams.push_back({major, major * pick(0.3, 1), pick(-90, 180)});
  }
  return beams;
}

void expect_beam(const Beam& found, const Beam& wanted, double bound = 1e-9) {
  EXPECT_NEAR(found.major, wanted.major, bound);
  EXPECT_NEAR(found.minor, wanted.minor, bound);
  if (wanted.major > wanted.minor) {
    EXPECT_NEAR(std::remainder(found.angle - wanted.angle, 180), 0, 100 * bound);
  }
}

TEST(BeamAlgebra, ByHand) {
  expect_beam(convolve_beams({3, 3, 0}, {4, 4, 0}), {5, 5, 0});
  expect_beam(*deconvolve_beam({5, 5, 0}, {4, 3, 0}), {4, 3, 90});  // 5² - 3² to the east
  expect_beam(*deconvolve_beam({13, 5, 30}, {12, 4, 30}), {5, 3, 30});
  EXPECT_FALSE(deconvolve_beam({5, 4, 0}, {5, 4, 90}));
  EXPECT_FALSE(deconvolve_beam({5, 4, 0}, {4.5, 4.1, 0}));
  EXPECT_EQ(*deconvolve_beam({5, 4, 20}, {5, 4, 20}), Beam{});
  EXPECT_EQ(*deconvolve_beam({5, 4, 20}, {5, 4, -160}), Beam{});
  EXPECT_NEAR((Beam{2, 1, 7}).area(), kPi / (2 * std::log(2.0)), 1e-15);
}

TEST(BeamAlgebra, DeconvolutionUndoesConvolution) {
  const std::vector<Beam> some = random_beams(40, 1), others = random_beams(40, 2);
  for (std::size_t i = 0; i < some.size(); ++i)
    expect_beam(*deconvolve_beam(convolve_beams(some[i], others[i]), some[i]), others[i], 1e-7);
}

TEST(CommonBeam, IsOneOfThemIfPossible) {
  const std::vector<Beam> beams{{5, 4, 10}, {9, 8, -70}, {6, 6, 0}};
  EXPECT_EQ(common_beam(beams), beams[1]);
  EXPECT_EQ(common_beam({{beams[0], beams[0]}}), beams[0]);
}

TEST(CommonBeam, ByHand) {
  expect_beam(common_beam({{{2, 1, 0}, {2, 1, 90}}}), {2, 2, 0}, 1e-7);
  // Around a circle of radius 2 and an ellipse that leaves it along its major axis only.
  expect_beam(common_beam({{{2, 2, 0}, {3, 1, 25}}}), {3, 2, 25}, 1e-7);
  expect_beam(common_beam({{{3, 1, 25}, {2, 2, 0}}}, true), {3, 3, 0});
}

TEST(CommonBeam, HoldsAllAndNoSmallerOneDoes) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::vector<Beam> beams = random_beams(2 + static_cast<int>(seed % 7), seed);
    const Beam common = common_beam(beams);
    for (const Beam& beam : beams) EXPECT_TRUE(deconvolve_beam(common, beam)) << seed;
    // The conditions and the area are convex: if no small step helps, nothing does.
    const double step = 1e-4;
    for (int i = 0; i < 200; ++i) {
      const double turn = 2 * kPi * i / 200;
      for (const double slope : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
        const Beam other{common.major * (1 + step * std::cos(turn)),
                         common.minor * (1 + step * std::sin(turn)),
                         common.angle + step * slope * 57};
        if (!other.valid() || other.area() > common.area() * (1 - 1e-6)) continue;
        bool holds = true;
        for (const Beam& beam : beams)
          holds = holds && holds_beam(matrix_of(other), matrix_of(beam));
        EXPECT_FALSE(holds) << seed << " " << i;
      }
    }
  }
}

TEST(CommonBeam, ManyBeams) {
  const std::vector<Beam> beams = random_beams(3000, 5);
  const Beam common = common_beam(beams);
  for (const Beam& beam : beams) EXPECT_TRUE(deconvolve_beam(common, beam));
  EXPECT_LT(common.major, 20.1);
}

/// The Fourier transform of a filter's weights, which are symmetric.
double transform_at(const Image& weights, double kx, double ky) {
  const Size size = weights.info().size;
  const int column = size.width / 2, row = size.height / 2;
  double sum = 0;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      sum +=
          weights.as<double>().at(x, y) * std::cos(2 * kPi * (kx * (x - column) + ky * (y - row)));
  return sum;
}

TEST(BeamKernel, HasTheTransformOfTheGaussianHoweverThin) {
  const Beam from{4, 3, 20};
  for (const Beam& between : {Beam{6, 5, 40}, Beam{3, 2, 100}, Beam{2, 0.3, 30}, Beam{0.5, 0.4, 0},
                              Beam{9, 0, 65}, Beam{1, 0, 45}}) {
    const Image weights = beam_kernel({from, convolve_beams(from, between), {-1, 0, 0, 1}});
    EXPECT_NEAR(transform_at(weights, 0, 0), 1, 1e-13);
    const BeamMatrix m = matrix_of(between);  // north, east: y, -x
    for (const double kx : {0.0, 0.1, 0.25, 0.35})
      for (const double ky : {-0.35, -0.2, 0.0, 0.3}) {
        const double exponent = m.a * ky * ky - 2 * m.b * kx * ky + m.c * kx * kx;
        const double wanted = std::exp(-kPi * kPi / (4 * std::log(2.0)) * exponent);
        EXPECT_NEAR(transform_at(weights, kx, ky), wanted, 3e-5)
            << beam_text(between) << " " << kx << " " << ky;
      }
  }
}

/// A source with the shape of a beam and a peak of 1, `x0`, `y0` pixels from the first.
Image source_image(const Beam& beam, const SkySteps& s, double x0, double y0,
                   Type type = Type::f64) {
  Image image({96, 80}, Type::f64);
  const BeamMatrix inverse = matrix_of(beam).inverse();
  for (int y = 0; y < 80; ++y)
    for (int x = 0; x < 96; ++x) {
      const double east = s.east_x * (x - x0) + s.east_y * (y - y0),
                   north = s.north_x * (x - x0) + s.north_y * (y - y0);
      const double square =
          inverse.a * north * north + 2 * inverse.b * north * east + inverse.c * east * east;
      image.as<double>().at(x, y) = std::exp(-4 * std::log(2.0) * square);
    }
  if (type == Type::f64) return image;
  Image floats(image.info().size, Type::f32);
  for (int y = 0; y < 80; ++y)
    for (int x = 0; x < 96; ++x)
      floats.as<float>().at(x, y) = static_cast<float>(image.as<double>().at(x, y));
  return floats;
}

double largest_difference(const Image& a, const Image& b, double factor = 1) {
  double largest = 0;
  for (int y = 0; y < 80; ++y)
    for (int x = 0; x < 96; ++x)
      largest =
          std::max(largest, std::abs(a.as<double>().at(x, y) - factor * b.as<double>().at(x, y)));
  return largest;
}

// Pixels of any shape: north up, mirrored, oblong, and turned by CDi_j.
TEST(BeamSmooth, ASourceGetsTheOtherBeamAndKeepsItsPeak) {
  const Beam from{9, 7, 30}, to{13, 9, 55};
  const double turn = 0.4;
  for (const SkySteps& steps :
       {SkySteps{-2, 0, 0, 2}, SkySteps{2, 0, 0, 2}, SkySteps{-2.5, 0, 0, 1.5},
        SkySteps{-2 * std::cos(turn), 2 * std::sin(turn), 2 * std::sin(turn),
                 2 * std::cos(turn)}}) {
    const Image image = source_image(from, steps, 47.3, 40.6),
                wanted = source_image(to, steps, 47.3, 40.6);
    EXPECT_LT(largest_difference(beam_smooth(image.view(), {from, to, steps}), wanted), 2e-4);
    const Image mean = beam_smooth(image.view(), {from, to, steps}, {.flux = BeamFlux::surface});
    EXPECT_LT(largest_difference(mean, wanted, from.area() / to.area()), 2e-4);
  }
}

TEST(BeamSmooth, ThinFiltersTooReachTheirBeam) {
  const Beam from{9, 7, 30};
  const SkySteps steps{-2, 0, 0, 2};
  for (const Beam& to :
       {Beam{9.2, 7.05, 30}, Beam{9.4, 7, 30}, Beam{9.001, 7.001, 30}, Beam{12, 7.01, 31}}) {
    const Image wanted = source_image(to, steps, 47.3, 40.6);
    const Image image = source_image(from, steps, 47.3, 40.6);
    EXPECT_LT(largest_difference(beam_smooth(image.view(), {from, to, steps}), wanted), 1e-4)
        << beam_text(to);
  }
}

TEST(BeamSmooth, BlankPixelsStayBlankAndCountAsZero) {
  const BeamChange change{{6, 5, 0}, {8, 8, 0}, {-2, 0, 0, 2}};
  Image image = source_image(change.from, change.pixel, 40, 40), zeros = copy(image.view());
  for (int x = 30; x < 45; ++x) {
    image.as<double>().at(x, 38) = x % 2 ? kNan : std::numeric_limits<double>::infinity();
    zeros.as<double>().at(x, 38) = 0;
  }
  const Image found = beam_smooth(image.view(), change), wanted = beam_smooth(zeros.view(), change);
  for (int y = 0; y < 80; ++y)
    for (int x = 0; x < 96; ++x) {
      const double value = found.as<double>().at(x, y);
      const bool blank = y == 38 && x >= 30 && x < 45;
      EXPECT_EQ(std::isnan(value), blank) << x << " " << y;
      EXPECT_TRUE(blank || value == wanted.as<double>().at(x, y)) << x << " " << y;
    }
}

TEST(BeamSmooth, EqualBeamsCopyEveryBit) {
  Image image = source_image({6, 5, 0}, {}, 40, 40, Type::f32);
  image.as<float>().at(3, 4) = std::numeric_limits<float>::infinity();
  const Image out = beam_smooth(image.view(), {{6, 5, 170}, {6, 5, -10}, {}});
  EXPECT_EQ(bytes_of_view(out.view()), bytes_of_view(image.view()));
}

TEST(BeamSmooth, StripsAndThreadsChangeNoBit) {
  const BeamChange change{{6, 5, 20}, {11, 8, 50}, {-2, 0, 0, 2}};
  for (const Type type : {Type::f32, Type::f64}) {
    const Image image = random_image({32, 900}, type, 3);
    for (const char* const method : {"direct", "auto"}) {
      const BeamSmooth plan(image.info(), change, {.backend = Backend::cpu, .method = method});
      Image whole(plan.output()), strips(plan.output());
      plan(image.view(), whole.view());
      ViewSource source(image.view());
      ViewSink sink(strips.view());
      RowSource* const sources[] = {&source};
      RowSink* const sinks[] = {&sink};
      const StripPlan parts = strip_plan(plan);
      Stream stream(kHost, 2, 260000);
      EXPECT_LT(strip_rows(parts, stream.memory_limit()), 900);
      stream_rows(sources, sinks, parts, stream);
      EXPECT_EQ(bytes_of_view(strips.view()), bytes_of_view(whole.view())) << method;
    }
  }
}

TEST(BeamSmooth, IsWithinTheBoundOfTheReference) {
  const BeamChange change{{6, 5, 20}, {11, 8, 50}, {-2, 0, 0, 2}};
  const Image image = source_image(change.from, change.pixel, 40, 40, Type::f32);
  const BeamSmooth plan(image.info(), change);
  Image out(plan.output());
  plan(image.view(), out.view());
  const Image reference =
      beam_smooth(image.view(), change, {.backend = Backend::cpu, .method = "reference"});
  double largest = 0;
  for (int y = 0; y < 80; ++y)
    for (int x = 0; x < 96; ++x)
      largest = std::max(largest,
                         std::abs(1.0 * out.as<float>().at(x, y) - reference.as<float>().at(x, y)));
  EXPECT_LE(largest, 2 * plan.error_bound(1));
  EXPECT_GT(largest + 1e-12, 0);
}

TEST(BeamErrors, SayWhatIsWrong) {
  const Image image({20, 10}, Type::f32), bytes({20, 10}, Type::u8);
  const auto smooth = [&](const Image& of, const BeamChange& change) {
    return [&of, change] { beam_smooth(of.view(), change); };
  };
  const Beam good{5, 4, 0}, large{6, 6, 0};
  expect_error(smooth(image, {large, good, {}}), ErrorKind::usage, "cannot be reached");
  expect_error(smooth(image, {{4, 5, 0}, large, {}}), ErrorKind::usage, "the first not smaller");
  expect_error(smooth(image, {{4, 0, 0}, large, {}}), ErrorKind::usage, "above 0");
  expect_error(smooth(image, {good, {kNan, 4, 0}, {}}), ErrorKind::usage, "finite");
  expect_error(smooth(image, {good, large, {1, 1, 1, 1}}), ErrorKind::usage, "parallel");
  expect_error(smooth(image, {good, large, {-1e-5, 0, 0, 1e-5}}), ErrorKind::usage,
               "check the unit");
  expect_error(smooth(bytes, {good, large, {}}), ErrorKind::usage, "must be f32 or f64");
  expect_error([] { common_beam({}); }, ErrorKind::usage, "give one or more");
}

}  // namespace
}  // namespace tessera
