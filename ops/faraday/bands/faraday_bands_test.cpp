// SPDX-License-Identifier: Apache-2.0
// Bands: by hand, against the definition in sums, and every method against the reference to the
// last bit.
#include "tessera/faraday_bands.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "tessera/error.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/random_voxels.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using testing::axes_at;
using testing::bytes_of_view;
using testing::expect_same_values;
using testing::Guarded;
using testing::RandomVoxels;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLight = 299792458;

double band_of(const Image& bands, FaradayBand which, int x = 0, int y = 0) {
  return bands.view().type == Type::f64
             ? bands.as<double>().at(x, y, 0, static_cast<int>(which))
             : static_cast<double>(bands.as<float>().at(x, y, 0, static_cast<int>(which)));
}

/// A row of pixels with three channels at lambda^2 = 0.01, 0.02 and 0.04 m^2.
struct ThreeChannels {
  FaradayAxes axes = axes_at({0.01, 0.02, 0.04});
  Image q{{4, 1, 1, 3}, Type::f64}, u{{4, 1, 1, 3}, Type::f64};

  ThreeChannels() {
    q.as<double>().at(1, 0, 0, 2) = kNan;  // lacks the third
    u.as<double>().at(2, 0, 0, 0) = kNan;  // has only the second
    q.as<double>().at(2, 0, 0, 2) = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k) q.as<double>().at(3, 0, 0, k) = kNan;  // none
  }
  Image bands(const FaradayVoxels& voxels, const FaradayBandsOptions& options = {}) const {
    const FaradayBands plan(q.info(), axes, options);
    Image made(plan.output());
    plan(voxels, made.view());
    return made;
  }
};

TEST(FaradayBands, AreTheSumsOverAPixelsOwnChannels) {
  const ThreeChannels in;
  const Image made = in.bands({in.q.view(), in.u.view()}, {.sigma = {3, 4, 12}});
  EXPECT_NEAR(band_of(made, FaradayBand::noise), 13.0 / 3, 1e-14);  // sqrt(9 + 16 + 144) / 3
  EXPECT_NEAR(band_of(made, FaradayBand::mean), 0.07 / 3, 1e-16);
  EXPECT_NEAR(band_of(made, FaradayBand::spread), std::sqrt((0.0021 - 0.0049 / 3) / 3), 1e-16);
  EXPECT_NEAR(band_of(made, FaradayBand::fwhm), 3.8 / 0.03, 1e-11);
  EXPECT_EQ(band_of(made, FaradayBand::channels), 3);
  // Noise of 9, 16 and 144, at -0.04 / 3, -0.01 / 3 and 0.05 / 3 from the mean.
  const double spread = band_of(made, FaradayBand::spread);
  EXPECT_NEAR(band_of(made, FaradayBand::lean), (-0.36 - 0.16 + 7.2) / 3 / 169 / spread, 1e-13);
  EXPECT_NEAR(band_of(made, FaradayBand::stretch),
              std::sqrt((9 * 16e-4 + 16 * 1e-4 + 144 * 25e-4) / 9 / 169) / spread, 1e-13);

  EXPECT_NEAR(band_of(made, FaradayBand::noise, 1), 2.5, 1e-14);  // sqrt(9 + 16) / 2
  EXPECT_NEAR(band_of(made, FaradayBand::mean, 1), 0.015, 1e-16);
  EXPECT_NEAR(band_of(made, FaradayBand::spread, 1), 0.005, 1e-16);
  EXPECT_NEAR(band_of(made, FaradayBand::fwhm, 1), 380, 1e-10);
  EXPECT_EQ(band_of(made, FaradayBand::channels, 1), 2);

  EXPECT_EQ(band_of(made, FaradayBand::noise, 2), 4);
  EXPECT_NEAR(band_of(made, FaradayBand::mean, 2), 0.02, 1e-16);
  EXPECT_EQ(band_of(made, FaradayBand::spread, 2), 0);
  EXPECT_EQ(band_of(made, FaradayBand::fwhm, 2), in.axes.fwhm);
  EXPECT_EQ(band_of(made, FaradayBand::channels, 2), 1);

  EXPECT_TRUE(std::isnan(band_of(made, FaradayBand::noise, 3)));
  EXPECT_TRUE(std::isnan(band_of(made, FaradayBand::mean, 3)));
  EXPECT_EQ(band_of(made, FaradayBand::channels, 3), 0);
}

TEST(FaradayBands, WeightsAndNoiseCanDifferFromVoxelToVoxel) {
  const ThreeChannels in;
  Image weight(in.q.info()), sigma({4, 1, 1, 1}, Type::f64);
  const double weights[] = {4, 0, 2};
  for (int k = 0; k < 3; ++k) weight.as<double>().at(0, 0, 0, k) = weights[k];
  sigma.as<double>().at(0, 0) = 3;
  const Image made = in.bands({in.q.view(), in.u.view(), weight.view(), sigma.view()});
  EXPECT_NEAR(band_of(made, FaradayBand::noise), 3 * std::sqrt(20.0) / 6, 1e-14);
  EXPECT_NEAR(band_of(made, FaradayBand::mean), 0.02, 1e-16);
  EXPECT_NEAR(band_of(made, FaradayBand::spread), std::sqrt((4 * 1e-4 + 2 * 4e-4) / 6), 1e-16);
  EXPECT_NE(band_of(made, FaradayBand::stretch), 1);
  EXPECT_EQ(band_of(made, FaradayBand::channels), 2);
  EXPECT_EQ(band_of(made, FaradayBand::channels, 1), 0) << "weights of 0 everywhere";
  EXPECT_TRUE(std::isnan(band_of(in.bands({in.q.view(), in.u.view()}), FaradayBand::noise)))
      << "sigma is not known";
}

TEST(FaradayBands, NoiseThatFitsTheWeightsStretchesNothing) {
  const ThreeChannels in;
  Image weight(in.q.info()), sigma(in.q.info());
  const double noise[] = {1, 3, 0.5};
  for (int k = 0; k < 3; ++k)
    for (int x = 0; x < 4; ++x) {
      sigma.as<double>().at(x, 0, 0, k) = noise[k];
      weight.as<double>().at(x, 0, 0, k) = 1 / (noise[k] * noise[k]);
    }
  for (const Image& made : {in.bands({in.q.view(), in.u.view(), weight.view(), sigma.view()}),
                            in.bands({in.q.view(), in.u.view(), weight.view()}),
                            in.bands({in.q.view(), in.u.view()}, {.sigma = {2, 2, 2}})})
    for (const int x : {0, 1, 2}) {
      EXPECT_NEAR(band_of(made, FaradayBand::stretch, x), 1, 1e-12) << x;
      EXPECT_NEAR(band_of(made, FaradayBand::lean, x), 0, 1e-12) << x;
    }
}

TEST(FaradayBands, OfSuperResolutionHaveItsWidth) {
  FaradayChannels channels;
  for (const double l : {0.01, 0.02, 0.04}) channels.frequency.push_back(kLight / std::sqrt(l));
  const FaradayAxes axes =
      faraday_axes(channels, FaradayOptions{.phi_max = 100, .dphi = 5, .lambda0 = 0});
  const Image q({1, 1, 1, 3}, Type::f64);
  const FaradayBands plan(q.info(), axes);
  Image made(plan.output());
  plan({q.view(), q.view()}, made.view());
  EXPECT_NEAR(band_of(made, FaradayBand::fwhm), 2 / 0.05, 1e-12);
  EXPECT_NEAR(band_of(made, FaradayBand::mean), 0.07 / 3, 1e-16);
}

template <class T>
void expect_reference_bits(Size size, bool weights, bool noise) {
  SCOPED_TRACE(std::to_string(size.width) + " pixels, " + std::to_string(size.planes) +
               " channels");
  const RandomVoxels<T> in(size);
  const FaradayVoxels voxels{in.q.view(), in.u.view(),
                             weights ? AnyView(in.weight.view()) : AnyView(),
                             noise ? AnyView(in.sigma.view()) : AnyView()};
  const FaradayBands reference(in.q.info(), in.axes,
                               {.backend = Backend::cpu, .method = "reference"});
  const FaradayBands simd(in.q.info(), in.axes, {.backend = Backend::cpu, .method = "simd"});
  Image expected(reference.output());
  reference(voxels, expected.view());
  const Guarded made(simd.output().size, TypeOf<T>::value, size.width % 2);
  simd(voxels, made.view());
  expect_same_values<T>(expected.view(), made.view());
  EXPECT_TRUE(made.untouched_outside());
  Image q(in.q.info()), u(q.info());
  reference.weigh(voxels, q.view(), u.view());
  Image q_in_place(in.q.info()), u_in_place(q.info());
  std::memcpy(q_in_place.view().data, in.q.view().data, bytes_of(in.q.info()));
  std::memcpy(u_in_place.view().data, in.u.view().data, bytes_of(in.u.info()));
  simd.weigh({q_in_place.view(), u_in_place.view(), voxels.weight, voxels.sigma}, q_in_place.view(),
             u_in_place.view());
  expect_same_values<T>(q.view(), q_in_place.view());
  expect_same_values<T>(u.view(), u_in_place.view());
}

TEST(FaradayBands, EveryMethodGivesTheBitsOfTheReference) {
  for (const int width : {1, 2, 7, 64, 127, 128, 129, 300})
    for (const bool weights : {false, true})
      for (const bool noise : {false, true}) {
        expect_reference_bits<float>({width, 3, 1, 11}, weights, noise);
        expect_reference_bits<double>({width, 2, 1, 5}, weights, noise);
      }
}

/// Blocks that have all voxels take a shorter way; one voxel that is missing must be seen.
template <class T>
void expect_every_hole_is_seen(T hole) {
  const Size size{200, 2, 1, 9};
  RandomVoxels<T> in(size);
  for (Image* image : {&in.q, &in.u})
    for (int k = 0; k < size.planes; ++k)
      for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x)
          image->template as<T>().at(x, y, 0, k) = static_cast<T>(x - y + k);
  const FaradayBandsOptions options{.sigma = {1, 2, 3, 4, 5, 6, 7, 8, 9}, .backend = Backend::cpu};
  const FaradayBands plan(in.q.info(), in.axes, options);
  FaradayBandsOptions plain = options;
  plain.method = "reference";
  const FaradayBands reference(in.q.info(), in.axes, plain);
  Image made(plan.output()), expected(plan.output());
  const auto expect_same = [&] {
    plan({in.q.view(), in.u.view()}, made.view());
    reference({in.q.view(), in.u.view()}, expected.view());
    expect_same_values<T>(expected.view(), made.view());
  };
  expect_same();
  for (Image* image : {&in.q, &in.u})
    for (const int x : {0, 5, 127, 128, 199})
      for (int k = 0; k < size.planes; ++k) {
        T& voxel = image->template as<T>().at(x, x % 2, 0, k);
        const T before = std::exchange(voxel, hole);
        SCOPED_TRACE("pixel " + std::to_string(x) + ", channel " + std::to_string(k));
        expect_same();
        voxel = before;
      }
}

TEST(FaradayBands, EveryHoleIsSeen) {
  for (const double hole : {NAN, INFINITY, -INFINITY}) {
    expect_every_hole_is_seen<float>(static_cast<float>(hole));
    expect_every_hole_is_seen<double>(hole);
  }
}

TEST(FaradayBands, WeighedVoxelsGiveTheSpectraOfTheirWeights) {
  const RandomVoxels<double> in({5, 4, 1, 24});
  const FaradayBands plan(in.q.info(), in.axes);
  Image q(in.q.info()), u(in.q.info());
  plan.weigh({in.q.view(), in.u.view(), in.weight.view()}, q.view(), u.view());
  const FaradaySynth synth(in.q.info(), in.axes, {.backend = Backend::cpu, .method = "reference"});
  Image real(synth.output()), imaginary(synth.output());
  synth(q.view(), u.view(), real.view(), imaginary.view());
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 5; ++x)
      for (int p = 0; p < in.axes.depths(); ++p) {
        std::complex<double> sum = 0;
        double all = 0;
        for (int k = 0; k < 24; ++k) {
          const double a = in.q.as<double>().at(x, y, 0, k), b = in.u.as<double>().at(x, y, 0, k),
                       w = in.weight.as<double>().at(x, y, 0, k);
          if (!std::isfinite(a) || !std::isfinite(b) || k % 7 == 3) continue;
          const auto n = static_cast<std::size_t>(k);
          sum += w * std::complex(a, b) *
                 std::polar(1.0, -2 * in.axes.phi[static_cast<std::size_t>(p)] *
                                     (in.axes.lambda2[n] - in.axes.lambda2_0));
          all += w;
        }
        EXPECT_NEAR(real.as<double>().at(x, y, 0, p), sum.real() / all, 1e-12);
        EXPECT_NEAR(imaginary.as<double>().at(x, y, 0, p), sum.imag() / all, 1e-12);
      }
}

TEST(FaradayBands, PiecesAndThreadsChangeNoBit) {
  const RandomVoxels<float> in({150, 9, 1, 13});
  const FaradayBands plan(in.q.info(), in.axes);
  Image whole(plan.output());
  plan({in.q.view(), in.u.view(), in.weight.view()}, whole.view());
  for (const int rows : {1, 4}) {
    Image pieces(plan.output());
    for (int y = 0; y < 9; y += rows) {
      const int count = std::min(rows, 9 - y);
      plan({AnyView(in.q.view()).rows(y, count), AnyView(in.u.view()).rows(y, count),
            AnyView(in.weight.view()).rows(y, count)},
           pieces.view().rows(y, count));
    }
    EXPECT_EQ(bytes_of_view(whole.view()), bytes_of_view(pieces.view())) << rows;
  }
  Stream one(kHost, 1);
  Image serial(plan.output());
  plan({in.q.view(), in.u.view(), in.weight.view()}, serial.view(), one);
  EXPECT_EQ(bytes_of_view(whole.view()), bytes_of_view(serial.view()));
}

TEST(FaradayBands, BadCallsAreRefusedInOneSentence) {
  const ThreeChannels in;
  const auto refused = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused([&] {
              FaradayBands({{4, 1, 1, 5}, Type::f32}, in.axes);
            }),
            "faraday bands: Q has 5 planes and the axes 3 channels; give one plane per channel");
  EXPECT_EQ(refused([&] {
              FaradayBands(in.q.info(), in.axes, {.sigma = {1, 2}});
            }),
            "faraday bands: 2 noise values are given for 3 channels; give one per channel");
  EXPECT_EQ(refused([&] {
              FaradayBands(in.q.info(), in.axes, {.sigma = {1, -2, 1}});
            }),
            "faraday bands: the noise of channel 1 is -2; it can be 0 or more");
  const Image narrow({3, 1, 1, 3}, Type::f64);
  EXPECT_NE(refused([&] { in.bands({in.q.view(), narrow.view()}); }), "");
  EXPECT_NE(refused([&] { in.bands({in.q.view(), in.u.view(), {}, narrow.view()}); }), "");
}

}  // namespace
}  // namespace tessera
