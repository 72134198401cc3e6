// SPDX-License-Identifier: Apache-2.0
// RM-CLEAN: by hand, against an independent loop, method against reference, and RM-Tools' answers.
#include "tessera/faraday_clean.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "tests/support/methods.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/polarised_spectra.hpp"

namespace tessera {
namespace {

using testing::random_spectra;
using testing::Spectra;
using Complex = std::complex<double>;

struct Cleaned {
  Image real, imaginary, components_real, components_imaginary, iterations;

  explicit Cleaned(const ImageInfo& info)
      : real(info), imaginary(info), components_real(info), components_imaginary(info) {
    ImageInfo map = info;
    map.size.planes = 1;
    iterations = Image(map);
  }
  FaradayCleaned views() {
    return {real.view(), imaginary.view(), components_real.view(), components_imaginary.view(),
            iterations.view()};
  }
};

Cleaned cleaned(const Spectra& dirty, const FaradayRmsf& rmsf, FaradayCleanOptions options,
                const char* method) {
  options.backend = Backend::cpu;
  options.method = method;
  Cleaned result(dirty.real.info());
  FaradayClean(dirty.real.info(), rmsf, options)({dirty.real.view(), dirty.imaginary.view()},
                                                 result.views());
  return result;
}

/// One pixel in double.
Spectra spectrum(const std::vector<Complex>& values) {
  const Size size{1, 1, 1, static_cast<int>(values.size())};
  Spectra made{Image(size, Type::f64), Image(size, Type::f64)};
  for (int p = 0; p < size.planes; ++p) {
    made.real.as<double>().at(0, 0, 0, p) = values[static_cast<std::size_t>(p)].real();
    made.imaginary.as<double>().at(0, 0, 0, p) = values[static_cast<std::size_t>(p)].imag();
  }
  return made;
}

std::vector<Complex> values_of(const Image& real, const Image& imaginary, int x = 0, int y = 0) {
  std::vector<Complex> values;
  for (int p = 0; p < real.info().size.planes; ++p)
    values.emplace_back(real.as<double>().at(x, y, 0, p), imaginary.as<double>().at(x, y, 0, p));
  return values;
}

FaradayRmsf rmsf_of(const std::vector<Complex>& values, double fwhm) {
  FaradayRmsf rmsf{{}, values, fwhm};
  for (int i = 0; i < std::ssize(values); ++i)
    rmsf.phi.push_back(i - static_cast<int>(values.size()) / 2);
  return rmsf;
}

TEST(FaradayClean, ThreeStepsByHand) {
  const FaradayRmsf rmsf = rmsf_of({0, 0, {0, -0.5}, 1, {0, 0.5}, 0, 0}, 2);
  for (const char* method : {"reference", "simd"}) {
    const Cleaned made = cleaned(spectrum({1, 4, 2}), rmsf, {.cutoff = 2, .gain = 0.5}, method);
    EXPECT_EQ(made.iterations.as<double>().at(0, 0), 3);
    EXPECT_EQ(values_of(made.components_real, made.components_imaginary),
              (std::vector<Complex>{0, {3.125, 0.25}, {1, -0.5}}));
    const std::vector<Complex> restored = values_of(made.real, made.imaginary);
    const std::vector<Complex> expected{{2.5, 1.65625}, {4.75, 0.25}, {3.6875, -1.4375}};
    for (std::size_t p = 0; p < 3; ++p) EXPECT_LT(std::abs(restored[p] - expected[p]), 1e-14);
  }
}

TEST(FaradayClean, FirstOfEqualsAndNothingOfNothing) {
  const FaradayRmsf rmsf = rmsf_of({0, 0, 0, 1, 0, 0, 0}, 2);
  for (const char* method : {"reference", "simd"}) {
    const Cleaned tied =
        cleaned(spectrum({2, {0, 2}, -2}), rmsf, {.gain = 1, .iterations = 1}, method);
    EXPECT_EQ(values_of(tied.components_real, tied.components_imaginary),
              (std::vector<Complex>{2, 0, 0}));
    const Cleaned all = cleaned(spectrum({2, {0, 2}, -2}), rmsf, {.gain = 1}, method);
    EXPECT_EQ(all.iterations.as<double>().at(0, 0), 3);
    std::vector<Complex> response(201);  // groups of vectors too: the first 37 of 100 equals
    response[100] = 1;
    const Cleaned many = cleaned(spectrum(std::vector<Complex>(100, 1)), rmsf_of(response, 2),
                                 {.gain = 1, .iterations = 37}, method);
    for (int p = 0; p < 100; ++p)
      EXPECT_EQ(many.components_real.as<double>().at(0, 0, 0, p), p < 37 ? 1 : 0);
    const Cleaned zero = cleaned(spectrum({0, 0, 0}), rmsf, {}, method);
    EXPECT_EQ(zero.iterations.as<double>().at(0, 0), 0);
  }
}

TEST(FaradayClean, WindowGoesOnRoundTheComponentsOnly) {
  const FaradayRmsf rmsf = rmsf_of({0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}, 2);
  for (const char* method : {"reference", "simd"}) {
    const FaradayCleanOptions options{.cutoff = 3, .gain = 1, .window = 0.5};
    const Cleaned made = cleaned(spectrum({3, 2.5, 1, 0, 2}), rmsf, options, method);
    EXPECT_EQ(made.iterations.as<double>().at(0, 0), 2);
    EXPECT_EQ(values_of(made.components_real, made.components_imaginary),
              (std::vector<Complex>{3, 2.5, 0, 0, 0}));
    const Cleaned below = cleaned(spectrum({2, 2.5, 1, 0, 2}), rmsf, options, method);
    EXPECT_EQ(below.iterations.as<double>().at(0, 0), 0);
    EXPECT_EQ(values_of(below.real, below.imaginary), (std::vector<Complex>{2, 2.5, 1, 0, 2}));
  }
}

TEST(FaradayClean, GivesRmToolsAnswers) {
  const testing::KnownSpectrum known;
  ASSERT_EQ(known.channels.frequency.size(), 288U);
  const FaradayAxes axes = faraday_axes(known.channels, FaradayOptions{.phi_max = 600, .dphi = 3});
  const Spectra dirty = testing::reference_spectra(known.q, known.u, axes);
  for (const char* method : {"reference", "simd"}) {
    const Cleaned made = cleaned(dirty, faraday_rmsf(axes),
                                 {.cutoff = 3 * 0.005892556709695188, .iterations = 11}, method);
    EXPECT_EQ(made.iterations.as<double>().at(0, 0), 11);
    std::vector<double> height;
    for (const Complex& value : values_of(made.real, made.imaginary))
      height.push_back(std::abs(value));
    const auto pk = std::max_element(height.begin() + 1, height.end() - 1) - height.begin();
    const double *y = &height[static_cast<std::size_t>(pk)], bend = y[-1] - 2 * y[0] + y[1];
    const double rm = axes.phi[static_cast<std::size_t>(pk)] + 3 * (y[-1] - y[1]) / (2 * bend);
    EXPECT_NEAR(rm, 200.32874264404734, 1e-3);
    EXPECT_NEAR(y[0] - (y[-1] - y[1]) * (y[-1] - y[1]) / (8 * bend), 0.6996190479469143, 1e-4);
  }
}

/// A loop of its own in double, which also says how near a peak was to being another.
struct Judge {
  std::vector<Complex> components;
  int iterations = 0;
  double nearest_tie = 1;  ///< of the dirty peak

  Judge(std::vector<Complex> residual, const FaradayRmsf& rmsf, double cutoff, double gain) {
    const auto smaller = [](Complex a, Complex b) { return std::norm(a) < std::norm(b); };
    components.resize(residual.size());
    const double dirty = std::abs(*std::max_element(residual.begin(), residual.end(), smaller));
    for (; iterations < 1000; ++iterations) {
      const auto peak = std::max_element(residual.begin(), residual.end(), smaller);
      const double height = std::abs(*peak);
      for (auto q = residual.begin(); q != residual.end(); ++q)
        if (q != peak) nearest_tie = std::min(nearest_tie, (height - std::abs(*q)) / dirty);
      nearest_tie = std::min(nearest_tie, std::abs(height - cutoff) / dirty);
      if (height < cutoff) return;
      const auto p = static_cast<std::size_t>(peak - residual.begin());
      const Complex part = gain * *peak;
      components[p] += part;
      for (std::size_t q = 0; q < residual.size(); ++q)
        residual[q] -= part * rmsf.value[q + residual.size() - p];
    }
  }
};

double largest_difference(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double largest = 0;
  for (std::size_t p = 0; p < a.size(); ++p) largest = std::max(largest, std::abs(a[p] - b[p]));
  return largest;
}

constexpr double kCutoff = 0.0775;  // three times the noise of a depth, 0.2 / sqrt(60)

TEST(FaradayClean, ReferenceFollowsTheDefinition) {
  const FaradayAxes axes = testing::test_axes(60, "-300,300,4");
  const FaradayRmsf rmsf = faraday_rmsf(axes, true);
  const Spectra dirty = random_spectra<double>(axes, 10, 5, 3);
  const Cleaned made = cleaned(dirty, rmsf, {.cutoff = kCutoff}, "reference");
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 10; ++x) {
      const Judge judge(values_of(dirty.real, dirty.imaginary, x, y), rmsf, kCutoff, 0.1);
      EXPECT_EQ(made.iterations.as<double>().at(x, y), judge.iterations);
      const auto components = values_of(made.components_real, made.components_imaginary, x, y);
      EXPECT_LT(largest_difference(components, judge.components), 1e-12);
    }
}

/// Every value, not its bits: zeros may have either sign.
void expect_equal(const Image& a, const Image& b) {
  const auto x = a.as<double>(), y = b.as<double>();
  long long different = 0;
  for (long long i = 0; i < a.info().size.samples(); ++i) different += x.data[i] != y.data[i];
  EXPECT_EQ(different, 0);
}

TEST(FaradayClean, ThousandSpectraInDoubleAreTheReferences) {
  const FaradayAxes axes = testing::test_axes(60, "-300,300,3");
  const FaradayRmsf rmsf = faraday_rmsf(axes, true);
  const Spectra dirty = random_spectra<double>(axes, 50, testing::run_small() ? 2 : 20, 7);
  for (const std::string& isa : isa_names())
    for (const std::optional<double> window : {std::optional<double>(), std::optional(0.03)}) {
      const testing::ForcedIsa forced(isa);
      const FaradayCleanOptions options{.cutoff = kCutoff, .window = window};
      const Cleaned truth = cleaned(dirty, rmsf, options, "reference");
      const Cleaned made = cleaned(dirty, rmsf, options, "simd");
      expect_equal(truth.components_real, made.components_real);
      expect_equal(truth.components_imaginary, made.components_imaginary);
      expect_equal(truth.iterations, made.iterations);
      expect_equal(truth.real, made.real);
      expect_equal(truth.imaginary, made.imaginary);
    }
}

Image as_double(const Image& image) {
  Image made(image.info().size, Type::f64);
  for (long long i = 0; i < image.info().size.samples(); ++i)
    made.as<double>().data[i] = static_cast<double>(image.as<float>().data[i]);
  return made;
}

// Five depths per width, as in surveys: neighbours tie more often on finer grids.
TEST(FaradayClean, FloatIsAsGoodAsDoubleButForTies) {
  const FaradayAxes axes = testing::test_axes(60, "-996,996,12");
  const FaradayRmsf rmsf = faraday_rmsf(axes, true);
  const int height = testing::run_small() ? 2 : 20;
  const Spectra dirty = random_spectra<float>(axes, 50, height, 11);
  const Spectra wide{as_double(dirty.real), as_double(dirty.imaginary)};
  const Cleaned truth = cleaned(wide, rmsf, {.cutoff = kCutoff}, "reference");
  Cleaned made = cleaned(dirty, rmsf, {.cutoff = kCutoff}, "simd");
  const Image re = as_double(made.real), im = as_double(made.imaginary);
  const Image c_re = as_double(made.components_real), c_im = as_double(made.components_imaginary);
  int ties = 0, apart = 0;
  double worst = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < 50; ++x) {
      const auto before = values_of(wide.real, wide.imaginary, x, y);
      const double peak = largest_difference(before, std::vector<Complex>(before.size()));
      const double restored = largest_difference(values_of(re, im, x, y),
                                                 values_of(truth.real, truth.imaginary, x, y)) /
                              peak;
      if (Judge(before, rmsf, kCutoff, 0.1).nearest_tie < 1e-6) {
        ++ties;
        apart += restored > 1e-4;
        continue;
      }
      worst = std::max(worst, restored);
      EXPECT_EQ(made.iterations.as<float>().at(x, y),
                static_cast<float>(truth.iterations.as<double>().at(x, y)));
      const auto right = values_of(truth.components_real, truth.components_imaginary, x, y);
      EXPECT_LT(largest_difference(values_of(c_re, c_im, x, y), right), 1e-5 * peak);
    }
  EXPECT_LT(worst, 1e-4);
  EXPECT_LE(apart, 2);
  std::printf(
      "restored to %.1e of the peak; %d of %d spectra had a peak within 1e-6 of a tie, and "
      "%d of these differ by more than 1e-4\n",
      worst, ties, 50 * height, apart);
}

}  // namespace
}  // namespace tessera
