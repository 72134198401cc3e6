// SPDX-License-Identifier: Apache-2.0
// The kernel of RM-CLEAN, run thread by thread on the CPU, against the reference: every value, in
// float too. Only a GPU can show speed and the driver.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "ops/faraday/clean/cuda/faraday_clean_device_tables.hpp"
#include "ops/faraday/cuda/faraday_team_shape.hpp"
#include "tessera/faraday_clean.hpp"
#include "tests/support/clean_results.hpp"
#include "tests/support/polarised_spectra.hpp"
#include "tests/support/warps_on_cpu.hpp"
// After the shim, which these are read through.
#include "ops/faraday/clean/cuda/faraday_clean.cuh"

namespace tessera {

namespace {
constexpr int kSharedBytes = 227 << 10;  // of a block on compute capability 9.0
}

/// The shared memory of the block that runs.
CleanPart<double> faraday_clean_memory[kSharedBytes / sizeof(CleanPart<double>)];

namespace {

using testing::CleanResults;
using testing::random_spectra;
using testing::Spectra;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class Real>
FaradaySource source_of(AnyView v) {
  return {v.data, v.pixel, v.row, v.plane};
}
FaradayTarget target_of(AnyMutableView v) { return {v.data, v.pixel, v.row, v.plane}; }

/// Two blocks of `teams` teams, however much there is to do.
template <class Real, CleanKnobs kKnobs, bool kMany>
void run_kernel(const FaradayDirty& dirty, const FaradayCleaned& out, const FaradayRmsf& rmsf,
                const FaradayCleanOptions& o, int teams) {
  const int depths = dirty.real.size.planes;
  CleanDeviceTables<Real> tables{depths, faraday_table_entries(depths, kKnobs.threads, kKnobs.each),
                                 (rmsf.phi.back() - rmsf.phi.front()) / (2 * depths)};
  tables.add(rmsf);
  for (const FaradayRmsf& own : dirty.own_rmsfs) tables.add(own);
  std::vector<int> table_of_pixel;
  for (const int own : dirty.rmsf_of_pixel) table_of_pixel.push_back(own + 1);
  const FaradayCleanArgs args{source_of<Real>(dirty.real),
                              source_of<Real>(dirty.imaginary),
                              source_of<Real>(dirty.cutoff),
                              source_of<Real>(dirty.window),
                              target_of(out.real),
                              target_of(out.imaginary),
                              target_of(out.components_real),
                              target_of(out.components_imaginary),
                              target_of(out.iterations),
                              dirty.real.size.width,
                              1LL * dirty.real.size.width * dirty.real.size.height,
                              tables.numbers.data(),
                              tables.half_windows.data(),
                              table_of_pixel.empty() ? nullptr : table_of_pixel.data(),
                              o.cutoff,
                              o.window.value_or(kNan),
                              o.gain,
                              depths,
                              o.iterations,
                              tables.entries,
                              teams};
  const int bytes = faraday_team_bytes(kMany ? 0 : faraday_table_numbers(tables.entries), depths,
                                       teams, sizeof(Real));
  const CleanPart<double> guard{-7, -7};
  std::fill(std::begin(faraday_clean_memory), std::end(faraday_clean_memory), guard);
  testing::run_warps({2, 1}, static_cast<unsigned>(teams * kKnobs.threads),
                     [&] { faraday_clean_pixels<Real, kKnobs, kMany>(args); });
  const auto beyond = static_cast<std::size_t>(bytes) / sizeof guard;
  EXPECT_TRUE(std::all_of(faraday_clean_memory + beyond, std::end(faraday_clean_memory),
                          [&](const auto& v) { return v.re == guard.re && v.im == guard.im; }))
      << "shared memory written past its end";
}

FaradayAxes axes_of(int depths) {
  return testing::test_axes(40, "-240," + std::to_string(-240 + 12 * (depths - 1)) + ",12");
}

struct Case {
  Size size;
  int depths, teams;
  FaradayCleanOptions options;
};

template <class Real, CleanKnobs kKnobs, bool kMany>
void expect_reference(const FaradayDirty& dirty, const FaradayRmsf& rmsf, FaradayCleanOptions o,
                      int teams) {
  const Size size = dirty.real.size;
  const CleanResults expected(size, TypeOf<Real>::value), made(size, TypeOf<Real>::value, 1);
  o.backend = Backend::cpu;
  o.method = "reference";
  FaradayClean(dirty.real.info(), rmsf, o)(dirty, expected.views());
  run_kernel<Real, kKnobs, kMany>(dirty, made.views(), rmsf, o, teams);
  testing::expect_equal_values<Real>(expected, made);
}

template <class Real, CleanKnobs kKnobs, bool kMany>
void check(const Case& c) {
  SCOPED_TRACE(std::to_string(c.size.width) + "x" + std::to_string(c.size.height) + ", " +
               std::to_string(c.depths) + " depths, " + std::to_string(c.teams) + " teams");
  const FaradayAxes axes = axes_of(c.depths);
  const Spectra dirty = random_spectra<Real>(axes, c.size.width, c.size.height, 5);
  expect_reference<Real, kKnobs, kMany>({dirty.real.view(), dirty.imaginary.view()},
                                        faraday_rmsf(axes), c.options, c.teams);
}

FaradayCleanOptions usual() { return {.cutoff = 0.15, .iterations = 15}; }
FaradayCleanOptions windowed() {
  return {.cutoff = 0.2, .gain = 0.3, .iterations = 25, .window = 0.1};
}

TEST(FaradayCleanKernel, WarpsAreTheReference) {
  check<float, CleanKnobs{32, 1, true}, false>({{1, 1}, 2, 1, windowed()});
  check<float, CleanKnobs{32, 1, true}, false>({{3, 2}, 31, 2, windowed()});
  check<float, CleanKnobs{32, 1, true}, false>({{3, 1}, 32, 4, usual()});
  check<float, CleanKnobs{32, 2, true}, false>({{3, 3}, 33, 4, windowed()});
  check<float, CleanKnobs{32, 13, true}, false>({{5, 2}, 401, 8, usual()});
  check<float, CleanKnobs{32, 13, false}, false>(
      {{2, 1}, 70, 2, windowed()});  // more than it needs
  check<double, CleanKnobs{32, 2, true}, false>({{3, 3}, 40, 4, windowed()});
  check<double, CleanKnobs{32, 9, true}, false>({{2, 1}, 270, 1, usual()});
}

TEST(FaradayCleanKernel, BlocksAreTheReference) {
  check<float, CleanKnobs{256, 1, true}, true>({{2, 1}, 45, 1, windowed()});
  check<float, CleanKnobs{256, 2, true}, true>({{1, 3}, 300, 1, usual()});
  check<double, CleanKnobs{256, 6, true}, true>(
      {{1, 1}, 1500, 1, {.cutoff = 0.15, .iterations = 5}});
}

/// Maps of cutoffs, RMSFs of pixels, pixels that are not finite or out of range.
template <class Real, CleanKnobs kKnobs>
void check_odd_pixels(int teams) {
  const FaradayAxes axes = axes_of(40);
  Spectra dirty = random_spectra<Real>(axes, 7, 1, 12);
  const auto re = dirty.real.as<Real>(), im = dirty.imaginary.as<Real>();
  im.at(1, 0, 0, 39) = static_cast<Real>(kNan);
  re.at(2, 0, 0, 0) = std::numeric_limits<Real>::infinity();
  for (int p = 0; p < 40; ++p) {
    re.at(3, 0, 0, p) *= static_cast<Real>(1e-27);
    im.at(3, 0, 0, p) *= static_cast<Real>(1e-27);
    re.at(4, 0, 0, p) *= static_cast<Real>(p % 2 ? 1e30 : 1e-30);
    im.at(4, 0, 0, p) *= static_cast<Real>(p % 2 ? 1e30 : 1e-30);
    re.at(6, 0, 0, p) = im.at(6, 0, 0, p) = 0;
  }
  Image cutoffs(Size{7, 1}, TypeOf<Real>::value);
  const double cutoff[] = {0.1, 0.1, 0.1, 1e-28, 1e33, kNan, 0};
  for (int x = 0; x < 7; ++x) cutoffs.as<Real>().at(x, 0) = static_cast<Real>(cutoff[x]);
  std::vector<unsigned char> flags(40);
  for (std::size_t k = 0; k < 40; k += 3) flags[k] = 1;
  const std::vector<FaradayRmsf> own{faraday_rmsf(axes, true, flags)};
  const std::vector<int> of_pixel{0, -1, 0, 0, -1, 0, 0};
  Image windows(Size{7, 1}, TypeOf<Real>::value);
  const double window[] = {0.05, kNan, 0.02, 1e-29, 1, 0.05, 0};
  for (int x = 0; x < 7; ++x) windows.as<Real>().at(x, 0) = static_cast<Real>(window[x]);
  FaradayDirty in{dirty.real.view(), dirty.imaginary.view(), cutoffs.view(), own, of_pixel};
  expect_reference<Real, kKnobs, true>(in, faraday_rmsf(axes), {.iterations = 12, .window = 0.05},
                                       teams);
  in.window = windows.view();
  expect_reference<Real, kKnobs, true>(in, faraday_rmsf(axes), {.iterations = 12, .window = 0.05},
                                       teams);
}

TEST(FaradayCleanKernel, OddPixels) {
  check_odd_pixels<float, CleanKnobs{32, 2, true}>(4);
  check_odd_pixels<double, CleanKnobs{32, 2, true}>(2);
  check_odd_pixels<float, CleanKnobs{256, 1, true}>(1);
}

/// All depths tie, and go one by one.
TEST(FaradayCleanKernel, TakesTheFirstOfEquals) {
  const testing::EqualDepths equal(100);
  const FaradayDirty in{equal.real.view(), equal.imaginary.view()};
  const FaradayCleanOptions options{.gain = 1, .iterations = 37};
  expect_reference<float, CleanKnobs{32, 4, true}, false>(in, equal.rmsf, options, 1);
  expect_reference<float, CleanKnobs{256, 1, true}, true>(in, equal.rmsf, options, 1);
}

TEST(FaradayCleanKernel, InPlaceAndOnlySomeResults) {
  const FaradayAxes axes = axes_of(33);
  Spectra dirty = random_spectra<float>(axes, 5, 1, 8);
  const FaradayRmsf rmsf = faraday_rmsf(axes);
  const CleanResults made(dirty.real.info().size, Type::f32),
      some(dirty.real.info().size, Type::f32);
  const FaradayDirty in{dirty.real.view(), dirty.imaginary.view()};
  run_kernel<float, CleanKnobs{32, 2, true}, false>(in, made.views(), rmsf, usual(), 2);
  run_kernel<float, CleanKnobs{32, 2, true}, false>(
      in, {.components_real = some.components_real.view()}, rmsf, usual(), 2);
  EXPECT_EQ(testing::bytes_of_view(some.components_real.view()),
            testing::bytes_of_view(made.components_real.view()));
  run_kernel<float, CleanKnobs{32, 2, true}, false>(in, {dirty.real.view(), dirty.imaginary.view()},
                                                    rmsf, usual(), 2);
  EXPECT_EQ(testing::bytes_of_view(dirty.real.view()), testing::bytes_of_view(made.real.view()));
  EXPECT_EQ(testing::bytes_of_view(dirty.imaginary.view()),
            testing::bytes_of_view(made.imaginary.view()));
}

TEST(FaradayTeamShape, FitsTheSharedMemoryOrSaysWhyNot) {
  const FaradayTeamShape shape =
      faraday_team_shape({Type::f32, 401, 32, true, false, kSharedBytes});
  EXPECT_EQ(shape.name, "f32_401");
  EXPECT_EQ(shape.teams, 8);
  EXPECT_EQ(shape.each, 13);
  EXPECT_EQ(faraday_team_shape({Type::f32, 300, 32, true, false, kSharedBytes}).name, "f32_warps");
  EXPECT_EQ(faraday_team_shape({Type::f64, 401, 256, true, false, kSharedBytes}).name,
            "f64_blocks");
  for (const Type type : {Type::f32, Type::f64})
    for (const int depths : {1, 2, 31, 33, 401, 1001, 1024})
      for (const bool other : {false, true}) {
        const FaradayTeamRequest request{type, depths, 32, other, other, 99 << 10};
        EXPECT_EQ(why_no_faraday_team_shape(request), "");
        const FaradayTeamShape s = faraday_team_shape(request);
        EXPECT_LE(s.bytes, 99 << 10);
        EXPECT_GE(s.teams, 1);
        EXPECT_GE(s.each * 32, depths);
      }
  EXPECT_EQ(why_no_faraday_team_shape({Type::f32, 1025, 32, false, false, kSharedBytes}),
            "spectra have 1025 depths; it takes up to 1024");
  EXPECT_EQ(why_no_faraday_team_shape({Type::f64, 8192, 256, false, false, kSharedBytes}), "");
  EXPECT_EQ(why_no_faraday_team_shape({Type::f64, 8192, 256, false, false, 99 << 10}),
            "8192 depths take 131216 bytes of shared memory and a block has 101376");
}

}  // namespace
}  // namespace tessera
