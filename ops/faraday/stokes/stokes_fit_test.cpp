// SPDX-License-Identifier: Apache-2.0
// The fit of Stokes I: by hand, every method against the reference within a bound in units of the
// errors, pixels that are left out, bad calls.
#include "tessera/stokes_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "tessera/error.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/stokes_cubes.hpp"

namespace tessera {
namespace {

using testing::band;
using testing::Guarded;
using testing::StokesCube;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double value_of(const AnyView& maps, int plane, int x = 0, int y = 0) {
  return maps.type == Type::f64 ? maps.as<const double>().at(x, y, 0, plane)
                                : static_cast<double>(maps.as<const float>().at(x, y, 0, plane));
}

/// One spectrum.
struct One {
  Image model, maps;
  One(const std::vector<double>& frequencies, const std::vector<double>& values,
      StokesFitOptions options) {
    const int channels = static_cast<int>(values.size());
    Image i({1, 1, 1, channels}, Type::f64);
    for (int k = 0; k < channels; ++k)
      i.as<double>().at(0, 0, 0, k) = values[static_cast<std::size_t>(k)];
    if (options.sigma.empty()) options.sigma.assign(values.size(), 1);
    const StokesFit plan(i.info(), frequencies, options);
    model = Image(i.info());
    maps = Image(plan.output());
    plan({i.view()}, model.view(), maps.view());
  }
  double operator[](int plane) const { return value_of(maps.view(), plane); }
  StokesStatus status() const {
    return static_cast<StokesStatus>(std::lround((*this)[StokesPlanes::status]));
  }
};

TEST(StokesFit, OfAStraightLineByHand) {
  // y = 1, 2, 4 at x = 1, 2, 3 relative to 1 GHz, all weights 1: slope 1.5, value -2/3 at x = 0.
  for (const char* method : {"reference", "simd"}) {
    const One fit(
        {1e9, 2e9, 3e9}, {1, 2, 4},
        {.curve = StokesCurve::linear, .order = 1, .snr = 0, .reference = 1e9, .method = method});
    EXPECT_EQ(fit.status(), StokesStatus::fitted);
    EXPECT_NEAR(fit[StokesPlanes::coefficient], -2.0 / 3, 1e-14);
    EXPECT_NEAR(fit[StokesPlanes::coefficient + 1], 1.5, 1e-14);
    EXPECT_NEAR(fit[StokesPlanes::error], std::sqrt(14.0 / 6), 1e-14);  // sum x^2 / (n sum (x-2)^2)
    EXPECT_NEAR(fit[StokesPlanes::error + 1], std::sqrt(0.5), 1e-14);
    EXPECT_NEAR(fit[StokesPlanes::covariance + 1], -1, 1e-14);  // -mean x / sum (x - 2)^2
    EXPECT_NEAR(fit[StokesPlanes::chi_squared], 1.0 / 6, 1e-14);
    EXPECT_NEAR(fit[StokesPlanes::reduced], 1.0 / 6, 1e-14);
    EXPECT_NEAR(fit[StokesPlanes::alpha], 1.5 / (1.5 - 2.0 / 3), 1e-13);
    // d alpha = c0 / s^2 dc1 - c1 / s^2 dc0 with s = c0 + c1.
    const double s = 5.0 / 6, a = -2.0 / 3 / (s * s), b = -1.5 / (s * s);
    EXPECT_NEAR(fit[StokesPlanes::alpha_error],
                std::sqrt(a * a * 0.5 + b * b * 14.0 / 6 - 2 * a * b), 1e-12);
    EXPECT_NEAR(fit[StokesPlanes::snr], 2 * std::sqrt(3.0), 1e-14);
    EXPECT_EQ(fit[StokesPlanes::channels], 3);
    EXPECT_NEAR(fit.model.as<double>().at(0, 0, 0, 1), 7.0 / 3, 1e-14);
  }
}

TEST(StokesFit, FindsAPowerLawAndItsReference) {
  const std::vector<double> f = band(1e9, 2e9, 40);
  double squares = 0;
  std::vector<double> values;
  for (const double each : f) {
    squares += 1 / (each * each);
    values.push_back(3 * std::pow(each / 1e9, -0.7));
  }
  const One fit(f, values, {.order = 1, .sigma = std::vector<double>(40, 0.01)});
  const double reference = 1 / std::sqrt(squares / 40);
  EXPECT_NEAR(fit[StokesPlanes::reference], reference, 1e-6);
  EXPECT_NEAR(fit[StokesPlanes::alpha], -0.7, 1e-12);
  EXPECT_NEAR(fit[StokesPlanes::coefficient], 3 * std::pow(reference / 1e9, -0.7), 1e-12);
  EXPECT_NEAR(fit.model.as<double>().at(0, 0, 0, 39), values[39], 1e-12);
}

TEST(StokesFit, SearchesTheOrderThatPays) {
  const std::vector<double> f = band(1e9, 2e9, 60);
  std::vector<double> values, sigma(60, 1e-4);
  for (const double each : f) {
    const double l = std::log10(each / 1.4e9);
    values.push_back(std::pow(10, -0.8 * l + 1.5 * l * l));
  }
  EXPECT_EQ(One(f, values, {.order = -5, .sigma = sigma})[StokesPlanes::order], 2);
  EXPECT_EQ(One(f, values, {.order = -1, .sigma = sigma})[StokesPlanes::order], 1);
  EXPECT_EQ(One(f, std::vector<double>(60, 2), {.order = -5, .sigma = sigma})[StokesPlanes::order],
            0);
}

TEST(StokesFit, CauchyHardlyNoticesABadChannel) {
  const std::vector<double> f = band(1e9, 2e9, 50);
  std::vector<double> values, sigma(50, 0.01);
  for (const double each : f) values.push_back(std::pow(each / 1e9, -0.7));
  values[9] += 5;
  const One squares(f, values, {.order = 1, .sigma = sigma});
  const One cauchy(f, values, {.order = 1, .loss = StokesLoss::cauchy, .sigma = sigma});
  EXPECT_GT(std::abs(squares[StokesPlanes::alpha] + 0.7), 0.1);
  EXPECT_NEAR(cauchy[StokesPlanes::alpha], -0.7, 0.003);
}

/// The largest difference of coefficients, alpha and model in units of their errors, and of errors
/// relative to themselves.
struct Difference {
  double values = 0, errors = 0, model = 0;
};
template <class T>
Difference compare(const StokesCube<T>& cube, const AnyView& a, const AnyView& b,
                   const AnyView& model_a, const AnyView& model_b) {
  Difference d;
  const auto grow = [](double& worst, double value) { worst = std::max(worst, std::abs(value)); };
  for (int y = 0; y < a.size.height; ++y)
    for (int x = 0; x < a.size.width; ++x) {
      for (const int plane : {StokesPlanes::status, StokesPlanes::channels})
        EXPECT_EQ(value_of(a, plane, x, y), value_of(b, plane, x, y))
            << plane << " at " << x << ',' << y;
      const bool fitted = value_of(a, StokesPlanes::status, x, y) == 0;
      for (int k = 0; k < model_a.size.planes; ++k) {
        const double one = value_of(model_a, k, x, y), other = value_of(model_b, k, x, y);
        EXPECT_EQ(std::isnan(one), !fitted);
        EXPECT_EQ(std::isnan(other), !fitted);
        if (fitted)
          grow(d.model, (one - other) / (cube.sigma[static_cast<std::size_t>(k)] + std::abs(one)));
      }
      if (!fitted) continue;
      EXPECT_EQ(value_of(a, StokesPlanes::order, x, y), value_of(b, StokesPlanes::order, x, y));
      for (int k = 0; k <= value_of(a, StokesPlanes::order, x, y); ++k) {
        const double error = value_of(a, StokesPlanes::error + k, x, y);
        grow(d.values, (value_of(a, StokesPlanes::coefficient + k, x, y) -
                        value_of(b, StokesPlanes::coefficient + k, x, y)) /
                           error);
        grow(d.errors, value_of(b, StokesPlanes::error + k, x, y) / error - 1);
      }
    }
  return d;
}

template <class T>
void check_sweep(const StokesFitOptions& options, bool cube_of_noise, double bound) {
  const bool cauchy = options.loss == StokesLoss::cauchy;
  const StokesCube<T> cube({37, 3, 1, 24}, cauchy ? 30 : 400);
  StokesFitOptions all = options;
  if (!cube_of_noise) all.sigma = cube.sigma;
  const StokesVoxels voxels{cube.i.view(), cube_of_noise ? AnyView(cube.noise.view()) : AnyView()};
  all.method = "reference";
  const StokesFit reference(cube.i.info(), cube.frequencies, all);
  all.method = "simd";
  const StokesFit simd(cube.i.info(), cube.frequencies, all);
  Image model(cube.i.info()), maps(reference.output());
  reference(voxels, model.view(), maps.view());
  const Guarded to_model(cube.i.info().size, TypeOf<T>::value, 1),
      to_maps(simd.output().size, TypeOf<T>::value, 0);
  simd(voxels, to_model.view(), to_maps.view());
  EXPECT_TRUE(to_model.untouched_outside() && to_maps.untouched_outside());
  EXPECT_TRUE(to_model.fully_written() && to_maps.fully_written());
  const Difference d = compare(cube, maps.view(), to_maps.view(), model.view(), to_model.view());
  EXPECT_LT(d.values, bound);
  EXPECT_LT(d.errors, bound);
  EXPECT_LT(d.model, bound);
}

// Both stop when a step is 1e-9 of the errors or less, and steps shrink by a third or more at the
// end, so minima agree within 3e-9 errors in double; steps with loss cauchy are 1e-7 and shrink by
// a twentieth or more. Floats round a coefficient that is up to 4000 times its error (order 0) by
// 2.4e-4 of it. Curves that are far from the data have several minima with loss cauchy, so it is
// tested with curves that fit.
TEST(StokesFit, EveryMethodIsTheReference) {
  for (const StokesCurve curve : {StokesCurve::log, StokesCurve::linear})
    for (const int order : {0, 1, 2, 3, -3})
      for (const StokesLoss loss : {StokesLoss::squares, StokesLoss::cauchy})
        for (const bool cube : {false, true}) {
          const bool cauchy = loss == StokesLoss::cauchy;
          if (cauchy && (order == 0 || order == 1)) continue;
          SCOPED_TRACE(std::string(name_of(curve)) + " " + std::to_string(order) + " " +
                       std::string(name_of(loss)));
          const StokesFitOptions options{.curve = curve, .order = order, .snr = 8, .loss = loss};
          check_sweep<double>(options, cube, cauchy ? 2e-6 : 3e-8);
          check_sweep<float>(options, cube, 3e-4);
        }
}

TEST(StokesFit, LeavesOutPixelsAndSaysWhy) {
  const std::vector<double> f = band(1e9, 2e9, 6), sigma(6, 0.1);
  const auto status = [&](const std::vector<double>& values, StokesFitOptions options = {}) {
    options.sigma = sigma;
    return One(f, values, options).status();
  };
  EXPECT_EQ(status({1, 1, 1, 1, 1, 1}), StokesStatus::fitted);
  EXPECT_EQ(status({1, 1, 1, 1, kNan, INFINITY}), StokesStatus::fitted);
  EXPECT_EQ(status({1, 1, 1, kNan, kNan, kNan}), StokesStatus::few_channels);
  EXPECT_EQ(status({1, 1, 1, kNan, kNan, kNan}, {.min_channels = 3}), StokesStatus::fitted);
  EXPECT_EQ(status({kNan, kNan, kNan, kNan, kNan, kNan}), StokesStatus::few_channels);
  EXPECT_EQ(status({0.2, 0.2, 0.2, 0.2, 0.2, 0.2}), StokesStatus::low_snr);  // 4.9
  EXPECT_EQ(status({0.2, 0.2, 0.2, 0.2, 0.2, 0.2}, {.snr = 4.8}), StokesStatus::fitted);
  EXPECT_EQ(status({-1, -1, -1, -1, -1, -1}), StokesStatus::low_snr);
  EXPECT_EQ(status({-1, -1, -1, -1, -1, -1}, {.snr = 0}), StokesStatus::below_floor);
  EXPECT_EQ(status({-1, -1, -1, -1, -1, -1}, {.snr = 0, .floor = -1}), StokesStatus::fitted);
  EXPECT_EQ(status({0, 0, 0, 0, 0, 0}, {.snr = 0}), StokesStatus::undetermined);
  // A straight line that crosses zero inside the band.
  EXPECT_EQ(status({5, 4, 3, 2, 1, -1}, {.curve = StokesCurve::linear, .order = 1}),
            StokesStatus::below_floor);
  const One out(f, {0.2, 0.2, 0.2, 0.2, 0.2, 0.2}, {.sigma = sigma});
  for (int plane = 0; plane < StokesPlanes::snr; ++plane) EXPECT_TRUE(std::isnan(out[plane]));
  EXPECT_NEAR(out[StokesPlanes::snr], 2 * std::sqrt(6), 1e-12);
  EXPECT_EQ(out[StokesPlanes::channels], 6);
  EXPECT_TRUE(std::isnan(out.model.as<double>().at(0, 0, 0, 3)));
  // The same frequency four times determines only a value.
  EXPECT_EQ(One({1e9, 1e9, 1e9, 1e9}, {1, 2, 1, 2}, {.order = 1, .snr = 0}).status(),
            StokesStatus::undetermined);
}

TEST(StokesFit, RefusesBadCalls) {
  const ImageInfo cube{{4, 3, 1, 5}, Type::f32, kHost};
  const std::vector<double> f = band(1e9, 2e9, 5);
  const auto expect = [](const std::function<void()>& call, const std::string& part) {
    try {
      call();
      ADD_FAILURE() << "no error: " << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  expect([&] { StokesFit(cube, band(1e9, 2e9, 4)); }, "4 frequencies are given for 5 planes");
  expect([&] { StokesFit(cube, {1e9, 2e9, 0, 3e9, 4e9}); }, "the frequency of channel 2 is 0");
  expect([&] { StokesFit(cube, f, {.order = 6}); }, "order is 6; it can be -5 to 5");
  expect([&] { StokesFit(cube, f, {.snr = -1}); }, "snr is -1");
  expect([&] { StokesFit(cube, f, {.reference = 0}); }, "reference is 0");
  expect([&] { StokesFit(cube, f, {.loss_scale = 0}); }, "loss-scale is 0");
  expect([&] { StokesFit(cube, f, {.sigma = {1, 2}}); }, "2 noise values are given for 5 channels");
  expect([&] { StokesFit({{4, 3, 1, 5}, Type::u8, kHost}, f); }, "it must be f32 or f64");
  expect([&] { StokesFit({{0, 3, 1, 5}, Type::f32, kHost}, f); }, "it needs a pixel");
  const StokesFit plan(cube, f, {});
  Image i(cube), maps(plan.output()), other({4, 2, 1, 5}, Type::f32);
  expect([&] { plan({i.view()}, {}, maps.view()); }, "no noise of I is given");
  expect([&] { plan({i.view(), i.view()}, other.view(), maps.view()); }, "rows");
  expect([&] { plan({i.view(), i.view()}, i.view(), maps.view()); }, "share memory");
}

}  // namespace
}  // namespace tessera
