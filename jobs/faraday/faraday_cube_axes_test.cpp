// SPDX-License-Identifier: Apache-2.0
// Cubes whose axes lie in any order, read and written strip by strip.
#include "jobs/faraday/faraday_cube_axes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "io/cube_file.hpp"
#include "io/formats.hpp"
#include "jobs/faraday/faraday_cube_file.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera::testing {
namespace {

struct Order {
  std::vector<long long> lengths;
  int x, y, spectral;
};

std::vector<std::string> header_of(const Order& order) {
  std::vector<std::string> cards;
  for (int axis = 0; axis < static_cast<int>(order.lengths.size()); ++axis)
    cards.push_back(fits_card(fmt::format("CTYPE{}", axis + 1),
                              axis == order.spectral ? "'ObsFreq'" : "'X'", ""));
  return cards;
}

// A cube written in some order of axes can be read again, in strips of any height, and its values
// are at the places in the file that follow from that order.
TEST(FaradayCubeAxes, EveryOrderComesBack) {
  if (!can_write(".fits")) GTEST_SKIP() << "not in this build";
  const TemporaryFolder folder;
  const Image cube = random_image({5, 7, 1, 4}, Type::f32, 3);
  const Order orders[] = {
      {{5, 7, 4}, 0, 1, 2},    {{5, 7, 1, 4}, 0, 1, 3},   {{5, 7, 4, 1}, 0, 1, 2},
      {{4, 5, 7}, 1, 2, 0},    {{5, 4, 7}, 0, 2, 1},      {{1, 5, 7, 4}, 1, 2, 3},
      {{4, 1, 5, 7}, 2, 3, 0}, {{5, 1, 7, 4}, 0, 2, 3},   {{1, 4, 5, 7}, 2, 3, 1},
      {{5, 1, 4, 7}, 0, 3, 2}, {{5, 7, 1, 4, 1}, 0, 1, 3}};
  for (const Order& order : orders) {
    const std::string path = folder.path("a.fits");
    const FaradayCubeAxes axes{order.lengths, order.x, order.y, order.spectral};
    WriteOptions how{.force = true};
    how.header = header_of(order);
    FaradayCubeSink sink(
        std::move(create_cubes(path, {{{axes.file_size(), Type::f32}, order.lengths, how}})[0]),
        axes);
    for (const Rows rows : {Rows{0, 2}, Rows{2, 3}, Rows{3, 7}})
      sink.write(rows, cube.view().rows(rows.first, rows.count()));
    sink.finish();
    FaradayCubeSource source(path, "FREQ", {}, {});
    ASSERT_EQ(source.info().size, cube.info().size) << fmt::format("spectral {}", order.spectral);
    Image read(cube.info());
    for (const Rows rows : {Rows{0, 1}, Rows{1, 6}, Rows{6, 7}})
      source.read(rows, read.view().rows(rows.first, rows.count()));
    EXPECT_TRUE(same_samples(cube.view(), read.view()))
        << fmt::format("spectral {}", order.spectral);
    // By hand: the number of pixel 3, 5 of plane 2.
    long long place = 0, step = 1;
    for (int axis = 0; axis < static_cast<int>(order.lengths.size()); ++axis) {
      place += step * (axis == order.x ? 3 : axis == order.y ? 5 : axis == order.spectral ? 2 : 0);
      step *= order.lengths[static_cast<std::size_t>(axis)];
    }
    EXPECT_EQ(testing::short_view(read_image(path)).as<const float>().data[place],
              cube.as<float>().at(3, 5, 0, 2));
  }
}

TEST(FaradayCubeAxes, RefusesFourLongAxes) {
  if (!can_write(".fits")) GTEST_SKIP() << "not in this build";
  const TemporaryFolder folder;
  const std::string path = folder.path("a.fits");
  auto sinks = create_cubes(path, {{{{2, 3, 1, 8}, Type::f32}, {2, 3, 2, 4}, {}}});
  sinks[0]->write({0, 3}, testing::short_view(random_image({2, 3, 1, 8}, Type::f32, 1)));
  sinks[0]->finish();
  expect_error([&] { FaradayCubeSource(path, "FREQ", {}, {}); }, ErrorKind::input,
               "its axes are 2 x 3 x 2 x 4; a cube has x, y and one more axis");
}

TEST(FaradayCubeAxes, NpyOfFewColumnsIsACubeAllTheSame) {
  const TemporaryFolder folder;
  const Image cube = random_image({3, 7, 1, 6}, Type::f64, 3);
  // (6, 7, 3), which image readers take for colours.
  Image colours({7, 6, 3}, Type::f64);
  for (int k = 0; k < 6; ++k)
    for (int y = 0; y < 7; ++y)
      for (int x = 0; x < 3; ++x)
        colours.as<double>().at(y, k, x) = cube.as<double>().at(x, y, 0, k);
  write_image(folder.path("a.npy"), colours.view());
  FaradayCubeSource source(folder.path("a.npy"), "FREQ", {}, {});
  ASSERT_EQ(source.info(), (ImageInfo{{3, 7, 1, 6}, Type::f32, kHost}));
  Image read(source.info());
  source.read({0, 4}, read.view().rows(0, 4));
  source.read({4, 7}, read.view().rows(4, 3));
  for (int k = 0; k < 6; ++k)
    for (int y = 0; y < 7; ++y)
      for (int x = 0; x < 3; ++x)
        EXPECT_EQ(read.as<float>().at(x, y, 0, k),
                  static_cast<float>(cube.as<double>().at(x, y, 0, k)));
}

}  // namespace
}  // namespace tessera::testing
