// SPDX-License-Identifier: Apache-2.0
// Planes against published colours, against the formulas in plain double, and their bits.
#include "tessera/scene_planes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/compare.hpp"
#include "core/samples.hpp"
#include "tessera/border.hpp"
#include "tests/support/device_image.hpp"
#include "tests/support/files.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/on_cuda.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"

namespace tessera::testing {
namespace {

constexpr ScenePlanesOptions kPlain{.normalise = PlaneNormalisation::none};

struct Lab {
  double lightness, a, b;
};

double full_range(Type type) { return type == Type::u8 ? 255 : type == Type::u16 ? 65535 : 1; }

// The formulas of IEC 61966-2-1 and CIE 15, plain.
Lab lab_of(double red, double green, double blue, ColourCoding coding = ColourCoding::srgb) {
  const auto light = [&](double c) {
    if (coding == ColourCoding::linear) return c;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  const auto curve = [](double t) {
    return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
  };
  const double r = light(red), g = light(green), b = light(blue);
  const double x = curve((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.9504700),
               y = curve(0.2126729 * r + 0.7151521 * g + 0.0721750 * b),
               z = curve((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.0888300);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

// Gaussian smoothing and derivatives by their definition, borders reflected.
Image filtered(const Image& in, double sigma, int derivative_x, int derivative_y) {
  const int radius = static_cast<int>(std::ceil(4 * sigma));
  std::vector<double> smooth, slope;
  double sum = 0, ramp = 0;
  for (int i = -radius; i <= radius; ++i) {
    smooth.push_back(std::exp(-0.5 * i * i / (sigma * sigma)));
    slope.push_back(i * smooth.back());
    sum += smooth.back();
    ramp += i * slope.back();
  }
  const Size size = in.info().size;
  Image out(size, Type::f64);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      double total = 0;
      for (int j = 0; j <= 2 * radius; ++j)
        for (int i = 0; i <= 2 * radius; ++i) {
          const double along = derivative_x ? slope[i] / ramp : smooth[i] / sum;
          const double down = derivative_y ? slope[j] / ramp : smooth[j] / sum;
          total +=
              along * down *
              in.as<double>().at(border_index(x + i - radius, size.width, Border::reflect_101),
                                 border_index(y + j - radius, size.height, Border::reflect_101));
        }
      out.as<double>().at(x, y) = total;
    }
  return out;
}

// All four planes of a photograph, not normalised, in double.
Image reference_planes(AnyView photo, const ScenePlanesOptions& options) {
  const Size size{photo.size.width, photo.size.height};
  Image out({size.width, size.height, 1, 4}, Type::f64), lightness(size, Type::f64);
  const double most = full_range(photo.type);
  const int second = photo.size.channels >= 3 ? 1 : 0;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const auto at = [&](int c) { return sample_at(photo, x, y, c, 0) / most; };
      const Lab lab = lab_of(at(0), at(second), at(2 * second), options.coding);
      lightness.as<double>().at(x, y) = lab.lightness;
      out.as<double>().at(x, y, 0, 0) = lab.a;
      out.as<double>().at(x, y, 0, 1) = lab.b;
    }
  const Image gx = filtered(lightness, options.gradient_scale, 1, 0),
              gy = filtered(lightness, options.gradient_scale, 0, 1);
  Image cosine(size, Type::f64), sine(size, Type::f64), energy(size, Type::f64);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const double u = gx.as<double>().at(x, y), v = gy.as<double>().at(x, y);
      cosine.as<double>().at(x, y) = v * v - u * u;
      sine.as<double>().at(x, y) = 2 * u * v;
      energy.as<double>().at(x, y) = u * u + v * v;
    }
  cosine = filtered(cosine, options.texture_scale, 0, 0);
  sine = filtered(sine, options.texture_scale, 0, 0);
  energy = filtered(energy, options.texture_scale, 0, 0);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const double scale = options.strength == OrientationStrength::energy
                               ? 1
                               : 1 / (energy.as<double>().at(x, y) + 1e-4);
      out.as<double>().at(x, y, 0, 2) = cosine.as<double>().at(x, y) * scale;
      out.as<double>().at(x, y, 0, 3) = sine.as<double>().at(x, y) * scale;
    }
  return out;
}

Image one_colour(const std::vector<int>& samples) {
  Image image({8, 8, static_cast<int>(samples.size())}, Type::u8);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x)
      std::copy(samples.begin(), samples.end(), &image.as<unsigned char>().at(x, y));
  return image;
}

TEST(ScenePlanes, PublishedColours) {
  // a* and b* of the sRGB primaries and mixtures, as colour tables give them.
  const std::pair<std::vector<int>, std::pair<double, double>> known[] = {
      {{255, 0, 0}, {80.09, 67.20}},    {{0, 255, 0}, {-86.18, 83.18}},
      {{0, 0, 255}, {79.19, -107.86}},  {{255, 255, 0}, {-21.55, 94.48}},
      {{255, 0, 255}, {98.23, -60.83}}, {{0, 255, 255}, {-48.09, -14.13}}};
  for (const auto& [colour, ab] : known) {
    const Image planes = scene_planes(testing::short_view(one_colour(colour)), kPlain);
    EXPECT_NEAR(planes.as<float>().at(3, 3, 0, 0), ab.first, 0.01);
    EXPECT_NEAR(planes.as<float>().at(3, 3, 0, 1), ab.second, 0.01);
  }
}

TEST(ScenePlanes, GreysHaveNoColourAtAll) {
  for (int level = 0; level < 256; ++level)
    for (const Image& image :
         {one_colour({level}), one_colour({level, 7}), one_colour({level, level, level}),
          one_colour({level, level, level, 9})}) {
      const Image planes = scene_planes(image.view(), kPlain);
      ASSERT_EQ(planes.as<float>().at(1, 1, 0, 0), 0) << level;
      ASSERT_EQ(planes.as<float>().at(1, 1, 0, 1), 0) << level;
    }
}

// Every 8-bit colour with red and green of all values and some blue: 1e-4 is the promise.
TEST(ScenePlanes, AllColoursWithinTheBound) {
  for (const Way& way : all_ways()) {
    if (way.backend != Backend::cpu) continue;
    const ForcedIsa forced(way.isa);
    Image image({256, 256, 3}, Type::u8);
    double worst = 0;
    for (int blue = 0; blue < 256; blue += run_all() ? 1 : 15) {
      for (int y = 0; y < 256; ++y)
        for (int x = 0; x < 256; ++x) {
          unsigned char* pixel = &image.as<unsigned char>().at(x, y);
          pixel[0] = static_cast<unsigned char>(x);
          pixel[1] = static_cast<unsigned char>(y);
          pixel[2] = static_cast<unsigned char>(blue);
        }
      ScenePlanesOptions options = kPlain;
      options.texture_scale = 0.3;
      const Image planes = scene_planes(image.view(), options);
      for (int y = 0; y < 256; ++y)
        for (int x = 0; x < 256; ++x) {
          const Lab lab = lab_of(x / 255.0, y / 255.0, blue / 255.0);
          worst = std::max({worst, std::abs(planes.as<float>().at(x, y, 0, 0) - lab.a),
                            std::abs(planes.as<float>().at(x, y, 0, 1) - lab.b)});
        }
    }
    EXPECT_LT(worst, 1e-4) << way.name();
    RecordProperty("worst_" + way.isa, std::to_string(worst));
  }
}

TEST(ScenePlanes, EveryTypeAgainstTheFormulas) {
  for (const Way& way : all_ways()) {
    if (way.backend != Backend::cpu) continue;
    const ForcedIsa forced(way.isa);
    for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
      for (const int channels : {1, 2, 3, 4})
        for (const ColourCoding coding : {ColourCoding::srgb, ColourCoding::linear})
          for (const auto strength :
               {OrientationStrength::coherence, OrientationStrength::energy}) {
            ScenePlanesOptions options = kPlain;
            options.coding = coding;
            options.strength = strength;
            options.texture_scale = 1.5;
            const Image photo = random_image({37, 23, channels}, type, 5);
            Guarded planes({37, 23, 1, 4}, Type::f32, type == Type::u8 ? 2 : 0);
            ScenePlanes(photo.info(), options)(photo.view(), planes.view());
            EXPECT_TRUE(planes.untouched_outside());
            const Image truth = reference_planes(photo.view(), options);
            for (int p = 0; p < 4; ++p) {
              const AnyView expected = truth.view().only_plane(p);
              const double largest = largest_magnitude(expected);
              const double bound = p < 2 ? 1e-4 + 1e-6 * largest : 2e-5 * std::max(1.0, largest);
              const Comparison found =
                  compare(expected, AnyView(planes.view()).only_plane(p), bound);
              EXPECT_EQ(found.disagreement, "")
                  << way.name() << " plane " << p << " of " << name_of(type) << " x" << channels;
            }
          }
  }
}

// Filters far larger than the image: no memory is taken for their products.
TEST(ScenePlanes, LargeScalesAgainstTheFormulas) {
  for (const bool gradient : {true, false}) {
    ScenePlanesOptions options = kPlain;
    (gradient ? options.gradient_scale : options.texture_scale) = 66;
    const Image photo = random_image({4, 3, 3}, Type::u8, 5);
    const Image planes = scene_planes(photo.view(), options);
    const Image truth = reference_planes(photo.view(), options);
    for (int p = 2; p < 4; ++p) {
      const Comparison found =
          compare(truth.view().only_plane(p), planes.view().only_plane(p), 2e-5);
      EXPECT_EQ(found.disagreement, "") << p;
    }
  }
  const Image photo = random_image({64, 48, 3}, Type::u8, 5);
  EXPECT_NO_THROW(scene_planes(photo.view(), {.gradient_scale = 1000, .texture_scale = 1000}));
}

// Stripes at known angles, counter-clockwise from the row.
TEST(ScenePlanes, OrientationIsThatOfTheTexture) {
  for (const double degrees : {0.0, 30.0, 45.0, 90.0, 135.0, 160.0}) {
    const double turn = degrees * std::numbers::pi / 180;
    Image photo({64, 64}, Type::f32);
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x)  // across the stripes; rows count downwards
        photo.as<float>().at(x, y) = static_cast<float>(
            0.5 + 0.4 * std::sin(0.8 * (x * std::sin(turn) + y * std::cos(turn))));
    const Image planes = scene_planes(photo.view(), kPlain);
    EXPECT_NEAR(planes.as<float>().at(32, 32, 0, 2), std::cos(2 * turn), 0.02) << degrees;
    EXPECT_NEAR(planes.as<float>().at(32, 32, 0, 3), std::sin(2 * turn), 0.02) << degrees;
  }
}

TEST(ScenePlanes, Normalisations) {
  const Image photo = random_image({70, 50, 3}, Type::u8, 3);
  const Image scored = scene_planes(photo.view());
  for (int p = 0; p < 4; ++p) {
    double sum = 0, squares = 0;
    for (int y = 0; y < 50; ++y)
      for (int x = 0; x < 70; ++x) {
        const double value = scored.as<float>().at(x, y, 0, p);
        sum += value;
        squares += value * value;
      }
    EXPECT_NEAR(sum / 3500, 0, 1e-7);
    EXPECT_NEAR(squares / 3500, 1, 1e-6);
  }
  const Image unit = scene_planes(photo.view(), {.normalise = PlaneNormalisation::unit});
  for (int first : {0, 2})
    EXPECT_NEAR(
        std::hypot(unit.as<float>().at(9, 9, 0, first), unit.as<float>().at(9, 9, 0, first + 1)), 1,
        1e-6);
}

TEST(ScenePlanes, FlatPhotographsBecomeZero) {
  for (const auto how : {PlaneNormalisation::zscore, PlaneNormalisation::unit})
    for (const Image& photo : {one_colour({90, 90, 90}), one_colour({200})}) {
      const Image planes = scene_planes(photo.view(), {.normalise = how});
      EXPECT_EQ(largest_magnitude(planes.view()), 0);
    }
  // A colour everywhere the same: its deviations are 0, its direction is not.
  const Image red = one_colour({255, 0, 0});
  EXPECT_EQ(largest_magnitude(testing::short_view(scene_planes(red.view()))), 0);
  EXPECT_NEAR(testing::short_view(scene_planes(red.view(), {.normalise = PlaneNormalisation::unit}))
                  .as<const float>()
                  .at(0, 0),
              80.09 / std::hypot(80.09, 67.20), 1e-4);
}

TEST(ScenePlanes, SameBitsForAnyThreadsAndForBatches) {
  const Image photos = random_image({131, 97, 3, 2}, Type::u8, 8);
  const Image first = scene_planes(photos.view());
  for (const int threads : {1, 2, 3, 7}) {
    Stream stream(kHost, threads);
    Image again(first.info());
    ScenePlanes(photos.info())(photos.view(), again.view(), stream);
    EXPECT_EQ(bytes_of_view(again.view()), bytes_of_view(first.view())) << threads;
  }
  AnyView second = first.view();
  second.data = second.address(0, 0, 4);
  second.size.planes = 4;
  EXPECT_EQ(bytes_of_view(testing::short_view(scene_planes(photos.view().only_plane(1)))),
            bytes_of_view(second));
}

using ScenePlanesOnCuda = OnCuda;

// The bounds of the CPU's planes; photographs and planes with gaps between rows.
TEST_F(ScenePlanesOnCuda, EveryTypeAgainstTheFormulas) {
  Stream stream(0);
  for (const Type type : {Type::u8, Type::u16, Type::f32, Type::f64})
    for (const int channels : {1, 2, 3, 4})
      for (const ColourCoding coding : {ColourCoding::srgb, ColourCoding::linear})
        for (const auto strength : {OrientationStrength::coherence, OrientationStrength::energy}) {
          ScenePlanesOptions options = kPlain;
          options.coding = coding;
          options.strength = strength;
          options.texture_scale = 1.5;
          const Image photo = random_image({37, 23, channels}, type, 5);
          const DeviceImage there = upload(photo, stream);
          const DeviceImage made({{37, 23, 1, 4}, Type::f32, 0}, stream);
          ScenePlanes(there.view.info(), options)(there.view, made.view, stream);
          const Image planes = download(made, stream);
          const Image truth = reference_planes(photo.view(), options);
          for (int p = 0; p < 4; ++p) {
            const AnyView expected = truth.view().only_plane(p);
            const double largest = largest_magnitude(expected);
            const double bound = p < 2 ? 1e-4 + 1e-6 * largest : 2e-5 * std::max(1.0, largest);
            EXPECT_EQ(compare(expected, planes.view().only_plane(p), bound).disagreement, "")
                << "plane " << p << " of " << name_of(type) << " x" << channels;
          }
        }
}

TEST(ScenePlanes, BadCalls) {
  const Image photo = random_image({9, 9, 3}, Type::u8, 1);
  const auto refused = [&](const ScenePlanesOptions& options, const char* part) {
    expect_error([&] { scene_planes(photo.view(), options); }, ErrorKind::usage, part);
  };
  refused({.gradient_scale = 0}, "gradient-scale is 0; it can be 0.1 to 1000 pixels");
  refused({.gradient_scale = 0.02},
          "gradient-scale is 0.02; it can be 0.1");  // all weight in one pixel
  refused({.texture_scale = NAN}, "texture-scale is nan; it can be 0.1 to 1000 pixels");
  refused({.texture_scale = 1e9}, "0.1 to 1000");
  expect_error([&] { ScenePlanes({{0, 5, 3}, Type::u8}); }, ErrorKind::usage, "at least one pixel");
  AnyView elsewhere = photo.view();
  elsewhere.device = 0;
  expect_error([&] { scene_planes(elsewhere); }, ErrorKind::usage, "host memory");
  Image wrong({9, 9, 1, 3}, Type::f32);
  expect_error(
      [&] { normalise_planes(wrong.as<float>(), PlaneNormalisation::unit, thread_stream()); },
      ErrorKind::usage, "3 planes cannot be paired");
  expect_error([&] { ScenePlanes(photo.info())(photo.view(), wrong.view()); }, ErrorKind::usage,
               "the plan was made for");
}

}  // namespace
}  // namespace tessera::testing
