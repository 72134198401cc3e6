// SPDX-License-Identifier: Apache-2.0
// The kernels that multiply tiles, on a device, against exact sums.
#include "ops/xengine/cuda/xengine_tiles_cuda.hpp"

#include <gtest/gtest.h>

#include <random>

#include "core/device.hpp"
#include "core/machine.hpp"
#include "tessera/error.hpp"
#include "tests/support/tile_samples.hpp"

namespace tessera {
namespace {

using testing::TileCase;
using testing::TileSamples;

constexpr int kCanary = 0x7eadbeef, kMargin = 64;

constexpr const char* name_of(TileKernel kernel) {
  return kernel == TileKernel::wgmma ? "wgmma" : kernel == TileKernel::mma ? "mma" : "dp4a";
}

class XEngineTilesOnCuda : public ::testing::TestWithParam<TileKernel> {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
    if (const std::string why = why_no_tile_kernel(GetParam(), 0); !why.empty())
      GTEST_SKIP() << "no device: " << why;
  }
};

AnyMutableView bytes_at(void* data, std::size_t bytes, int device) {
  return packed(data, ImageInfo{{static_cast<int>(bytes), 1}, Type::u8, device});
}

/// A kernel's sums of the samples, with the bytes before and behind them.
std::vector<int> run_on_device(TileKernel kernel, const TileSamples& samples,
                               std::vector<int> sums) {
  Stream stream(0);
  const TileCase& shape = samples.shape;
  const Scratch in = stream.scratch(samples.bytes.size());
  const std::size_t bytes = sums.size() * sizeof(int);
  const Scratch out = stream.scratch(bytes);
  const auto copy = [&](void* from, int device_from, void* to, int device_to, std::size_t count) {
    device_stream(stream).copy(bytes_at(from, count, device_from), bytes_at(to, count, device_to));
  };
  std::vector<unsigned char> given = samples.bytes;
  copy(given.data(), kHost, in.data(), 0, given.size());
  copy(sums.data(), kHost, out.data(), 0, bytes);
  XEngineTiles tiles;
  tiles.samples = in.data();
  tiles.channels = shape.channels;
  tiles.inputs = shape.inputs;
  tiles.polarisations = shape.polarisations;
  tiles.length = shape.length;
  tiles.grouped = shape.grouped;
  tiles.channel_step = samples.channel_step;
  tiles.time_step = samples.time_step;
  tiles.sums = out.as<int>() + kMargin;
  tiles.add = shape.add;
  EXPECT_TRUE(takes_strided(tiles));
  run_tiles(kernel, tiles, stream);
  copy(out.data(), 0, sums.data(), kHost, bytes);
  stream.wait();
  return sums;
}

void expect_exact(TileKernel kernel, const TileCase& shape) {
  const TileSamples samples(shape);
  const std::size_t count = 2UL * shape.channels * samples.values();
  std::mt19937 random(7);
  std::vector<int> old(count), all(count + 2 * kMargin, kCanary);
  for (std::size_t n = 0; n < count; ++n) all[n + kMargin] = old[n] = static_cast<int>(random());
  const std::vector<int> made = run_on_device(kernel, samples, all), exact = samples.sums(old);
  int wrong = 0;
  for (std::size_t n = 0; n < count && wrong < 5; ++n)
    if (made[n + kMargin] != exact[n]) {
      ADD_FAILURE() << name_of(kernel) << ", " << shape.text() << ": part " << n << " is "
                    << made[n + kMargin] << ", not " << exact[n];
      ++wrong;
    }
  for (std::size_t n = 0; n < kMargin; ++n) {
    EXPECT_EQ(made[n], kCanary) << shape.text();
    EXPECT_EQ(made[count + kMargin + n], kCanary) << shape.text();
  }
}

TEST_P(XEngineTilesOnCuda, ExactForShapesRoundTiles) {
  for (const bool grouped : {true, false})
    for (const TileCase& shape : testing::tile_cases(grouped)) expect_exact(GetParam(), shape);
}

TEST_P(XEngineTilesOnCuda, ExactForAllNumbersOfInputs) {
  for (int inputs = 1; inputs <= 300; inputs += inputs < 20 ? 1 : 7)
    for (int polarisations = 1; polarisations <= 3; ++polarisations)
      if (inputs % polarisations == 0)
        for (const bool grouped : {true, false})
          expect_exact(GetParam(),
                       {3, inputs, polarisations, grouped ? 112 : 109, grouped, inputs % 2 == 0});
}

/// More tiles than blocks: barriers and stages go round many times.
TEST_P(XEngineTilesOnCuda, ExactForManyTilesAndLongTimes) {
  for (const bool grouped : {true, false}) {
    expect_exact(GetParam(), {700, 20, 2, 96, grouped});
    expect_exact(GetParam(), {300, 136, 2, 48, grouped});
    expect_exact(GetParam(), {1, 256, 2, 4096, grouped, true});
    expect_exact(GetParam(), {2, 4, 2, 65520, grouped, false, true});
  }
}

TEST_P(XEngineTilesOnCuda, TheSameEveryTime) {
  const TileSamples samples({40, 260, 2, 256});
  const std::vector<int> nothing(2UL * 40 * samples.values() + 2 * kMargin, kCanary);
  const std::vector<int> first = run_on_device(GetParam(), samples, nothing);
  for (int n = 0; n < 5; ++n) EXPECT_EQ(run_on_device(GetParam(), samples, nothing), first);
}

TEST_P(XEngineTilesOnCuda, RefusesWhatDoesNotFit) {
  Stream stream(0);
  const Scratch memory = stream.scratch(4096);
  XEngineTiles good;
  good.samples = memory.data();
  good.channels = 1;
  good.inputs = 2;
  good.length = 16;
  good.channel_step = good.time_step = 64;
  good.sums = memory.as<int>() + 256;
  const auto refused = [&](auto change) {
    XEngineTiles tiles = good;
    change(tiles);
    EXPECT_THROW(run_tiles(GetParam(), tiles, stream), Error);
  };
  refused([](XEngineTiles& t) { t.time_step = 40; });
  refused([](XEngineTiles& t) { t.channel_step = 72; });
  refused([](XEngineTiles& t) { t.samples = static_cast<const char*>(t.samples) + 2; });
  refused([](XEngineTiles& t) { t.sums += 1; });
  refused([](XEngineTiles& t) { t.length = 17; });
  refused([](XEngineTiles& t) { t.polarisations = 3; });
}

INSTANTIATE_TEST_SUITE_P(Kernels, XEngineTilesOnCuda,
                         ::testing::Values(TileKernel::wgmma, TileKernel::mma, TileKernel::dp4a),
                         [](const auto& p) { return std::string(name_of(p.param)); });

/// These need no device.
TEST(XEngineTiles, SayWhyTheyCannotRun) {
  for (const TileKernel kernel : {TileKernel::wgmma, TileKernel::mma, TileKernel::dp4a})
    EXPECT_NE(why_no_tile_kernel(kernel, 4096), "") << name_of(kernel);
}

TEST(XEngineTiles, TakeWhatLiesInSixteens) {
  XEngineTiles tiles;
  tiles.grouped = false;
  tiles.channel_step = 96;
  tiles.time_step = 960;
  EXPECT_TRUE(takes_strided(tiles));
  tiles.channel_step = 100;
  EXPECT_FALSE(takes_strided(tiles));
  tiles.channel_step = 96;
  tiles.time_step = 968;
  EXPECT_FALSE(takes_strided(tiles));
}

}  // namespace
}  // namespace tessera
