// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/stokes_value.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tessera/image.hpp"

namespace tessera {
namespace {

// The same curve, fitted with its reference at the wanted frequency, has these values as they are.
TEST(StokesValue, IsThatOfAFitWithItsReferenceThere) {
  constexpr int kCount = 40;
  std::vector<double> frequencies;
  Image i({1, 1, 1, kCount}, Type::f32);
  for (int k = 0; k < kCount; ++k) {
    frequencies.push_back(1e9 + 2e7 * k);
    i.as<float>().at(0, 0, 0, k) = static_cast<float>(
        2 * std::pow(frequencies.back() / 1.3e9, -0.7) + 0.01 * std::sin(40.0 * k * k));
  }
  for (const StokesCurve curve : {StokesCurve::log, StokesCurve::linear})
    for (const int order : {0, 1, 2, 3})
      for (const double frequency : {1.05e9, 1.4e9, 1.9e9}) {
        StokesFitOptions options{
            .curve = curve, .order = order, .sigma = std::vector<double>(kCount, 0.01)};
        const StokesFit own(i.info(), frequencies, options);
        options.reference = frequency;
        const StokesFit there(i.info(), frequencies, options);
        Image maps(own.output()), wanted(there.output());
        own({i.view()}, {}, maps.view());
        there({i.view()}, {}, wanted.view());
        const StokesValue value =
            stokes_value(std::as_const(maps).as<float>(), {0, 0}, curve, frequency);
        const auto at = [&](int plane) -> double { return wanted.as<float>().at(0, 0, 0, plane); };
        SCOPED_TRACE(::testing::Message() << name_of(curve) << order << " at " << frequency);
        EXPECT_NEAR(value.alpha, at(StokesPlanes::alpha), 2e-5);
        EXPECT_NEAR(value.alpha_error, at(StokesPlanes::alpha_error),
                    2e-3 * at(StokesPlanes::alpha_error));
        if (curve == StokesCurve::linear) continue;  // I is the sum of all coefficients
        EXPECT_NEAR(value.intensity, at(StokesPlanes::coefficient), 1e-5);
        EXPECT_NEAR(value.error, at(StokesPlanes::error), 2e-3 * at(StokesPlanes::error));
      }
}

}  // namespace
}  // namespace tessera
