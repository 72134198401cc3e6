// SPDX-License-Identifier: Apache-2.0
// Every method, compared with the reference: sizes, types, layouts, oversampling, windows.
#include <gtest/gtest.h>

#include <cmath>

#include "core/isa.hpp"
#include "tests/support/spectra.hpp"
#include "tests/support/sweep.hpp"

namespace tessera {
namespace {

using testing::channelise_all;
using testing::channelise_reference;
using testing::Channelised;
using testing::Recording;

/// The sums over n of |h[n]| |x[m D + n]| of every line of inputs, [coarse, input][spectrum].
std::vector<double> sums_of_sizes(const Channelise& plan, const Recording& r) {
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
double factor_of_bound(const Channelise& plan) {
  return (plan.options().taps + 5 * std::log2(plan.transform()) + 24) * 0x1p-24;
}

void expect_near_reference(const ChanneliseOptions& options, const ChanneliseTables& tables,
                           const Recording& r, const testing::ChanneliseWay& way) {
  const Channelise plan(r.shape, options, tables),
      reference(r.shape, channelise_reference(options), tables);
  const Channelised y = channelise_all(plan, r, way), expected = channelise_all(reference, r);
  SCOPED_TRACE(plan.describe() + ", " + way.layout + " to " + way.out_layout);
  ASSERT_EQ(y.spectra, expected.spectra);
  ASSERT_GT(y.spectra, 0);
  EXPECT_EQ(y.valid, expected.valid);
  const std::vector<double> sums = sums_of_sizes(plan, r);
  const int inputs = r.shape.inputs();
  double worst = 0;
  long long differ = 0;
  for (long long line = 0; line < y.lines; ++line)
    for (long long m = 0; m < y.spectra; ++m) {
      const long long input = line % inputs, coarse = line / inputs / options.channels;
      double bound = factor_of_bound(plan) *
                     sums[static_cast<std::size_t>((coarse * inputs + input) * y.spectra + m)];
      if (is_integer(options.output_type)) {
        const float gain = tables.gains.empty() ? 1 : tables.gains[0];
        // The product is rounded too, and numbers near half may go either way.
        bound = bound * gain + 1e-4 >= 0.5 ? 1 + bound * gain : 1;
      }
      const double error = std::abs(std::complex<double>(y.at(line, m)) -
                                    std::complex<double>(expected.at(line, m)));
      if (is_integer(options.output_type)) {
        ASSERT_LE(std::abs(y.at(line, m).real() - expected.at(line, m).real()), bound);
        ASSERT_LE(std::abs(y.at(line, m).imag() - expected.at(line, m).imag()), bound);
        differ += error > 0 ? 1 : 0;
      } else {
        ASSERT_LE(error, bound) << line << " " << m;
        worst = std::max(worst, error / bound);
      }
    }
  if (is_integer(options.output_type))
    EXPECT_LE(static_cast<double>(differ), 0.002 * static_cast<double>(y.lines * y.spectra) + 2);
  else
    EXPECT_LT(worst, 1);
}

std::vector<std::string> methods_for(const XEngineShape& shape, ChanneliseOptions options,
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

TEST(Channelise, IsTheReference) {
  const std::vector<int> channels{2, 3, 7, 16, 21, 32, 48, 64, 80, 100, 128, 256};
  const std::vector<int> taps{1, 8, 3, 4, 16};
  const std::vector<std::string> oversamples{"1", "8/7", "4/3", "2", "32/27", "1"};
  const std::vector<SampleType> types{SampleType::ci8, SampleType::cf32, SampleType::ci4,
                                      SampleType::ci16, SampleType::cf16};
  const std::vector<std::string> layouts{"cit", "tci", "odd", "act", "cti"};
  const std::vector<std::string> out_layouts{"cit", "plan", "tci", "act", "cti"};
  const std::vector<XEngineShape> shapes{{1, 1, 1}, {3, 2, 2}, {2, 1, 3}};
  const std::vector<bool> real{false, true};
  unsigned seed = 1;
  int made = 0;
  testing::for_cases(
      4,
      [&](int n, int tap, const std::string& oversample, SampleType type, const std::string& layout,
          const std::string& out_layout, const XEngineShape& shape, bool is_real) {
        ChanneliseOptions options{.channels = n,
                                  .taps = tap,
                                  .window = tap == 1 ? "rectangular" : "hamming",
                                  .oversample = oversample,
                                  .samples = type,
                                  .real = is_real,
                                  .backend = Backend::cpu};
        options.offset_binary = is_integer(type) && seed % 3 == 0;
        options.real_low = type == SampleType::ci4 && seed % 2 == 0;
        try {
          const Channelise fits(shape, options);
          const long long samples = fits.length() + 37 * fits.hop() + n / 2;
          const Recording r = testing::random_recording(shape, type, is_real, samples, seed++);
          for (const std::string& method : methods_for(shape, options, Backend::cpu)) {
            options.method = method;
            expect_near_reference(options, {}, r, {layout, out_layout, 1LL << 40});
          }
          ++made;
        } catch (const Error& error) {
          // Not all oversamplings divide.
          ASSERT_NE(std::string(error.what()).find("oversample"), std::string::npos)
              << error.what();
        }
      },
      channels, taps, oversamples, types, layouts, out_layouts, shapes, real);
  EXPECT_GT(made, 20);
}

TEST(Channelise, IsTheReferenceInIntegers) {
  unsigned seed = 1;
  for (const SampleType output : {SampleType::ci8, SampleType::ci16})
    for (const int n : {5, 16, 64})
      for (const bool is_real : {false, true})
        for (const char* out_layout : {"cit", "tci"}) {
          ChanneliseOptions options{.channels = n,
                                    .taps = 4,
                                    .real = is_real,
                                    .output_type = output,
                                    .backend = Backend::cpu};
          const XEngineShape shape{2, 2, 2};
          const Channelise fits(shape, options);
          const Recording r = testing::random_recording(shape, SampleType::ci8, is_real,
                                                        fits.length() + 20 * fits.hop(), seed++);
          for (const std::string& method : methods_for(shape, options, Backend::cpu)) {
            options.method = method;
            expect_near_reference(options, {.coefficients = {}, .gains = {7.5F}}, r,
                                  {"tci", out_layout, 7});
          }
        }
}

TEST(Channelise, IsTheReferenceOnEveryTarget) {
  for (const std::string& isa : isa_names()) {
    force_isa(isa);
    for (const bool is_real : {false, true}) {
      const ChanneliseOptions options{.channels = 96,
                                      .taps = 5,
                                      .oversample = "32/27",
                                      .samples = SampleType::ci16,
                                      .real = is_real,
                                      .backend = Backend::cpu,
                                      .method = "fft"};
      const Channelise fits({1, 2, 1}, options);
      const Recording r = testing::random_recording({1, 2, 1}, SampleType::ci16, is_real,
                                                    fits.length() + 40 * fits.hop(), 5);
      expect_near_reference(options, {}, r, {"tci", "cit", 1000});
    }
  }
  force_isa("auto");
}

TEST(Channelise, TakesLargeTransforms) {
  for (const bool is_real : {false, true}) {
    const ChanneliseOptions options{
        .channels = 4096, .taps = 4, .real = is_real, .backend = Backend::cpu, .method = "fft"};
    const Channelise fits({1, 1, 1}, options);
    const Recording r = testing::random_recording({1, 1, 1}, SampleType::ci8, is_real,
                                                  fits.length() + fits.hop(), 9);
    ChanneliseOptions by_double = options;
    by_double.method = "direct";
    const Channelised y = channelise_all(fits, r),
                      expected = channelise_all(Channelise({1, 1, 1}, by_double), r);
    const std::vector<double> sums = sums_of_sizes(fits, r);
    for (long long c = 0; c < y.lines; ++c)
      for (long long m = 0; m < y.spectra; ++m)
        ASSERT_LE(std::abs(y.at(c, m) - expected.at(c, m)),
                  factor_of_bound(fits) * sums[static_cast<std::size_t>(m)])
            << is_real << " " << c;
  }
}

}  // namespace
}  // namespace tessera
