// SPDX-License-Identifier: Apache-2.0
// Every method of the maps against the reference, to the last bit; pieces, threads, strides,
// errors.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "tessera/faraday_maps.hpp"

#include "tessera/faraday_bands.hpp"
#include "tests/support/bad_calls.hpp"
#include "tests/support/lobes.hpp"
#include "tests/support/methods.hpp"
#include "tests/support/picker.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera {
namespace {

using testing::all_faraday_maps;
using testing::lobe_axes;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T>
void put(AnyMutableView view, int x, int y, int p, double value) {
  view.as<T>().at(x, y, 0, p) = static_cast<T>(value);
}
void put(AnyMutableView view, int x, int y, int p, double value) {
  view.type == Type::f64 ? put<double>(view, x, y, p, value) : put<float>(view, x, y, p, value);
}

/// A lobe a pixel over noise; here and there a value, or all of a pixel, is NaN or infinite, two
/// depths tie, or all are 0.
struct Spectra {
  Image real, imaginary;

  Spectra(Size size, Type type, unsigned seed)
      : real(ImageInfo{size, type}), imaginary(ImageInfo{size, type}) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, 0.05);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        const double place = uniform(random) * size.planes, turn = 6.3 * uniform(random);
        const double scale = std::pow(10, 8 * uniform(random) - 4);
        for (int p = 0; p < size.planes; ++p) {
          const double lobe = std::exp(-0.1 * (p - place) * (p - place));
          put(real.view(), x, y, p, scale * (lobe * std::cos(turn) + noise(random)));
          put(imaginary.view(), x, y, p, scale * (lobe * std::sin(turn) + noise(random)));
        }
        spoil(x, y, static_cast<int>(random() % 24), static_cast<int>(random() % 1000));
      }
  }

 private:
  void spoil(int x, int y, int how, int where) {
    const int depths = real.view().size.planes;
    for (int p = 0; p < depths; ++p) {
      if (how == 0) put(real.view(), x, y, p, kNan);
      if (how == 1) put(real.view(), x, y, p, 0), put(imaginary.view(), x, y, p, 0);
      if (how == 2) put(real.view(), x, y, p, 3), put(imaginary.view(), x, y, p, -4);
    }
    if (how == 3) put(imaginary.view(), x, y, where % depths, kNan);
    if (how == 4) put(imaginary.view(), x, y, where % depths, kInfinity);
    if (how == 5) put(real.view(), x, y, where % depths, -kInfinity);
  }
};

Image maps_of(const FaradayMaps& plan, const Spectra& spectra) {
  Image out(plan.output());
  plan(spectra.real.view(), spectra.imaginary.view(), out.view());
  return out;
}

/// The same bits, or both NaN.
template <class T>
::testing::AssertionResult equal(View<const T> a, View<const T> b) {
  for (int m = 0; m < a.size.planes; ++m)
    for (int y = 0; y < a.size.height; ++y)
      for (int x = 0; x < a.size.width; ++x) {
        const T one = a.at(x, y, 0, m), two = b.at(x, y, 0, m);
        if (std::isnan(one) && std::isnan(two)) continue;
        using Bits = std::array<unsigned char, sizeof(T)>;
        if (std::bit_cast<Bits>(one) != std::bit_cast<Bits>(two))
          return ::testing::AssertionFailure()
                 << "map " << m << " at " << x << ", " << y << ": " << one << " and " << two;
      }
  return ::testing::AssertionSuccess();
}
::testing::AssertionResult equal(AnyView a, AnyView b) {
  return a.type == Type::f64 ? equal(a.as<const double>(), b.as<const double>())
                             : equal(a.as<const float>(), b.as<const float>());
}

struct Case {
  Size size;
  Type type;
  double fwhm, noise;
};

std::vector<Case> cases() {
  const std::vector<int> widths{1, 2, 3, 63, 64, 65, 130}, heights{1, 2, 5},
      depths{1, 2, 3, 4, 17, 64, 101};
  std::vector<Case> list;
  for (int k = 0; k < (testing::run_all() ? 60 : 14); ++k) {
    testing::Picker picker(k);
    list.push_back({{picker.pick(widths), picker.pick(heights), 1, picker.pick(depths)},
                    k % 2 ? Type::f64 : Type::f32,
                    picker.pick<double>({10, 40, 4000}),
                    picker.pick<double>({kNan, 0.02, 0})});
  }
  return list;
}

TEST(FaradayMaps, SimdIsTheReferenceToTheLastBit) {
  for (const std::string& isa : isa_names()) {
    const testing::ForcedIsa forced(isa);
    unsigned seed = 0;
    for (const Case& c : cases()) {
      const FaradayAxes axes = lobe_axes(c.size.planes, 4);
      const Spectra spectra(c.size, c.type, ++seed);
      FaradayMapsOptions options{.noise = c.noise, .backend = Backend::cpu, .method = "reference"};
      const FaradayMaps reference({c.size, c.type}, axes, c.fwhm, all_faraday_maps(), options);
      options.method = "simd";
      const FaradayMaps simd({c.size, c.type}, axes, c.fwhm, all_faraday_maps(), options);
      EXPECT_TRUE(equal(testing::short_view(maps_of(reference, spectra)),
                        testing::short_view(maps_of(simd, spectra))))
          << simd.describe() << ", case " << seed;
    }
  }
}

TEST(FaradayMaps, GivesTheMapsThatAreAskedForInTheirOrder) {
  const Size size{70, 2, 1, 31};
  const Spectra spectra(size, Type::f32, 7);
  const FaradayAxes axes = lobe_axes(31, 5);
  const FaradayMaps all({size, Type::f32}, axes, 20, all_faraday_maps(), {.backend = Backend::cpu});
  const Image everything = maps_of(all, spectra);
  for (int m = 0; m < std::ssize(all_faraday_maps()); ++m) {
    const auto map = static_cast<FaradayMap>(m);
    const FaradayMaps one({size, Type::f32}, axes, 20, {map}, {.backend = Backend::cpu});
    EXPECT_TRUE(equal(testing::short_view(maps_of(one, spectra)), everything.view().only_plane(m)))
        << m;
  }
  const FaradayMaps two({size, Type::f32}, axes, 20, {FaradayMap::noise, FaradayMap::rm},
                        {.backend = Backend::cpu});
  const Image some = maps_of(two, spectra);
  EXPECT_TRUE(equal(some.view().only_plane(0),
                    everything.view().only_plane(static_cast<int>(FaradayMap::noise))));
  EXPECT_TRUE(equal(some.view().only_plane(1),
                    everything.view().only_plane(static_cast<int>(FaradayMap::rm))));
}

TEST(FaradayMaps, AgreesWithThePeakOfOneSpectrum) {
  const Size size{5, 3, 1, 41};
  const Spectra spectra(size, Type::f64, 3);
  const FaradayAxes axes = lobe_axes(41, 3);
  const Image maps = maps_of(FaradayMaps({size, Type::f64}, axes, 12, all_faraday_maps()), spectra);
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x) {
      std::vector<std::complex<double>> one;
      for (int p = 0; p < size.planes; ++p)
        one.emplace_back(spectra.real.view().as<const double>().at(x, y, 0, p),
                         spectra.imaginary.view().as<const double>().at(x, y, 0, p));
      const FaradayPeak peak = faraday_peak(one, axes, 12, kNan);
      const double expected[] = {peak.max_pi,
                                 peak.peak_rm,
                                 peak.rm,
                                 peak.rm_error,
                                 peak.pi,
                                 peak.pi_debiased,
                                 peak.snr,
                                 peak.angle,
                                 peak.angle_error,
                                 peak.angle_0,
                                 peak.angle_0_error,
                                 peak.noise,
                                 peak.second_moment,
                                 peak.rm_error_fwhm};
      for (int m = 0; m < std::ssize(all_faraday_maps()); ++m) {
        const double value = maps.view().as<const double>().at(x, y, 0, m);
        if (std::isnan(expected[m]))
          EXPECT_TRUE(std::isnan(value));
        else
          EXPECT_EQ(value, expected[m]) << m;
      }
    }
}

TEST(FaradayMaps, APixelsOwnBandDecidesItsErrors) {
  const Size size{5, 3, 1, 41};
  const Spectra spectra(size, Type::f64, 3);
  const FaradayAxes all = lobe_axes(41, 3);
  Image q({5, 3, 1, all.channels()}, Type::f64);
  const auto lacks = [](int x, int y, int k) { return k % (x + 2) == 0 || k < 5 * y; };
  for (int k = 0; k < all.channels(); ++k)
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x)
        if (lacks(x, y, k)) q.as<double>().at(x, y, 0, k) = kNan;
  const FaradayBands plan(q.info(), all, {.sigma = std::vector<double>(40, 0.2)});
  Image bands(plan.output());
  plan({q.view(), q.view()}, bands.view());
  for (const char* method : {"reference", "simd"}) {
    const FaradayMaps maps({size, Type::f64}, all, 12, all_faraday_maps(),
                           {.backend = Backend::cpu, .method = method});
    Image made(maps.output());
    maps(spectra.real.view(), spectra.imaginary.view(), bands.view(), made.view());
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x) {
        FaradayAxes own = all;
        double count = 0, least = 1, most = 0;
        own.weight_sum = 0;
        for (int k = 0; k < own.channels(); ++k) {
          const auto n = static_cast<std::size_t>(k);
          if (lacks(x, y, k)) own.weight[n] = 0;
          own.weight_sum += own.weight[n];
          if (lacks(x, y, k)) continue;
          ++count;
          least = std::min(least, own.lambda2[n]);
          most = std::max(most, own.lambda2[n]);
        }
        std::vector<std::complex<double>> one;
        for (int p = 0; p < size.planes; ++p)
          one.emplace_back(spectra.real.as<double>().at(x, y, 0, p),
                           spectra.imaginary.as<double>().at(x, y, 0, p));
        const double noise = 0.2 / std::sqrt(count), fwhm = 3.8 / (most - least);
        const FaradayPeak peak = faraday_peak(one, own, fwhm, noise);
        const auto expect = [&](FaradayMap map, double expected) {
          const double value = made.as<double>().at(x, y, 0, static_cast<int>(map));
          if (std::isnan(expected))
            EXPECT_TRUE(std::isnan(value)) << name_of(map);
          else
            EXPECT_NEAR(value, expected, 1e-10 * std::abs(expected)) << name_of(map);
        };
        expect(FaradayMap::noise, peak.noise);
        expect(FaradayMap::rm_error, peak.rm_error);
        expect(FaradayMap::rm_error_fwhm, peak.rm_error_fwhm);
        expect(FaradayMap::snr, peak.snr);
        expect(FaradayMap::angle_error, peak.angle_error);
        expect(FaradayMap::angle_0_error, peak.angle_0_error);
      }
  }
}

TEST(FaradayMaps, PiecesThreadsAndStridesChangeNoBit) {
  const Size size{67, 9, 1, 33};
  const FaradayAxes axes = lobe_axes(33, 4);
  for (const char* method : {"reference", "simd"})
    for (const Type type : {Type::f32, Type::f64}) {
      const Spectra spectra(size, type, 5);
      const FaradayMaps plan({size, type}, axes, 15, all_faraday_maps(),
                             {.backend = Backend::cpu, .method = method});
      const Image whole = maps_of(plan, spectra);
      for (const int threads : {1, 2, 3, 7})
        for (const int rows : {1, 2, 9}) {
          testing::Guarded pieces(plan.output().size, type, 1);
          Stream stream(kHost, threads);
          for (int y = 0; y < size.height; y += rows) {
            const int count = std::min(rows, size.height - y);
            plan(AnyView(spectra.real.view()).rows(y, count),
                 AnyView(spectra.imaginary.view()).rows(y, count), pieces.view().rows(y, count),
                 stream);
          }
          EXPECT_TRUE(equal(whole.view(), pieces.view())) << method << ", " << threads;
          EXPECT_TRUE(pieces.untouched_outside());
          EXPECT_TRUE(pieces.fully_written());
        }
      // Every second pixel and row of larger cubes, from the bottom up.
      const Size large{2 * size.width, 2 * size.height, 1, size.planes};
      Image real(ImageInfo{large, type}), imaginary(ImageInfo{large, type});
      const auto re = testing::every_second_upwards(real.view(), size);
      const auto im = testing::every_second_upwards(imaginary.view(), size);
      for (int p = 0; p < size.planes; ++p)
        for (int y = 0; y < size.height; ++y)
          for (int x = 0; x < size.width; ++x) {
            const auto bytes = static_cast<std::size_t>(bytes_of(type));
            std::memcpy(re.address(x, y, p), spectra.real.view().address(x, y, p), bytes);
            std::memcpy(im.address(x, y, p), spectra.imaginary.view().address(x, y, p), bytes);
          }
      Image strided(plan.output());
      plan(re, im, strided.view());
      EXPECT_TRUE(equal(whole.view(), strided.view())) << method;
    }
}

TEST(FaradayMaps, TakesFieldsInWattsThatSquareToNothingInFloat) {
  const Size size{3, 1, 1, 21};
  Image real(ImageInfo{size, Type::f32}), imaginary(ImageInfo{size, Type::f32});
  for (int x = 0; x < 3; ++x)
    for (int p = 0; p < 21; ++p) {
      put(real.view(), x, 0, p, 1e-29 * (1 - 0.001 * (p - 12.25) * (p - 12.25)));
      put(imaginary.view(), x, 0, p, 0);
    }
  for (const char* method : {"reference", "simd"}) {
    const FaradayMaps plan({size, Type::f32}, lobe_axes(21, 2), 9, {FaradayMap::rm, FaradayMap::pi},
                           {.backend = Backend::cpu, .method = method});
    Image maps(plan.output());
    plan(real.view(), imaginary.view(), maps.view());
    EXPECT_NEAR(maps.view().as<const float>().at(1, 0, 0, 0), 2 * (12.25 - 7), 2e-4) << method;
    EXPECT_NEAR(maps.view().as<const float>().at(1, 0, 0, 1) / 1e-29f, 1, 1e-6) << method;
  }
}

TEST(FaradayMaps, KeepsAnglesBelowAHalfTurnInFloat) {
  const Size size{1, 1, 1, 5};
  Image real(ImageInfo{size, Type::f32}), imaginary(ImageInfo{size, Type::f32});
  for (int p = 0; p < 5; ++p) {
    put(real.view(), 0, 0, p, 4 - (p - 2) * (p - 2));
    put(imaginary.view(), 0, 0, p, -1e-9);
  }
  const FaradayMaps plan({size, Type::f32}, lobe_axes(5, 2), 9, {FaradayMap::angle});
  Image maps(plan.output());
  plan(real.view(), imaginary.view(), maps.view());
  EXPECT_EQ(maps.view().as<const float>().at(0, 0), 0);
}

TEST(FaradayMaps, RefusesWhatItCannotDo) {
  const FaradayAxes axes = lobe_axes(9, 2);
  const ImageInfo info{{4, 4, 1, 9}, Type::f32};
  const std::vector<FaradayMap> rm{FaradayMap::rm};
  const FaradayMaps plan(info, axes, 5, rm, {.backend = Backend::cpu});
  Image cube(info), map(plan.output()), wide(ImageInfo{{5, 4, 1, 9}, Type::f32});
  testing::expect_refused({
      {[&] {
         FaradayMaps({{4, 4, 1, 8}, Type::f32}, axes, 5, rm);
       },
       "faraday maps: the spectra have 8 planes and the axes 9 depths; give one plane per depth"},
      {[&] {
         FaradayMaps({{4, 4, 1, 9}, Type::u8}, axes, 5, rm);
       },
       "faraday maps: the real part is 4x4, 9 planes, u8; it must be f32 or f64 with one value per "
       "pixel, "
       "and planes for what lies along the third axis"},
      {[&] { FaradayMaps(info, axes, 0, rm); },
       "faraday maps: the width of the RMSF is 0 rad/m^2; it must be above 0"},
      {[&] { FaradayMaps(info, axes, 5, {}); },
       "faraday maps: no map is requested; name one or more"},
      {[&] {
         FaradayMaps(info, axes, 5, {FaradayMap::rm, FaradayMap::pi, FaradayMap::rm});
       },
       "faraday maps: rm is requested twice; name every map once"},
      {[&] { FaradayMaps(info, axes, 5, rm, {.noise = -1}); },
       "faraday maps: noise is -1; it can be 0 or more, or nan to have it measured"},
      {[&] { plan(cube.view(), wide.view(), map.view()); },
       "faraday maps: the imaginary part has 5 columns, 1 channel, 9 planes of f32; the plan was "
       "made for 4 columns, 1 channel, 9 planes of f32"},
      {[&] { plan(cube.view(), AnyView(cube.view()).rows(0, 3), map.view()); },
       "faraday maps: the imaginary part has 3 rows and the first input 4; all must have the same"},
  });
}

}  // namespace
}  // namespace tessera
