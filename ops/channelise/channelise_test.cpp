// SPDX-License-Identifier: Apache-2.0
// Every method, compared with the reference: sizes, types, layouts, oversampling, windows.
#include <gtest/gtest.h>

#include <cmath>

#include "core/isa.hpp"
#include "tests/support/spectra_bounds.hpp"
#include "tests/support/sweep.hpp"

namespace tessera {
namespace {

using testing::channelise_all;
using testing::Channelised;
using testing::expect_near_reference;
using testing::factor_of_bound;
using testing::methods_for;
using testing::Recording;
using testing::sums_of_sizes;

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
      3,
      [&](int n, int tap, const std::string& oversample, SampleType type, const std::string& layout,
          const std::string& out_layout, const XEngineShape& shape, bool is_real) {
        ChanneliseOptions options{.channels = n,
                                  .taps = tap,
                                  .oversample = oversample,
                                  .samples = type,
                                  .real = is_real,
                                  .backend = Backend::cpu};
        options.offset_binary = is_integer(type) && seed % 3 == 0;
        options.real_low = type == SampleType::ci4 && seed % 2 == 0;
        try {
          const Channelise fits(shape, options);
          const long long samples = fits.length() + 20 * fits.hop() + n / 2;
          const Recording r = testing::random_recording(shape, type, is_real, samples, seed++);
          for (const std::string& method : methods_for(shape, options, Backend::cpu)) {
            options.method = method;
            expect_near_reference(
                options, {.coefficients = testing::random_coefficients(fits, seed), .gains = {}}, r,
                {layout, out_layout, 1LL << 40});
          }
          ++made;
        } catch (const Error& error) {
          // Not all oversamplings divide.
          ASSERT_NE(std::string(error.what()).find("oversample"), std::string::npos)
              << error.what();
        }
      },
      channels, taps, oversamples, types, layouts, out_layouts, shapes, real);
  EXPECT_GT(made, 24);
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
      expect_near_reference(options,
                            {.coefficients = testing::random_coefficients(fits, 3), .gains = {}}, r,
                            {"tci", "cit", 1000});
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
