// SPDX-License-Identifier: Apache-2.0
// The filter bank on a GPU: every length, type and layout against the reference, blocks of the host
// and of the device, spectra that stay there.
#include <gtest/gtest.h>

#include "core/device.hpp"
#include "core/machine.hpp"
#include "tests/support/on_cuda.hpp"
#include "tests/support/spectra_bounds.hpp"
#include "tests/support/sweep.hpp"

namespace tessera {
namespace {

using testing::channelise_all;
using testing::Channelised;
using testing::Recording;

using ChanneliseOnCuda = testing::OnCuda;

void copy_there(const void* from, int from_device, void* to, int to_device, std::size_t bytes,
                Stream& stream) {
  const Size size{static_cast<int>(bytes)};
  device_stream(stream).copy(packed(static_cast<const unsigned char*>(from), size, from_device),
                             packed(static_cast<unsigned char*>(to), size, to_device));
}

ChanneliseOptions device_options(int channels, int taps, SampleType samples, bool real,
                                 SampleType output = SampleType::cf32) {
  return {.channels = channels,
          .taps = taps,
          .samples = samples,
          .real = real,
          .output_type = output,
          .backend = Backend::cuda};
}

TEST_F(ChanneliseOnCuda, IsTheReference) {
  const std::vector<int> channels{2, 3, 15, 16, 60, 64, 100, 128, 256, 1024};
  const std::vector<int> taps{1, 8, 3, 16};
  const std::vector<std::string> oversamples{"1", "8/7", "4/3", "2", "32/27", "1"};
  const std::vector<SampleType> types{SampleType::ci8, SampleType::cf32, SampleType::ci4,
                                      SampleType::ci16, SampleType::cf16};
  const std::vector<std::string> layouts{"cit", "tci", "odd", "act", "cti"};
  const std::vector<std::string> out_layouts{"cit", "plan", "tci", "act", "cti"};
  const std::vector<XEngineShape> shapes{{1, 1, 1}, {3, 2, 2}, {20, 2, 1}};
  const std::vector<bool> real{false, true};
  unsigned seed = 1;
  int made = 0;
  testing::for_cases(
      4,
      [&](int n, int tap, const std::string& oversample, SampleType type, const std::string& layout,
          const std::string& out_layout, const XEngineShape& shape, bool is_real) {
        if (n * (is_real ? 2 : 1) % 32 != 0 && oversample != "1") return;
        ChanneliseOptions options = device_options(n, tap, type, is_real);
        options.oversample =
            oversample == "8/7" && n * (is_real ? 2 : 1) % 8 != 0 ? "1" : oversample;
        options.offset_binary = is_integer(type) && seed % 3 == 0;
        options.real_low = type == SampleType::ci4 && seed % 2 == 0;
        // The reference takes length^2: few spectra of long ones.
        const Channelise fits(shape, options);
        const long long samples = fits.length() + (n >= 256 ? 2 : 37) * fits.hop() + n / 2;
        const Recording r = testing::random_recording(shape, type, is_real, samples, seed++);
        testing::expect_near_reference(
            options, {.coefficients = testing::random_coefficients(fits, seed), .gains = {}}, r,
            {layout, out_layout, 1LL << 40});
        ++made;
      },
      channels, taps, oversamples, types, layouts, out_layouts, shapes, real);
  EXPECT_GT(made, 20);
}

TEST_F(ChanneliseOnCuda, IsTheReferenceInIntegers) {
  unsigned seed = 1;
  for (const SampleType output : {SampleType::ci8, SampleType::ci16})
    for (const int n : {15, 16, 64, 512})
      for (const bool is_real : {false, true})
        for (const char* out_layout : {"cit", "tcc", "tci"}) {
          const XEngineShape shape{2, 2, 2};
          const ChanneliseOptions options = device_options(n, 4, SampleType::ci8, is_real, output);
          const Channelise fits(shape, options);
          const Recording r = testing::random_recording(shape, SampleType::ci8, is_real,
                                                        fits.length() + 31 * fits.hop(), seed++);
          testing::expect_near_reference(options, {.coefficients = {}, .gains = {7.5F}}, r,
                                         {"tci", out_layout, 16});
        }
}

TEST_F(ChanneliseOnCuda, TakesTheLargestTransforms) {
  for (const int n : {2048, 4096, 8192})
    for (const bool is_real : {false, true}) {
      const ChanneliseOptions options = device_options(n, 4, SampleType::ci8, is_real);
      const Channelise fits({1, 2, 1}, options);
      const Recording r = testing::random_recording({1, 2, 1}, SampleType::ci8, is_real,
                                                    fits.length() + 2 * fits.hop(), 9);
      ChanneliseOptions by_double = options;
      by_double.backend = Backend::cpu;
      by_double.method = "direct";
      const Channelised y = channelise_all(fits, r),
                        expected = channelise_all(Channelise({1, 2, 1}, by_double), r);
      const std::vector<double> sums = testing::sums_of_sizes(fits, r);
      for (long long line = 0; line < y.lines; ++line)
        for (long long m = 0; m < y.spectra; ++m)
          ASSERT_LE(std::abs(y.at(line, m) - expected.at(line, m)),
                    testing::factor_of_bound(fits) *
                        sums[static_cast<std::size_t>(line % 2 * y.spectra + m)])
              << n << " " << is_real << " " << line;
    }
}

/// Everything in the memory of the device, in blocks, without waiting in between.
TEST_F(ChanneliseOnCuda, StaysOnTheDevice) {
  const XEngineShape shape{3, 2, 2};
  for (const char* layout : {"cit", "tci"})
    for (const SampleType output : {SampleType::cf32, SampleType::ci8}) {
      const ChanneliseOptions options = device_options(64, 8, SampleType::ci8, false, output);
      const ChanneliseTables tables{
          {}, output == SampleType::ci8 ? std::vector<float>{3} : std::vector<float>()};
      const Channelise plan(shape, options, tables);
      const long long spectra = 96, each = 32;
      const Recording r =
          testing::random_recording(shape, SampleType::ci8, false, plan.needs(0, spectra).count, 4);
      const Channelised expected = channelise_all(plan, r);
      Stream stream(plan.device());
      const testing::LaidSamples laid = testing::lay_samples(r, layout, 0, r.samples);
      const Scratch there = stream.scratch(laid.bytes.size());
      copy_there(laid.bytes.data(), kHost, there.data(), stream.device(), laid.bytes.size(),
                 stream);
      RawVoltages in = laid.in;
      in.block.data = there.as<unsigned char>() +
                      (static_cast<const unsigned char*>(laid.in.block.data) - laid.bytes.data());
      in.block.device = stream.device();
      const auto bytes = static_cast<std::size_t>(plan.bytes(each));
      const Scratch made = stream.scratch(3 * bytes);
      const VoltageLayout l = plan.layout(each);
      ChanneliseState state = plan.start();
      for (int k = 0; k < 3; ++k)
        plan(state, in,
             {made.as<unsigned char>() + static_cast<std::size_t>(k) * bytes, k * each, each, l,
              stream.device()},
             stream);
      EXPECT_EQ(plan.take_counts(state, stream), expected.counts);
      EXPECT_EQ(plan.take_counts(state, stream), ChanneliseCounts{});
      std::vector<unsigned char> back(3 * bytes);
      copy_there(made.data(), stream.device(), back.data(), kHost, back.size(), stream);
      stream.wait();
      const ChannelisePlaces places = channelise_places(l, shape.polarisations, each);
      for (int c = 0; c < plan.output().channels; ++c)
        for (int i = 0; i < shape.inputs(); ++i)
          for (long long s = 0; s < spectra; ++s)
            ASSERT_EQ(
                testing::spectrum_value(output,
                                        back.data() + static_cast<std::size_t>(s / each) * bytes +
                                            places.input(c, i) + places.at(s % each),
                                        l.imaginary),
                expected.at(1LL * c * shape.inputs() + i, s))
                << c << " " << i << " " << s;
    }
}

TEST_F(ChanneliseOnCuda, RefusesWhatDoesNotFit) {
  ChanneliseOptions options = device_options(1 << 16, 2, SampleType::ci8, false);
  try {
    const Channelise plan({1, 1, 1}, options);
    FAIL() << plan.describe();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("shared memory"), std::string::npos) << error.what();
  }
  options.backend = Backend::automatic;
  EXPECT_EQ(Channelise({1, 1, 1}, options).backend(), Backend::cpu);
}

}  // namespace
}  // namespace tessera
