// SPDX-License-Identifier: Apache-2.0
// RM-CLEAN: sizes, steps, pieces, threads, in place, values that are not finite or far out of
// range, maps of cutoffs, RMSFs of pixels; and bad calls.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "ops/faraday/clean/faraday_clean_step.cuh"
#include "tessera/faraday_clean.hpp"
#include "tests/support/bad_calls.hpp"
#include "tests/support/clean_results.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/polarised_spectra.hpp"

namespace tessera {
namespace {

using testing::bytes_of_view;
using testing::expect_equal_values;
using testing::random_spectra;
using testing::Spectra;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Float where nothing else is said.
struct Results : testing::CleanResults {
  explicit Results(Size s, Type type = Type::f32, int gap = 0) : CleanResults(s, type, gap) {}
  int iterations_at(int x, int y) const {
    return static_cast<int>(iterations.view().as<float>().at(x, y));
  }
};

FaradayClean plan_of(const Spectra& dirty, const FaradayRmsf& rmsf, FaradayCleanOptions options,
                     const char* method) {
  options.backend = Backend::cpu;
  options.method = method;
  return FaradayClean(dirty.real.info(), rmsf, options);
}

FaradayAxes axes_of(int depths) {
  return testing::test_axes(40, "-240," + std::to_string(-240 + 12 * (depths - 1)) + ",12");
}

template <class Real>
void sweep(int width, int height, int depths, int gap) {
  const FaradayAxes axes = axes_of(depths);
  const Spectra dirty = random_spectra<Real>(axes, width, height, 5);
  const FaradayRmsf rmsf = faraday_rmsf(axes);
  const FaradayDirty in{dirty.real.view(), dirty.imaginary.view()};
  const Size size = dirty.real.info().size;
  const Results expected(size, TypeOf<Real>::value), made(size, TypeOf<Real>::value, gap);
  const FaradayCleanOptions options{.cutoff = 0.1, .iterations = 40, .window = 0.05};
  plan_of(dirty, rmsf, options, "reference")(in, expected.views());
  plan_of(dirty, rmsf, options, "simd")(in, made.views());
  SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height) + ", " +
               std::to_string(depths));
  expect_equal_values<Real>(expected, made);
}

TEST(FaradayCleanBits, AllSizesAndStepsAreTheReference) {
  // Depths about vectors and groups of vectors; pixels about tiles and blocks.
  for (const int depths : {2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 100})
    sweep<float>(5, 2, depths, 0);
  for (const int width : {1, 2, 3, 4, 31, 32, 33, 67}) sweep<float>(width, 3, 21, width % 3);
  for (const int depths : {2, 9, 16, 40}) sweep<double>(7, 5, depths, depths % 2);
}

TEST(FaradayCleanBits, PiecesAndThreadsChangeNothing) {
  const FaradayAxes axes = axes_of(41);
  const Spectra dirty = random_spectra<float>(axes, 37, 23, 6);
  const FaradayClean plan = plan_of(dirty, faraday_rmsf(axes), {.cutoff = 0.1}, "simd");
  const Results whole(dirty.real.info().size);
  plan({dirty.real.view(), dirty.imaginary.view()}, whole.views());
  for (const int threads : {1, 2, 3, 7})
    for (const int rows : {1, 7, 23}) {
      const Results made(dirty.real.info().size);
      Stream stream(kHost, threads);
      for (int first = 0; first < 23; first += rows) {
        const int count = std::min(rows, 23 - first);
        plan({dirty.real.view().rows(first, count), dirty.imaginary.view().rows(first, count)},
             made.views(first, count), stream);
      }
      for (std::size_t i = 0; i < whole.all().size(); ++i)
        EXPECT_EQ(bytes_of_view(whole.all()[i]->view()), bytes_of_view(made.all()[i]->view()));
    }
}

TEST(FaradayCleanBits, InPlaceAndOnlySomeResults) {
  const FaradayAxes axes = axes_of(30);
  for (const char* method : {"reference", "simd"}) {
    Spectra dirty = random_spectra<float>(axes, 35, 3, 8);
    const FaradayClean plan = plan_of(dirty, faraday_rmsf(axes), {.cutoff = 0.1}, method);
    const Results made(dirty.real.info().size);
    plan({dirty.real.view(), dirty.imaginary.view()}, made.views());
    const Results some(dirty.real.info().size);
    plan({dirty.real.view(), dirty.imaginary.view()},
         {.components_real = some.components_real.view()});
    EXPECT_EQ(bytes_of_view(some.components_real.view()),
              bytes_of_view(made.components_real.view()));
    plan({dirty.real.view(), dirty.imaginary.view()}, {dirty.real.view(), dirty.imaginary.view()});
    EXPECT_EQ(bytes_of_view(dirty.real.view()), bytes_of_view(made.real.view()));
    EXPECT_EQ(bytes_of_view(dirty.imaginary.view()), bytes_of_view(made.imaginary.view()));
  }
}

TEST(FaradayCleanBits, WhatIsNotFinitePassesThrough) {
  const FaradayAxes axes = axes_of(30);
  Spectra dirty = random_spectra<float>(axes, 6, 1, 9);
  dirty.real.as<float>().at(1, 0, 0, 29) = kNan;
  dirty.imaginary.as<float>().at(2, 0, 0, 0) = kInfinity;
  for (int p = 0; p < 30; ++p) dirty.real.as<float>().at(3, 0, 0, p) = kNan;
  Image cutoffs(Size{6, 1}, Type::f32);
  for (int x = 0; x < 6; ++x) cutoffs.as<float>().at(x, 0) = 0.1F;
  cutoffs.as<float>().at(4, 0) = kNan;
  const Results expected(dirty.real.info().size), made(dirty.real.info().size);
  const FaradayDirty in{dirty.real.view(), dirty.imaginary.view(), cutoffs.view()};
  const FaradayRmsf rmsf = faraday_rmsf(axes);
  plan_of(dirty, rmsf, {}, "reference")(in, expected.views());
  plan_of(dirty, rmsf, {}, "simd")(in, made.views());
  expect_equal_values<float>(expected, made);
  for (const int x : {0, 5}) EXPECT_GT(made.iterations_at(x, 0), 0);
  for (const int x : {1, 2, 3, 4}) {
    EXPECT_EQ(made.iterations_at(x, 0), 0);
    for (int p = 0; p < 30; ++p) {
      EXPECT_EQ(made.components_real.view().as<float>().at(x, 0, 0, p), 0);
      const float before = dirty.imaginary.as<float>().at(x, 0, 0, p);
      EXPECT_EQ(made.imaginary.view().as<float>().at(x, 0, 0, p), before);
    }
  }
}

/// A map of cutoffs cleans every pixel as a plan with that cutoff.
TEST(FaradayCleanBits, MapOfCutoffs) {
  const FaradayAxes axes = axes_of(30);
  const Spectra dirty = random_spectra<float>(axes, 3, 2, 10);
  Image cutoffs(Size{3, 2}, Type::f32);
  for (int i = 0; i < 6; ++i) cutoffs.as<float>().data[i] = 0.05F * static_cast<float>(1 + i);
  const FaradayRmsf rmsf = faraday_rmsf(axes);
  const Results mapped(dirty.real.info().size);
  plan_of(dirty, rmsf, {.cutoff = 5}, "simd")(
      {dirty.real.view(), dirty.imaginary.view(), cutoffs.view()}, mapped.views());
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 3; ++x) {
      const Results one(dirty.real.info().size);
      plan_of(dirty, rmsf, {.cutoff = static_cast<double>(cutoffs.as<float>().at(x, y))}, "simd")(
          {dirty.real.view(), dirty.imaginary.view()}, one.views());
      EXPECT_EQ(one.iterations_at(x, y), mapped.iterations_at(x, y));
      for (int p = 0; p < 30; ++p)
        EXPECT_EQ(one.real.view().as<float>().at(x, y, 0, p),
                  mapped.real.view().as<float>().at(x, y, 0, p));
    }
}

/// The same of windows; NaN: no second pass.
TEST(FaradayCleanBits, MapOfWindows) {
  const FaradayAxes axes = axes_of(30);
  const Spectra dirty = random_spectra<float>(axes, 3, 2, 10);
  Image windows(Size{3, 2}, Type::f32);
  for (int i = 0; i < 6; ++i) windows.as<float>().data[i] = 0.01F * static_cast<float>(1 + i);
  windows.as<float>().data[4] = kNan;
  const FaradayRmsf rmsf = faraday_rmsf(axes);
  for (const char* method : {"reference", "simd"}) {
    const Results mapped(dirty.real.info().size);
    FaradayDirty in{dirty.real.view(), dirty.imaginary.view()};
    in.window = windows.view();
    plan_of(dirty, rmsf, {.cutoff = 0.2, .window = 0.19}, method)(in, mapped.views());
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 3; ++x) {
        const float window = windows.as<float>().at(x, y);
        FaradayCleanOptions options{.cutoff = 0.2};
        if (!std::isnan(window)) options.window = static_cast<double>(window);
        const Results one(dirty.real.info().size);
        plan_of(dirty, rmsf, options, method)({dirty.real.view(), dirty.imaginary.view()},
                                              one.views());
        EXPECT_EQ(one.iterations_at(x, y), mapped.iterations_at(x, y)) << method;
        for (int p = 0; p < 30; ++p)
          EXPECT_EQ(one.real.view().as<float>().at(x, y, 0, p),
                    mapped.real.view().as<float>().at(x, y, 0, p));
      }
  }
}

TEST(FaradayCleanBits, PixelsWithRmsfsOfTheirOwn) {
  const FaradayAxes axes = axes_of(40);
  const Spectra dirty = random_spectra<float>(axes, 4, 1, 12);
  std::vector<unsigned char> flags(40);
  for (int k = 0; k < 40; k += 3) flags[static_cast<std::size_t>(k)] = 1;
  const std::vector<FaradayRmsf> own{faraday_rmsf(axes, true, flags)};
  const std::vector<int> of_pixel{-1, 0, 0, -1};
  const FaradayDirty mixed{dirty.real.view(), dirty.imaginary.view(), {}, own, of_pixel};
  const FaradayDirty plain{dirty.real.view(), dirty.imaginary.view()};
  for (const char* method : {"reference", "simd"}) {
    const Results made(dirty.real.info().size), usual(dirty.real.info().size),
        flagged(dirty.real.info().size);
    plan_of(dirty, faraday_rmsf(axes), {.cutoff = 0.1}, method)(mixed, made.views());
    plan_of(dirty, faraday_rmsf(axes), {.cutoff = 0.1}, method)(plain, usual.views());
    plan_of(dirty, own[0], {.cutoff = 0.1}, method)(plain, flagged.views());
    bool differ = false;
    for (int x = 0; x < 4; ++x)
      for (int p = 0; p < 40; ++p) {
        const float value = made.real.view().as<float>().at(x, 0, 0, p);
        const float with_usual = usual.real.view().as<float>().at(x, 0, 0, p);
        const float with_own = flagged.real.view().as<float>().at(x, 0, 0, p);
        EXPECT_EQ(value, of_pixel[static_cast<std::size_t>(x)] < 0 ? with_usual : with_own);
        differ = differ || with_usual != with_own;
      }
    EXPECT_TRUE(differ);
  }
}

/// Squares of such values do not fit into a float; powers of two change only the exponent.
TEST(FaradayCleanBits, FarOutOfRange) {
  const FaradayAxes axes = axes_of(30);
  const Spectra dirty = random_spectra<float>(axes, 5, 1, 13);
  const Results usual(dirty.real.info().size);
  const FaradayRmsf rmsf = faraday_rmsf(axes);
  plan_of(dirty, rmsf, {.cutoff = 0.1}, "simd")({dirty.real.view(), dirty.imaginary.view()},
                                                usual.views());
  for (const int power : {-90, 90})
    for (const char* method : {"reference", "simd"}) {
      const double factor = std::ldexp(1.0, power);
      Spectra far{copy(dirty.real.view()), copy(dirty.imaginary.view())};
      for (Image* image : {&far.real, &far.imaginary})
        for (int i = 0; i < 150; ++i) image->as<float>().data[i] *= static_cast<float>(factor);
      const Results made(dirty.real.info().size);
      plan_of(far, rmsf, {.cutoff = 0.1 * factor}, method)({far.real.view(), far.imaginary.view()},
                                                           made.views());
      for (int x = 0; x < 5; ++x) {
        EXPECT_EQ(made.iterations_at(x, 0), usual.iterations_at(x, 0));
        for (int p = 0; p < 30; ++p)
          EXPECT_EQ(made.real.view().as<float>().at(x, 0, 0, p),
                    usual.real.view().as<float>().at(x, 0, 0, p) * static_cast<float>(factor));
      }
    }
}

class FaradayCleanErrors : public ::testing::Test {
 protected:
  static FaradayCleanOptions on_cpu(FaradayCleanOptions options = {}) {
    options.backend = Backend::cpu;
    return options;
  }
  FaradayClean plan(const FaradayCleanOptions& options) const {
    return FaradayClean(info_, good_, on_cpu(options));
  }
  void run(const FaradayDirty& dirty, const FaradayCleaned& cleaned) const {
    plan({})(dirty, cleaned);
  }

  FaradayRmsf good_ = faraday_rmsf(axes_of(5));
  ImageInfo info_{{2, 2, 1, 5}, Type::f32};
};

TEST_F(FaradayCleanErrors, OfPlansAreSentences) {
  FaradayRmsf narrow = good_, large = good_, low = good_, none = good_;
  narrow.fwhm = 0;
  large.value[3] = 2;
  low.value[5] = 0.5;
  none.value.assign(11, 0);
  testing::expect_refused({
      {[&] { plan({.cutoff = -3}); },
       "faraday: cutoff is -3; it can be 0 or more, in the unit of the spectra"},
      {[&] { plan({.gain = 0}); }, "faraday: gain is 0; it can be more than 0 and up to 1"},
      {[&] { plan({.gain = 1.5}); }, "faraday: gain is 1.5; it can be more than 0 and up to 1"},
      {[&] { plan({.iterations = -1}); }, "faraday: iterations is -1; it can be 0 or more"},
      {[&] { plan({.window = -0.5}); },
       "faraday: window is -0.5; it can be 0 or more, in the unit of the spectra"},
      {[&] {
         FaradayClean({{2, 2, 1, 6}, Type::f32}, good_);
       },
       "faraday: the RMSF has 11 values at 11 depths, and spectra of 6 depths need 13; make it "
       "with "
       "faraday_rmsf from the same axes"},
      {[&] { FaradayClean(info_, narrow); },
       "faraday: the RMSF has a width of 0 and a step of 12 rad/m^2; both must be above 0"},
      {[&] { FaradayClean(info_, large); },
       "faraday: value 3 of the RMSF is 2 + 0i; the magnitude of an RMSF is at most 1"},
      {[&] { FaradayClean(info_, low); },
       "faraday: the middle of the RMSF is 0.5 + 0i; it must be 1, or all values 0"},
  });
  EXPECT_NO_THROW(FaradayClean(info_, none, on_cpu()));
}

TEST_F(FaradayCleanErrors, OfCallsAreSentences) {
  Image re(info_), im(info_), out(info_), out_im(info_), wide(Size{2, 2, 1, 5}, Type::f64);
  const std::vector<FaradayRmsf> own{good_};
  const std::vector<int> three{0, 0, 0}, wrong{0, 0, 1, 0};
  const FaradayDirty dirty{re.view(), im.view()};
  testing::expect_refused({
      {[&] { run(dirty, {}); }, "faraday: no result is wanted; give memory for at least one"},
      {[&] {
         run(dirty, {wide.view(), out.view()});
       },
       "faraday: the cleaned real part has 2 columns, 1 channel, 5 planes of f64; the plan was "
       "made "
       "for 2 columns, 1 channel, 5 planes of f32"},
      {[&] {
         run(dirty, {im.view(), out.view()});
       },
       "faraday: input and output share memory; give the output its own memory"},
      {[&] {
         run(dirty, {out.view(), out.view()});
       },
       "faraday: input and output share memory; give the output its own memory"},
      {[&] {
         run({re.view(), im.view(), {}, own, three}, {out.view(), out_im.view()});
       },
       "faraday: rmsf_of_pixel has 3 numbers for 4 pixels; give one per pixel"},
      {[&] {
         run({re.view(), im.view(), {}, own, wrong}, {out.view(), out_im.view()});
       },
       "faraday: rmsf_of_pixel names RMSF 1 of 1; it can be -1 to 0"},
  });
}

}  // namespace
}  // namespace tessera
