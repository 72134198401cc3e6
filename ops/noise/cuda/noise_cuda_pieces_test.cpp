// SPDX-License-Identifier: Apache-2.0
// Noise maps of images that live on a GPU, that come in pieces, and that many threads ask for; and
// nodes of a grid.
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "core/device.hpp"
#include "core/machine.hpp"
#include "tessera/error.hpp"
#include "tessera/noise.hpp"
#include "tessera/noise_grid.hpp"
#include "tests/support/device_image.hpp"
#include "tests/support/noise_images.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using testing::DeviceImage;
using testing::noise_image;
using testing::run_small;
using testing::same_samples;

/// A method and a mode that it has.
struct Way {
  const char* method;
  NoiseMode mode;
};

NoiseOptions options_of(const Way& way, NoiseBox box = {16, 13}, Border border = Border::inside) {
  if (run_small()) box = {box.width / 2, box.height / 2};
  NoiseOptions options{.box = box, .mode = way.mode, .border = border};
  options.backend = Backend::cuda;
  options.method = way.method;
  return options;
}

constexpr Way kWays[] = {
    {"warps", NoiseMode::exact}, {"warps", NoiseMode::binned}, {"boxes", NoiseMode::exact}};

class NoisePiecesOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  }
  static Image whole(const Noise& plan, const Image& in) {
    Image out(plan.output());
    plan(in.view(), out.view());
    return out;
  }
};

void expect_same_on_device(const Image& in, const NoiseOptions& options, const Image& expected) {
  Stream stream(0);
  const DeviceImage device_in = testing::upload(in, stream);
  const Noise plan(device_in.view.info(), options);
  EXPECT_EQ(plan.device(), 0);
  const DeviceImage device_out(plan.output(), stream);
  plan(Piece{device_in.view, 0}, MutablePiece{device_out.view, 0}, stream);
  EXPECT_TRUE(same_samples(testing::short_view(download(device_out, stream)), expected.view()))
      << plan.describe();
}

TEST_F(NoisePiecesOnCuda, DeviceImagesGiveTheBytesOfHostImages) {
  for (const Way& way : kWays)
    for (const Type type : {Type::u8, Type::f32, Type::f64})
      for (const bool two_pass : {false, true}) {
        const Size size = run_small() ? Size{35, 20} : Size{131, 77};
        const Image in = noise_image(size, type, "1 % blank", 1);
        NoiseOptions options = options_of(way);
        options.two_pass = two_pass;
        expect_same_on_device(in, options, whole(Noise(in.info(), options), in));
      }
}

TEST_F(NoisePiecesOnCuda, DeviceImagesMayHaveAnySteps) {
  const Size size{45, 38};
  const Image large = noise_image({2 * size.width, 2 * size.height}, Type::f32, "normal", 2);
  const Image in = copy(testing::every_second_upwards(large.view(), size));
  for (const Way& way : kWays) {
    const Image expected = whole(Noise(in.info(), options_of(way)), in);
    Stream stream(0);
    const DeviceImage device_in = testing::upload(large, stream);
    const AnyView part = testing::every_second_upwards(AnyView(device_in.view), size);
    const Noise plan(part.info(), options_of(way));
    Image poison({2 * size.width, 2 * size.height, 1, 2}, Type::f32);
    std::memset(poison.view().data, 0x55, static_cast<std::size_t>(bytes_of(poison.info())));
    const DeviceImage device_out = testing::upload(poison, stream);
    const AnyMutableView out = testing::every_second_upwards(device_out.view, {45, 38, 1, 2});
    plan(Piece{part, 0}, MutablePiece{out, 0}, stream);
    const Image after = download(device_out, stream);
    EXPECT_TRUE(
        same_samples(testing::every_second_upwards(after.view(), {45, 38, 1, 2}), expected.view()))
        << plan.describe();
    // The bytes between are as they were.
    const AnyMutableView between = testing::every_second_upwards(poison.view(), {45, 38, 1, 2});
    for (int p = 0; p < 2; ++p)
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x)
          std::memcpy(between.address(x, y, p), expected.view().address(x, y, p), sizeof(float));
    EXPECT_TRUE(same_samples(after.view(), poison.view())) << plan.describe();
  }
}

TEST_F(NoisePiecesOnCuda, RowsByThemselvesAreRowsOfTheWhole) {
  const Image in = noise_image(run_small() ? Size{40, 40} : Size{90, 300}, Type::f32, "sources", 3);
  for (const Way& way : kWays)
    for (const Border border : {Border::inside, Border::reflect}) {
      const Noise plan(in.info(), options_of(way, {10, 13}, border));
      const Image expected = whole(plan, in);
      Image out(plan.output());
      Stream stream(0);
      const int height = in.info().size.height;
      for (int first = 0; first < height; first += 37) {
        const Rows rows{first, std::min(first + 37, height)}, needed = plan.needs(rows);
        const Rows held{std::max(0, needed.first), std::min(height, needed.end)};
        plan(Piece{in.view().rows(held.first, held.count()), held.first},
             MutablePiece{out.view().rows(rows.first, rows.count()), rows.first}, stream);
        stream.wait();
      }
      EXPECT_TRUE(same_samples(out.view(), expected.view()))
          << plan.describe() << " " << name_of(border);
    }
}

TEST_F(NoisePiecesOnCuda, ImagesLargerThanTheLimitGoInStrips) {
  const Image in =
      noise_image(run_small() ? Size{40, 300} : Size{100, 900}, Type::f32, "sources", 4);
  for (const Way& way : kWays)
    for (const Border border : {Border::inside, Border::reflect_101}) {
      const Noise plan(in.info(), options_of(way, {9, 11}, border));
      const Image expected = whole(plan, in);
      Image strips(plan.output());
      Stream small(0, 0, way.mode == NoiseMode::binned ? 800'000 : 150'000);
      plan(Piece{in.view(), 0}, MutablePiece{strips.view(), 0}, small);
      small.wait();
      EXPECT_TRUE(same_samples(strips.view(), expected.view()))
          << plan.describe() << " " << name_of(border);
      Stream tiny(0, 0, 1000);
      EXPECT_THROW(plan(Piece{in.view(), 0}, MutablePiece{strips.view(), 0}, tiny), Error);
    }
}

TEST_F(NoisePiecesOnCuda, ManyThreadsShareAPlan) {
  const Image in = noise_image(run_small() ? Size{40, 12} : Size{150, 130}, Type::f32, "normal", 5);
  for (const Way& way : kWays) {
    const Noise plan(in.info(), options_of(way));
    const Image expected = whole(plan, in);
    std::vector<Image> made;
    for (int t = 0; t < 4; ++t) made.emplace_back(plan.output());
    std::vector<std::thread> threads;
    for (Image& mine : made)
      threads.emplace_back([&] {
        Stream stream(0);
        for (int time = 0; time < 3; ++time)
          plan(Piece{in.view(), 0}, MutablePiece{mine.view(), 0}, stream);
        stream.wait();
      });
    for (std::thread& thread : threads) thread.join();
    for (const Image& mine : made) EXPECT_TRUE(same_samples(mine.view(), expected.view()));
  }
}

TEST_F(NoisePiecesOnCuda, MemoryIsFlatOverManyCalls) {
  const Image in = noise_image(run_small() ? Size{24, 20} : Size{200, 150}, Type::f32, "normal", 6);
  for (const Way& way : kWays) {
    const Noise plan(in.info(), options_of(way));
    Image out(plan.output());
    Stream stream(0);
    const auto call = [&] { plan(Piece{in.view(), 0}, MutablePiece{out.view(), 0}, stream); };
    for (int i = 0; i < 5; ++i) call();
    stream.wait();
    const std::size_t before = device_stream(stream).pool_bytes();
    for (int i = 0; i < (run_small() ? 5 : 100); ++i) call();
    stream.wait();
    EXPECT_GT(before, 0U);
    EXPECT_EQ(device_stream(stream).pool_bytes(), before);
  }
}

NoiseNodes measured(const NoiseGrid& plan, AnyView in, Stream& stream) {
  NoiseNodes nodes = plan.nodes();
  const Rows all{0, plan.node_rows()};
  plan.measure(nodes, {in, 0}, all, stream);
  if (!plan.two_pass()) return nodes;
  plan.settle(nodes);
  plan.measure_rms(nodes, {in, 0}, all, stream);
  return nodes;
}

::testing::AssertionResult same_values(const NoiseNodes& a, const NoiseNodes& b) {
  const bool same = a.values.size() == b.values.size() &&
                    std::memcmp(a.values.data(), b.values.data(), a.values.size() * 8) == 0;
  return same ? ::testing::AssertionSuccess() : ::testing::AssertionFailure() << "values differ";
}

void expect_nodes_of_cpu(const Image& in, NoiseOptions options) {
  options.backend = Backend::cpu;
  Stream host, stream(0), small(0, 0, 400'000);
  const NoiseNodes expected = measured(NoiseGrid(in.info(), options), in.view(), host);
  options.backend = Backend::cuda;
  const NoiseGrid plan(in.info(), options);
  EXPECT_TRUE(same_values(measured(plan, in.view(), stream), expected)) << plan.describe();
  EXPECT_TRUE(same_values(measured(plan, in.view(), small), expected)) << plan.describe();
  const DeviceImage device_in = testing::upload(in, stream);
  const NoiseGrid on_device(device_in.view.info(), options);
  EXPECT_TRUE(same_values(measured(on_device, device_in.view, stream), expected))
      << on_device.describe();
}

TEST_F(NoisePiecesOnCuda, NodesAreTheCpus) {
  const Size size = run_small() ? Size{51, 42} : Size{211, 190};
  for (const Type type : {Type::u16, Type::f32, Type::f64})
    for (const NoiseEstimator estimator : {NoiseEstimator::iqr, NoiseEstimator::mad})
      for (const NoiseBox box : {NoiseBox{20, 13}, NoiseBox{48, 40}})
        for (const bool two_pass : {false, true}) {
          if (run_small() && two_pass != (estimator == NoiseEstimator::mad)) continue;
          expect_nodes_of_cpu(
              noise_image(size, type, "half blank", 7),
              {.box = box, .mode = NoiseMode::grid, .estimator = estimator, .two_pass = two_pass});
        }
}

TEST_F(NoisePiecesOnCuda, RowsOfNodesAndTwoPassesAreTheCpus) {
  const Image in = noise_image(run_small() ? Size{50, 44} : Size{100, 90}, Type::f32, "ramp", 8);
  NoiseOptions options{.box = {21, 20}, .mode = NoiseMode::grid, .two_pass = true};
  const auto nodes_of = [&](Backend backend, int step) {
    options.backend = backend;
    const NoiseGrid plan(in.info(), options);
    Stream stream(plan.device());
    NoiseNodes nodes = plan.nodes();
    const auto each = [&](auto measure) {
      for (int first = 0; first < plan.node_rows(); first += step)
        measure(Rows{first, std::min(first + step, plan.node_rows())});
      plan.settle(nodes);
    };
    each([&](Rows rows) { plan.measure(nodes, {in.view(), 0}, rows, stream); });
    each([&](Rows rows) { plan.measure_rms(nodes, {in.view(), 0}, rows, stream); });
    return nodes;
  };
  const NoiseNodes expected = nodes_of(Backend::cpu, 100);
  EXPECT_TRUE(same_values(nodes_of(Backend::cuda, 100), expected));
  EXPECT_TRUE(same_values(nodes_of(Backend::cuda, 3), expected));
}

}  // namespace
}  // namespace tessera
