// SPDX-License-Identifier: Apache-2.0
// The kernels of the maps, run thread by thread on the CPU: the reference's numbers, to the last
// bit. Only a GPU can show its arc tangent, speed and the driver.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/faraday/cuda/faraday_team_shape.hpp"
#include "ops/faraday/maps/faraday_map_value.hpp"
#include "tests/support/lobes.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/warps_on_cpu.hpp"
// After the shim, which these are read through.
#include "ops/faraday/maps/cuda/faraday_maps.cuh"
#include "ops/faraday/maps/cuda/faraday_measure.cuh"

namespace tessera {

namespace {
constexpr int kSharedBytes = 227 << 10;  // of a block on compute capability 9.0
}

/// The shared memory of the block that runs.
CleanPart<double> faraday_measure_memory[kSharedBytes / sizeof(CleanPart<double>)];

namespace {

using testing::Guarded;
using testing::Lobes;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class T>
FaradayMapsArgs args_for(const Lobes<T>& in, AnyMutableView out, const FaradayAxes& axes,
                         double fwhm, double noise) {
  const Size& size = in.real.info().size;
  const long long plane = 1LL * size.width * size.height;
  FaradayMapsArgs a{};
  a.real = {in.real.view().data, 1, size.width, plane};
  a.imaginary = {in.imaginary.view().data, 1, size.width, plane};
  a.maps = {out.data, out.pixel, out.row, out.plane};
  for (int place = 0; place < kFaradayPlaces; ++place) a.plane_of[place] = place;
  a.rule = faraday_peak_rule(axes, fwhm, noise);
  a.phi = axes.phi.data();
  a.width = size.width;
  a.pixels = plane;
  return a;
}

template <class T, int kThreads, int kEach>
void measure(FaradayMapsArgs& a, std::vector<double>& noise, int teams) {
  noise.assign(static_cast<std::size_t>(a.pixels), -7);
  a.measured = noise.data();
  a.teams = teams;
  const int bytes = faraday_team_bytes(0, a.rule.depths, teams, sizeof(T));
  const CleanPart<double> guard{-7, -7};
  std::fill(std::begin(faraday_measure_memory), std::end(faraday_measure_memory), guard);
  const auto blocks = static_cast<unsigned>((a.pixels + teams - 1) / teams);
  testing::run_warps({blocks, 1}, static_cast<unsigned>(teams * kThreads),
                     [&] { faraday_measure_pixels<T, kThreads, kEach>(a); });
  const auto beyond = static_cast<std::size_t>(bytes) / sizeof guard;
  EXPECT_TRUE(std::all_of(faraday_measure_memory + beyond, std::end(faraday_measure_memory),
                          [&](const auto& v) { return v.re == guard.re && v.im == guard.im; }))
      << "shared memory written past its end";
}

/// The same bits, or both NaN.
template <class T>
void expect_same(View<const T> a, View<const T> b) {
  for (int m = 0; m < a.size.planes; ++m)
    for (int y = 0; y < a.size.height; ++y)
      for (int x = 0; x < a.size.width; ++x) {
        const T one = a.at(x, y, 0, m), two = b.at(x, y, 0, m);
        if (std::isnan(one) && std::isnan(two)) continue;
        ASSERT_TRUE(one == two && std::signbit(one) == std::signbit(two))
            << "map " << m << " at " << x << ", " << y << ": " << one << " and " << two;
      }
}

/// Bands that differ from pixel to pixel; the noise of every third is not known.
template <class T>
Image some_bands(const Size& size) {
  Image bands({size.width, size.height, 1, kFaradayBandPlaces}, TypeOf<T>::value);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      const double n = 1 + x + 0.3 * y;
      const double values[] = {
          (x + y) % 3 == 0 ? kNan : 0.01 * n, 3 * n, 0.05, 0.004 * n, 40, 1.1, 0.1};
      for (int place = 0; place < kFaradayBandPlaces; ++place)
        bands.as<T>().at(x, y, 0, place) = static_cast<T>(values[place]);
    }
  return bands;
}

template <class T, int kThreads, int kEach>
void check(Size size, double fwhm, int teams) {
  SCOPED_TRACE(std::to_string(size.planes) + " depths, width " + std::to_string(fwhm));
  const FaradayAxes axes = testing::lobe_axes(size.planes, 4);
  const Lobes<T> in(size, static_cast<unsigned>(size.planes));
  const Image bands = some_bands<T>(size);
  for (const double noise : {kNan, 0.02, -1.0}) {  // below 0: by bands
    const bool own = noise < 0;
    const FaradayMaps reference(
        in.real.info(), axes, fwhm, testing::all_faraday_maps(),
        {.noise = own ? kNan : noise, .backend = Backend::cpu, .method = "reference"});
    Image expected(reference.output());
    reference(in.real.view(), in.imaginary.view(), own ? AnyView(bands.view()) : AnyView(),
              expected.view());
    const Guarded made(reference.output().size, TypeOf<T>::value, 1);
    FaradayMapsArgs a = args_for(in, made.view(), axes, fwhm, own ? kNan : noise);
    if (own) {
      const AnyView view = bands.view();
      a.bands = {view.data, view.pixel, view.row, view.plane};
    }
    std::vector<double> measured;
    if (own || std::isnan(noise)) measure<T, kThreads, kEach>(a, measured, teams);
    const auto blocks =
        static_cast<unsigned>((a.pixels + kFaradayMapThreads - 1) / kFaradayMapThreads);
    testing::run_blocks({blocks, 1}, kFaradayMapThreads, [&] { faraday_map_pixels<T>(a); });
    expect_same<T>(expected.view().as<const T>(), made.view().as<const T>());
    EXPECT_TRUE(made.untouched_outside());
  }
}

TEST(FaradayMapsKernels, AreTheReferenceToTheLastBit) {
  check<float, 32, 1>({5, 3, 1, 1}, 10, 8);
  check<float, 32, 1>({5, 3, 1, 2}, 10, 4);
  check<float, 32, 1>({5, 3, 1, 3}, 4, 2);
  check<float, 32, 1>({9, 2, 1, 31}, 10, 8);
  check<double, 32, 1>({7, 3, 1, 32}, 10, 4);
  check<float, 32, 2>({17, 16, 1, 33}, 40, 8);  // two blocks of pixels
  check<double, 32, 4>({5, 2, 1, 101}, 4000, 2);
  check<float, 32, 13>({4, 3, 1, 401}, 40, 8);
  check<float, 32, 13>({3, 1, 1, 70}, 30, 1);  // more than it needs
}

TEST(FaradayMapsKernels, BlocksMeasureTooWhatWarpsHaveNoRoomFor) {
  check<float, 256, 1>({5, 1, 1, 90}, 30, 1);
  check<double, 256, 5>({2, 2, 1, 1100}, 30, 1);
}

}  // namespace
}  // namespace tessera
