// SPDX-License-Identifier: Apache-2.0
// The plan of the NUFFT, evaluated plainly in double, against the sum itself.
#include "ops/faraday/synth/faraday_nufft.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "ops/faraday/faraday_phase.hpp"
#include "tests/support/faraday_cubes.hpp"

namespace tessera {
namespace {

using testing::some_channels;
using Spectrum = std::vector<std::complex<double>>;

Spectrum plain_sum(const FaradayAxes& axes, const Spectrum& p) {
  Spectrum sums;
  for (const double phi : axes.phi) {
    std::complex<double> sum = 0;
    for (std::size_t k = 0; k < p.size(); ++k)
      sum += axes.weight[k] * p[k] * faraday_turn(phi, axes.lambda2[k] - axes.lambda2_0);
    sums.push_back(sum / axes.weight_sum);
  }
  return sums;
}

Spectrum by_plan(const FaradayNufft& n, const Spectrum& p) {
  Spectrum cells(static_cast<std::size_t>(n.grid));
  for (std::size_t k = 0; k < p.size(); ++k)
    for (int i = 0; i < n.width; ++i) {
      if (n.cells < n.grid) {
        EXPECT_LE(n.first[k] + n.width, n.cells);
      }
      const auto cell = static_cast<std::size_t>(n.cell(n.first[k] + i));
      cells[cell] += n.turn[k] * p[k] * static_cast<double>(n.weight[k * n.width + i]);
    }
  Spectrum results;
  for (int depth = 0; depth < std::ssize(n.correction); ++depth) {
    std::complex<double> sum = 0;
    for (int i = 0; i < n.cells; ++i) {
      const long long turn = 1LL * (depth - n.centre) * n.cell(i) % n.grid;
      sum += cells[static_cast<std::size_t>(n.cell(i))] *
             std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(turn) / n.grid);
    }
    results.push_back(sum * n.correction[static_cast<std::size_t>(depth)]);
  }
  return results;
}

/// Greatest difference, of the weighted mean |P|.
double error_of(const FaradayAxes& axes, int grid, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Spectrum p;
  double mean = 0;
  for (const double weight : axes.weight) {
    p.push_back({normal(random), normal(random)});
    mean += weight / axes.weight_sum * std::abs(p.back());
  }
  const FaradayNufft n = faraday_nufft(axes, grid);
  EXPECT_LE(n.error, kFaradayNufftTolerance);
  const Spectrum expected = plain_sum(axes, p), got = by_plan(n, p);
  double greatest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    greatest = std::max(greatest, std::abs(got[i] - expected[i]));
  return greatest / mean;
}

// Weights are rounded to float, each by 2^-24 of itself: of the sum of all of them that is 2^-24
// times the greatest correction times the kernel's sum, 30 at an oversampling of 1.25.
constexpr double kBound = kFaradayNufftTolerance + 30 * 0x1p-24;

TEST(FaradayNufft, AgreesWithTheSumOnAnyRegularGrid) {
  struct Case {
    const char* phi;
    double oversampling;
  };
  for (const Case& c : {Case{"-500,500,5", 2}, Case{"-500,500,5", 1.25}, Case{"-500,505,5", 1.5},
                        Case{"900,1700,2.5", 2.55}, Case{"-3,70000,35", 2}, Case{"10,11,1", 8},
                        Case{"-7,-5,1", 6}, Case{"0,5000,1", 2}, Case{"-1,1,0.001", 1.6}}) {
    const FaradayAxes axes = faraday_axes(some_channels(57, 3), FaradayOptions{.phi = c.phi});
    const int grid = std::max(16, static_cast<int>(std::ceil(c.oversampling * axes.depths())));
    EXPECT_LE(error_of(axes, grid, 1), kBound) << c.phi << " on " << grid;
  }
}

TEST(FaradayNufft, TurnsWrapWhereTheStepIsLarge) {
  // lambda^2 has a range of 0.11: 500 rad/m^2 are 18 turns from the first channel to the last.
  for (const double dphi : {20.0, 57.0, 500.0, 1e6}) {
    const FaradayAxes axes =
        faraday_axes(some_channels(40, 4), FaradayOptions{.phi_max = 100 * dphi, .dphi = dphi});
    const FaradayNufft n = faraday_nufft(axes, 512);
    if (dphi > 50) {
      EXPECT_GT(n.cells, 512 / 2);
    }
    // The phase of the sum itself is rounded: 1e8 rad/m^2 are 4e6 turns, of 1e-16 each.
    EXPECT_LE(error_of(axes, 512, 2), kBound + 1e-8) << dphi;
  }
}

TEST(FaradayNufft, AnglesMayReferToAnyWavelength) {
  for (const double lambda0 : {0.0, 0.06, 3.0}) {
    const FaradayAxes axes =
        faraday_axes(some_channels(31, 5), FaradayOptions{.phi = "-40,300,1", .lambda0 = lambda0});
    EXPECT_LE(error_of(axes, 682, 3), kBound) << lambda0;
  }
}

TEST(FaradayNufft, FineStepsLeaveMostOfTheGridEmpty) {
  const FaradayAxes axes = faraday_axes(some_channels(200, 6), FaradayOptions{.samples = 20});
  const int grid = 2 * axes.depths();
  // 2 dphi range / 2 pi = 3.8 / (20 pi) of the circle, and a kernel.
  const FaradayNufft n = faraday_nufft(axes, grid);
  EXPECT_LE(n.cells, 3.8 / (20 * std::numbers::pi) * grid + n.width + 1);
}

TEST(FaradayNufft, NarrowKernelsForRoomyGridsOnly) {
  EXPECT_LE(faraday_kernel(3, 1e-6).width, 7);
  EXPECT_LE(faraday_kernel(2, 1e-6).width, 8);
  EXPECT_GE(faraday_kernel(1.25, 1e-6).width, 11);
  EXPECT_LE(faraday_kernel(1.25, 1e-6).error, 1e-6);
}

}  // namespace
}  // namespace tessera
