// SPDX-License-Identifier: Apache-2.0
/// Spectra compared with the reference by the bound of tessera/channelise.hpp.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/spectra.hpp"

namespace tessera::testing {

/// The sums over n of |h[n]| |x[m D + n]| of every line of inputs, [coarse, input][spectrum].
inline std::vector<double> sums_of_sizes(const Channelise& plan, const Recording& r) {
  const long long lines = 1LL * r.shape.channels * r.shape.inputs(), hop = plan.hop();
  const long long spectra = plan.spectra(r.samples);
  const auto laid = testing::lay_samples(r, "cit", 0, r.samples);
  ChanneliseOptions options = plan.options();
  const ChannelisePlaces places =
      channelise_places(laid.in.block.layout, r.shape.polarisations, r.samples);
  const ChanneliseSamples samples{static_cast<const unsigned char*>(laid.in.block.data),
                                  places,
                                  0,
                                  r.samples,
                                  options.offset_binary,
                                  options.real_low};
  std::vector<double> sums;
  for (long long line = 0; line < lines; ++line)
    for (long long m = 0; m < spectra; ++m) {
      double sum = 0;
      for (long long n = 0; n < plan.length(); ++n)
        with_channelise_type(options, [&](auto type, auto real) {
          const ChanneliseValue v = channelise_sample<type(), real()>(
              samples, samples.data +
                           places.input(static_cast<int>(line / r.shape.inputs()),
                                        static_cast<int>(line % r.shape.inputs())) +
                           places.at(m * hop + n));
          sum +=
              std::hypot(v.re, v.im) * std::abs(plan.coefficients()[static_cast<std::size_t>(n)]);
        });
      sums.push_back(sum);
    }
  return sums;
}

/// The bound of the header.
inline double factor_of_bound(const Channelise& plan) {
  return (plan.options().taps + 5 * std::log2(plan.transform()) + 24) * 0x1p-24;
}

/// How far parts of a value may lie from the reference's; integers differ by one if the exact
/// product lies near half.
inline double bound_of_value(const Channelise& plan, double sum, double gain) {
  const double bound = factor_of_bound(plan) * sum;
  if (!is_integer(plan.options().output_type)) return bound;
  return std::ceil(gain * bound * (1 + 0x1p-20) + 0x1p-20);
}

/// Every value lies within its bound, masks are equal, and few integers differ.
inline void expect_near(const Channelise& plan, const ChanneliseTables& tables, const Recording& r,
                        const Channelised& y) {
  const Channelise reference(r.shape, channelise_reference(plan.options()), tables);
  const Channelised expected = channelise_all(reference, r);
  ASSERT_EQ(y.spectra, expected.spectra);
  ASSERT_GT(y.spectra, 0);
  EXPECT_EQ(y.valid, expected.valid);
  const std::vector<double> sums = sums_of_sizes(plan, r);
  const int inputs = r.shape.inputs(), channels = plan.options().channels;
  const double gain = tables.gains.empty() ? 1 : *std::ranges::max_element(tables.gains);
  long long differ = 0;
  for (long long line = 0; line < y.lines; ++line)
    for (long long m = 0; m < y.spectra; ++m) {
      const long long input = line % inputs, coarse = line / inputs / channels;
      const double sum = sums[static_cast<std::size_t>((coarse * inputs + input) * y.spectra + m)];
      const std::complex<double> error =
          std::complex<double>(y.at(line, m)) - std::complex<double>(expected.at(line, m));
      const double most = bound_of_value(plan, sum, gain);
      const double size = is_integer(plan.options().output_type)
                              ? std::max(std::abs(error.real()), std::abs(error.imag()))
                              : std::abs(error);
      ASSERT_LE(size, most) << "line " << line << " spectrum " << m << " " << y.at(line, m);
      differ += error != 0.0 ? 1 : 0;
    }
  const double values = static_cast<double>(y.lines * y.spectra);
  const double part = is_integer(plan.options().output_type) ? 0.002 : 1;
  EXPECT_LE(static_cast<double>(differ), part * values + 2);
}

inline void expect_near_reference(const ChanneliseOptions& options, const ChanneliseTables& tables,
                                  const Recording& r, const ChanneliseWay& way) {
  const Channelise plan(r.shape, options, tables);
  SCOPED_TRACE(plan.describe() + ", " + way.layout + " to " + way.out_layout);
  expect_near(plan, tables, r, channelise_all(plan, r, way));
}

/// The methods of a backend that do this, except the reference.
inline std::vector<std::string> methods_for(const XEngineShape& shape, ChanneliseOptions options,
                                            Backend backend) {
  std::vector<std::string> names;
  ChanneliseProblem p;
  p.shape = shape;
  p.options = options;
  p.device = options.device;
  p.transform = options.channels * (options.real ? 2 : 1);
  p.hop = p.transform;
  for (const ChanneliseMethod& method : channelise_methods())
    if (method.backend == backend && std::string(method.name) != "reference" &&
        method.refuses(p).empty())
      names.emplace_back(method.name);
  return names;
}

}  // namespace tessera::testing
