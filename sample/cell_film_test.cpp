// SPDX-License-Identifier: Apache-2.0
// The contents of a film, measured from its pixels.
#include "sample/cell_film.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/files.hpp"
#include "tests/support/hash.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using namespace testing;

constexpr CellFilmOptions kHard{.preset = CellFilmPreset::hard};
constexpr CellFilmParts kGround{true, false, false}, kCells{false, true, false},
    kNoise{false, false, true};

Image frame_of(const CellFilm& film, int frame) {
  ImageInfo info = film.info();
  info.size.planes = 1;
  Image image(info);
  film.read_frame(frame, {0, info.size.height}, image.view());
  return image;
}

Image hard_frame(int frame, CellFilmParts parts, std::uint64_t seed = 1,
                 CellFilmOptions options = kHard) {
  return frame_of(CellFilm({640, 480}, seed, Type::f64, options, 0, parts), frame);
}

struct Moments {
  double mean = 0, width = 0;
};
template <class Value>
Moments moments(Size size, Value value) {
  double sum = 0, squares = 0;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      sum += value(x, y);
      squares += value(x, y) * value(x, y);
    }
  const double count = 1.0 * size.width * size.height, mean = sum / count;
  return {mean, std::sqrt(squares / count - mean * mean)};
}

// As in scene_test: computed on aarch64 with g++ 12.
TEST(CellFilm, IsTheSameOnEveryMachine) {
  const CellFilm film({640, 480}, 1, Type::u8, kHard);
  EXPECT_EQ(hash_of(testing::short_view(frame_of(film, 0))), 7851963557069431374u);
  EXPECT_EQ(hash_of(testing::short_view(frame_of(film, 123))), 16495825205277171856u);
  EXPECT_EQ(hash_of(testing::short_view(frame_of(CellFilm({640, 480}, 7, Type::u16), 9))),
            16360300296144828693u);
}

TEST(CellFilm, FramesInAnyOrderStripsAndThreadsGiveTheSameBytes) {
  const CellFilmOptions options{.frames = 12, .cells = 6, .stops = 1};
  CellFilm film({200, 150}, 3, Type::u8, options, 1);
  Image whole(film.info());
  film.read({0, 150}, whole.view());
  for (const int threads : {1, 3}) {
    const CellFilm other({200, 150}, 3, Type::u8, options, threads);
    for (const int frame : {11, 0, 5}) {
      Image image({{200, 150}, Type::u8, kHost});
      for (int row = 0; row < 150; row += 37)
        other.read_frame(frame, {row, std::min(150, row + 37)},
                         image.view().rows(row, std::min(37, 150 - row)));
      EXPECT_TRUE(same_samples(whole.view().only_plane(frame), image.view()))
          << threads << " threads, frame " << frame;
    }
  }
}

TEST(CellFilm, IsTheSumOfItsParts) {
  const Image all = hard_frame(40, {}), ground = hard_frame(40, kGround),
              cells = hard_frame(40, kCells), noise = hard_frame(40, kNoise);
  for (int y = 0; y < 480; y += 7)
    for (int x = 0; x < 640; x += 3)
      ASSERT_NEAR(
          all.as<double>().at(x, y),
          ground.as<double>().at(x, y) + cells.as<double>().at(x, y) + noise.as<double>().at(x, y),
          1e-4);
}

TEST(CellFilm, NoiseIsWhiteAndAsWideAsAskedFor) {
  const Image noise = hard_frame(17, kNoise), next = hard_frame(18, kNoise);
  const auto a = noise.as<double>(), b = next.as<double>();
  const auto at = [&](int x, int y) { return a.at(x, y); };
  const Moments all = moments({640, 480}, at);
  EXPECT_NEAR(all.mean, 0, 5 * 8 / std::sqrt(307200.0));  // five standard errors
  EXPECT_NEAR(all.width, 8, 5 * 8 / std::sqrt(2 * 307200.0));
  // Neighbours along a row, down a column and in time are independent.
  const double most = 5 * 64 / std::sqrt(307200.0 - 640);
  EXPECT_NEAR(moments({639, 480}, [&](int x, int y) { return at(x, y) * at(x + 1, y); }).mean, 0,
              most);
  EXPECT_NEAR(moments({640, 479}, [&](int x, int y) { return at(x, y) * at(x, y + 1); }).mean, 0,
              most);
  EXPECT_NEAR(moments({640, 480}, [&](int x, int y) { return at(x, y) * b.at(x, y); }).mean, 0,
              most);
  // The tails of a Gaussian: 0.27% beyond three widths.
  const double beyond =
      moments({640, 480}, [&](int x, int y) { return std::abs(at(x, y)) > 24 ? 1.0 : 0.0; }).mean;
  EXPECT_NEAR(beyond, 0.0027, 0.0005);
}

TEST(CellFilm, GroundHasTheTextureAndTheScalesAskedFor) {
  CellFilmOptions options = kHard;
  options.light = 0;
  options.walls = 0;
  const Image ground = hard_frame(150, kGround, 2, options);
  const auto view = ground.as<double>();
  const auto at = [&](int x, int y) { return view.at(x, y) - 110; };
  const Moments all = moments({640, 480}, at);
  EXPECT_NEAR(all.mean, 0, 0.5);
  EXPECT_NEAR(all.width, 6, 0.25);
  // Four scales, 4, 8, 15 and 30 px, each with an autocorrelation of exp(-(d / scale)^2).
  for (const int d : {2, 4, 8, 16, 30, 60}) {
    double wanted = 0;
    for (int i = 0; i < 4; ++i) {
      const double scale = 4 * std::pow(7.5, i / 3.0);
      wanted += std::exp(-d * d / (scale * scale)) / 4;
    }
    const double seen =
        moments({640 - d, 480}, [&](int x, int y) { return at(x, y) * at(x + d, y); }).mean / 36;
    EXPECT_NEAR(seen, wanted, 0.08) << d;
  }
}

TEST(CellFilm, LightGoesFromThreeQuartersToFive) {
  CellFilmOptions options = kHard;
  options.texture = 0;
  options.walls = 0;
  for (std::uint64_t seed = 1; seed <= (run_all() ? 3 : 1); ++seed) {
    const Image ground = hard_frame(0, kGround, seed, options);
    double least = 1e9, most = 0, step = 0;
    for (int y = 0; y < 480; ++y)
      for (int x = 0; x < 640; ++x) {
        const double value = ground.as<double>().at(x, y) / 110;
        least = std::min(least, value);
        most = std::max(most, value);
        if (x > 0) step = std::max(step, std::abs(value - ground.as<double>().at(x - 1, y) / 110));
      }
    EXPECT_NEAR(least, 0.75, 1e-3);
    EXPECT_NEAR(most, 1.25, 1e-3);
    EXPECT_LT(step, 0.005);  // smooth
  }
}

// The shift between two frames of the ground, by least squares on its gradients.
TEST(CellFilm, TheSceneDrifts) {
  CellFilmOptions options = kHard;
  options.light = 0;
  for (std::uint64_t seed = 1; seed <= (run_all() ? 3 : 1); ++seed) {
    const CellFilm film({640, 480}, seed, Type::f64, options, 0, kGround);
    const Image before = frame_of(film, 100), after = frame_of(film, 104);
    const auto a = before.as<double>(), b = after.as<double>();
    double xx = 0, xy = 0, yy = 0, xt = 0, yt = 0;
    for (int y = 1; y < 479; ++y)
      for (int x = 1; x < 639; ++x) {
        const double gx = (a.at(x + 1, y) - a.at(x - 1, y) + b.at(x + 1, y) - b.at(x - 1, y)) / 4;
        const double gy = (a.at(x, y + 1) - a.at(x, y - 1) + b.at(x, y + 1) - b.at(x, y - 1)) / 4;
        const double t = a.at(x, y) - b.at(x, y);
        xx += gx * gx, xy += gx * gy, yy += gy * gy, xt += gx * t, yt += gy * t;
      }
    const double dx = (yy * xt - xy * yt) / (xx * yy - xy * xy);
    const double dy = (xx * yt - xy * xt) / (xx * yy - xy * xy);
    EXPECT_NEAR(std::hypot(dx, dy), 0.4, 0.03);
    EXPECT_NEAR(dx, film.drift(104).x - film.drift(100).x, 0.03);
    EXPECT_NEAR(dy, film.drift(104).y - film.drift(100).y, 0.03);
  }
}

// Whatever fraction of a pixel the scene has moved by, the background has the same spread: nothing
// is smoothed away between pixels.
TEST(CellFilm, DriftDoesNotBlur) {
  CellFilmOptions options = kHard;
  options.light = 0;
  const CellFilm film({640, 480}, 4, Type::f64, options, 0, kGround);
  const auto sharpness = [&](int frame) {
    const Image image = frame_of(film, frame);
    const auto view = image.as<double>();
    return moments({639, 480}, [&](int x, int y) { return view.at(x + 1, y) - view.at(x, y); })
        .width;
  };
  const double first = sharpness(150);
  for (const int frame : {152, 154, 156, 158}) EXPECT_NEAR(sharpness(frame) / first, 1, 0.01);
}

// Only discs: centroid, height and area of every cell that no other touches.
TEST(CellFilm, CellsAreWhereTheTruthSays) {
  const CellFilm film({640, 480}, 5, Type::f64, kHard, 0, kCells);
  int looked_at = 0;
  for (const int frame : {0, 60, 155, 299}) {
    const Image image = frame_of(film, frame);
    for (const FilmCell& cell : film.truth().cells) {
      const auto& spots = cell.track.spots;
      const auto here = std::ranges::find(spots, frame, &CellSpot::frame);
      if (here == spots.end()) continue;
      const double reach = here->radius + 4;
      const bool inside =
          here->x > reach && here->y > reach && here->x < 639 - reach && here->y < 479 - reach;
      const bool alone = std::ranges::none_of(film.truth().cells, [&](const FilmCell& other) {
        const auto there = std::ranges::find(other.track.spots, frame, &CellSpot::frame);
        return &other != &cell && there != other.track.spots.end() &&
               std::hypot(there->x - here->x, there->y - here->y) <
                   1.5 * reach + there->radius + 4;  // a square's corner
      });
      if (!inside || !alone) continue;
      ++looked_at;
      double sum = 0, x_sum = 0, y_sum = 0;
      for (int y = static_cast<int>(here->y - reach); y <= here->y + reach; ++y)
        for (int x = static_cast<int>(here->x - reach); x <= here->x + reach; ++x) {
          const double value = image.as<double>().at(x, y);
          sum += value, x_sum += x * value, y_sum += y * value;
        }
      EXPECT_NEAR(x_sum / sum, here->x, 0.01);
      EXPECT_NEAR(y_sum / sum, here->y, 0.01);
      EXPECT_NEAR(image.as<double>().at(static_cast<int>(std::lround(here->x)),
                                        static_cast<int>(std::lround(here->y))),
                  cell.contrast, 1e-5);
      // A disc blurred by 1 px has the same sum as the sharp one: pi (r^2 + 1) for this edge.
      const double area = 3.14159265 * (here->radius * here->radius + 1);
      EXPECT_NEAR(sum / cell.contrast / area, 1, 0.01);
    }
  }
  EXPECT_GT(looked_at, 40);
}

TEST(CellFilm, TypesHoldTheSameGreyLevels) {
  const CellFilm u8({640, 480}, 1, Type::u8, kHard), u16({640, 480}, 1, Type::u16, kHard),
      f64({640, 480}, 1, Type::f64, kHard);
  const Image a = frame_of(u8, 3), b = frame_of(u16, 3), c = frame_of(f64, 3);
  for (int y = 0; y < 480; y += 5)
    for (int x = 0; x < 640; x += 3) {
      const double value = c.as<double>().at(x, y);
      ASSERT_NEAR(a.as<unsigned char>().at(x, y), value, 0.5001);
      ASSERT_NEAR(b.as<unsigned short>().at(x, y) / 256.0, value, 0.003);
    }
}

TEST(CellFilm, RefusesWhatItCannotMake) {
  const auto make = [](Size size, const CellFilmOptions& options) {
    CellFilm(size, 1, Type::u8, options);
  };
  const Size size{640, 480};
  expect_error([&] { make({640, 480, 3}, {}); }, ErrorKind::usage, "1 channel and 1 plane");
  expect_error([&] { make({0, 480}, {}); }, ErrorKind::usage, "cells: frames of 0x480 pixels");
  expect_error(
      [&] {
        make({2'000'000'000, 480}, {});
      },
      ErrorKind::usage, "cells: size: 2000000000x480 is too large");
  expect_error([&] { make(size, {.frames = 0}); }, ErrorKind::usage,
               "cells: frames is 0; it can be 1 to");
  expect_error([&] { make(size, {.radius_low = 20}); }, ErrorKind::usage,
               "cells: radius-low is 20; it can be 2 to 12");
  expect_error([&] { make(size, {.noise = std::nan("")}); }, ErrorKind::usage,
               "cells: noise is nan");
  expect_error([&] { make(size, {.cells = 4, .stops = 5}); }, ErrorKind::usage,
               "cells: stops is 5");
  expect_error([&] { make(size, {.frames = 20'000, .drift = 1}); }, ErrorKind::usage,
               "cells: drift 1 moves the scene by 20000 pixels");
  expect_error([&] { make({60, 40}, {}); }, ErrorKind::usage, "frames of 60x40 pixels; give fewer");
  expect_error([&] { make(size, {.cells = 2, .crossings = 50}); }, ErrorKind::usage,
               "2 cells with 50 crossings");
}

}  // namespace
}  // namespace tessera
