// SPDX-License-Identifier: Apache-2.0
// What only a GPU can get wrong in rotation measure synthesis: its methods against the reference,
// cubes that live on it, steps of any kind.
#include <gtest/gtest.h>

#include "core/device_blas.hpp"
#include "core/machine.hpp"
#include "tessera/error.hpp"
#include "tests/support/device_image.hpp"
#include "tests/support/faraday_on_cuda.hpp"
#include "tests/support/polarised_cubes.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::DeviceImage;
using testing::Guarded;
using testing::PolarisedCubes;
using testing::some_axes;
using testing::synth_methods_on_cuda;
using testing::synth_on_cuda;
using Bytes = std::vector<unsigned char>;

class FaradayOnCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (this_machine().devices.empty())
      GTEST_SKIP() << "no device: " << this_machine().no_device_reason;
  }
};

/// Both parts of spectra made by a plan from host images.
template <class T>
std::pair<Image, Image> spectra_of(const FaradaySynth& plan, const PolarisedCubes<T>& cubes) {
  std::pair<Image, Image> made{cubes.spectrum(), cubes.spectrum()};
  plan(cubes.q.view(), cubes.u.view(), made.first.view(), made.second.view());
  return made;
}

Bytes bytes_of(const std::pair<Image, Image>& spectra) {
  Bytes all = bytes_of_view(spectra.first.view());
  const Bytes more = bytes_of_view(spectra.second.view());
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

template <class T>
void expect_near(const PolarisedCubes<T>& cubes, const std::string& method, double bound) {
  const FaradaySynth plan(cubes.q.info(), cubes.axes, synth_on_cuda(method));
  const auto [real, imaginary] = spectra_of(plan, cubes);
  EXPECT_LE(cubes.worst_error(real, imaginary), bound) << plan.describe();
}

struct Case {
  Size size;
  int channels;
  const char* phi;
};

/// Around a block's pixels (16), a tile's (32 and 256), and groups of cells; one part and many.
std::vector<Case> all_cases() {
  std::vector<Case> cases{{{1, 1}, 9, "-60,60,4"},    {{5, 7}, 40, "-62,62,4"},
                          {{17, 1}, 3, "-300,300,5"}, {{33, 2}, 57, "800,1700,3"},
                          {{16, 2}, 70, "-5,4,1"},    {{3, 5}, 133, "-20,20,0.1"}};
  if (!testing::run_small())
    cases.insert(cases.end(), {{{100, 83}, 100, "-300,300,5"},
                               {{64, 65}, 300, "-1000,1000,5"},
                               {{31, 20}, 700, "-1000,3000,2"},
                               {{40, 3}, 1500, "-4000,4000,2"}});
  return cases;
}

TEST_F(FaradayOnCuda, AgreesWithTheReferenceForEverySize) {
  for (const Case& c : all_cases()) {
    const PolarisedCubes<float> cubes(c.size, some_axes(c.channels, c.phi));
    for (const std::string& method : synth_methods_on_cuda()) expect_near(cubes, method, 1e-5);
    if (why_no_device_blas().empty())
      expect_near(PolarisedCubes<double>(c.size, cubes.axes), "gemm", 1e-12);
  }
}

TEST_F(FaradayOnCuda, AnyDepthsGoByProducts) {
  if (!why_no_device_blas().empty()) GTEST_SKIP() << why_no_device_blas();
  const FaradayChannels channels = testing::some_channels(40);
  for (const std::vector<double>& depths :
       {std::vector<double>{7}, {0}, {-3, 1, 900}, {30, 20, 10}, {-5, -1, 0, 1, 5}}) {
    const FaradayAxes axes = faraday_axes(channels, depths);
    const PolarisedCubes<float> cubes({13, 5}, axes);
    EXPECT_THROW(FaradaySynth(cubes.q.info(), axes, synth_on_cuda("nufft")), Error);
    EXPECT_EQ(FaradaySynth(cubes.q.info(), axes, synth_on_cuda("auto")).method(), "gemm");
    expect_near(cubes, "gemm", 1e-5);
    expect_near(PolarisedCubes<double>({13, 5}, axes), "gemm", 1e-12);
  }
}

TEST_F(FaradayOnCuda, CubesOnTheDeviceGiveTheSameBits) {
  const PolarisedCubes<float> cubes({37, 11}, some_axes(60, "-300,300,5"));
  for (const std::string& method : synth_methods_on_cuda()) {
    const Bytes expected = bytes_of(
        spectra_of(FaradaySynth(cubes.q.info(), cubes.axes, synth_on_cuda(method)), cubes));
    ImageInfo info = cubes.q.info();
    info.device = 0;
    const FaradaySynth plan(info, cubes.axes, synth_on_cuda(method));
    Stream stream(0);
    const DeviceImage q = testing::upload(cubes.q, stream), u = testing::upload(cubes.u, stream);
    const DeviceImage real(plan.output(), stream), imaginary(plan.output(), stream);
    plan(q.view, u.view, real.view, imaginary.view, stream);
    EXPECT_EQ(expected,
              bytes_of({testing::download(real, stream), testing::download(imaginary, stream)}))
        << plan.describe();
  }
}

/// On the device, every second pixel and row, from the bottom up, and planes the other way round.
TEST_F(FaradayOnCuda, StepsOnTheDeviceMayBeAnything) {
  const Size size{19, 6};
  const FaradayAxes axes = some_axes(20, "-62,62,4");
  PolarisedCubes<float> large({2 * size.width, 2 * size.height}, axes);
  const auto strided = [&](AnyMutableView view) {
    AnyMutableView part = testing::every_second_upwards(view, {size.width, size.height, 1, 1});
    part.size.planes = view.size.planes;
    part.data = part.address(0, 0, view.size.planes - 1);
    part.plane = -part.plane;
    return part;
  };
  PolarisedCubes<float> cubes(size, axes);
  copy_samples(strided(large.q.view()), cubes.q.view());
  copy_samples(strided(large.u.view()), cubes.u.view());
  for (const std::string& method : synth_methods_on_cuda()) {
    ImageInfo info = cubes.q.info();
    const Bytes expected =
        bytes_of(spectra_of(FaradaySynth(info, axes, synth_on_cuda(method)), cubes));
    info.device = 0;
    const FaradaySynth plan(info, axes, synth_on_cuda(method));
    Stream stream(0);
    const DeviceImage q = testing::upload(large.q, stream), u = testing::upload(large.u, stream);
    const Image poison = testing::random_image(large.spectrum().info().size, Type::f32, 7);
    const DeviceImage real = testing::upload(poison, stream),
                      imaginary = testing::upload(poison, stream);
    plan(strided(q.view), strided(u.view), strided(real.view), strided(imaginary.view), stream);
    Image got_real = testing::download(real, stream),
          got_imaginary = testing::download(imaginary, stream);
    Bytes got = bytes_of_view(strided(got_real.view()));
    const Bytes more = bytes_of_view(strided(got_imaginary.view()));
    got.insert(got.end(), more.begin(), more.end());
    EXPECT_EQ(expected, got) << plan.describe();
    // Nothing else is touched: the pixels between are those of the upload.
    for (const Image* image : {&got_real, &got_imaginary})
      for (int y = 0; y < 2 * size.height; ++y)
        for (int x = 0; x < 2 * size.width; ++x)
          if (x % 2 == 0 || y % 2 == 0) {
            ASSERT_EQ(image->as<const float>().at(x, y), poison.as<const float>().at(x, y));
          }
  }
}

TEST_F(FaradayOnCuda, HostViewsMayHaveGaps) {
  const PolarisedCubes<float> cubes({21, 9}, some_axes(30, "-60,60,4"));
  for (const std::string& method : synth_methods_on_cuda()) {
    const FaradaySynth plan(cubes.q.info(), cubes.axes, synth_on_cuda(method));
    const auto expected = spectra_of(plan, cubes);
    for (const int gap : {0, 2}) {
      const Guarded real(plan.output().size, Type::f32, gap),
          imaginary(plan.output().size, Type::f32, gap);
      plan(cubes.q.view(), cubes.u.view(), real.view(), imaginary.view());
      EXPECT_TRUE(real.untouched_outside() && imaginary.untouched_outside());
      EXPECT_TRUE(real.fully_written() && imaginary.fully_written());
      EXPECT_EQ(bytes_of_view(real.view()), bytes_of_view(expected.first.view()));
      EXPECT_EQ(bytes_of_view(imaginary.view()), bytes_of_view(expected.second.view()));
    }
  }
}

}  // namespace
}  // namespace tessera
