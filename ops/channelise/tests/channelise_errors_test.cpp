// SPDX-License-Identifier: Apache-2.0
// Every bad call is refused with one sentence, before anything is written.
#include <gtest/gtest.h>

#include "tests/support/bad_calls.hpp"
#include "tests/support/spectra.hpp"

namespace tessera {
namespace {

using testing::expect_refused;

constexpr XEngineShape kOneInput{1, 1, 1};

ChanneliseOptions small() { return {.channels = 16, .taps = 2, .backend = Backend::cpu}; }
template <class Change>
auto with(Change change) {
  return [change] {
    ChanneliseOptions options = small();
    change(options);
    const Channelise plan(kOneInput, options);
  };
}
auto with_tables(const ChanneliseTables& tables, SampleType output = SampleType::ci8) {
  return [tables, output] {
    ChanneliseOptions options = small();
    options.output_type = output;
    const Channelise plan({1, 2, 1}, options, tables);
  };
}

TEST(ChanneliseErrors, RefusesBadPlans) {
  using O = ChanneliseOptions;
  expect_refused({
      {[] {
         Channelise({0, 2, 1});
       },
       "channelise: there are 0 antennas of 2 polarisations and 1 channels; give at least one of "
       "each"},
      {[] {
         Channelise({1, 5, 1});
       },
       "channelise: there are 5 polarisations; there can be 1 to 4"},
      {[] {
         Channelise({(1 << 20) + 1, 2, 1});
       },
       "channelise: there are 1048577 antennas; there can be up to 1048576"},
      {with([](O& o) { o.channels = 1; }), "channelise: channels is 1; it can be 2 to 1048576"},
      {with([](O& o) { o.taps = 0; }), "channelise: taps is 0; it can be 1 to 128"},
      {with([](O& o) {
         o.channels = 1 << 20;
         o.taps = 64;
       }),
       "channelise: 64 taps and 1048576 channels make a filter of 134217728 numbers; give fewer of "
       "either"},
      {[] {
         Channelise({1, 1, 1 << 20}, {.channels = 2048, .taps = 1});
       },
       "channelise: 1048576 channels of 2048 each are too many; there can be up to 1073741824 in "
       "all"},
      {with([](O& o) { o.window = "haming"; }),
       "channelise: window: 'haming' is not known (did you mean hamming?); it can be hamming, "
       "hann, "
       "blackman, rectangular or kaiser:BETA"},
      {with([](O& o) { o.window = "kaiser:-1"; }),
       "channelise: beta of window kaiser is -1; it can be 0 to 100"},
      {with([](O& o) {
         o.window = "hann";
         o.channels = 2;
         o.taps = 1;
       }),
       "channelise: window hann leaves nothing of 2 coefficients; give more taps or channels, or "
       "window hamming"},
      {with([](O& o) { o.oversample = "7/8"; }),
       "channelise: oversample is 7/8; it can be 1 to 64, such as 1, 2 or 8/7"},
      {with([](O& o) { o.oversample = "0/0"; }),
       "channelise: oversample is 0/0; it can be 1 to 64, such as 1, 2 or 8/7"},
      {with([](O& o) { o.oversample = "65"; }),
       "channelise: oversample is 65; it can be 1 to 64, such as 1, 2 or 8/7"},
      {with([](O& o) { o.oversample = "32/27"; }),
       "channelise: oversample is 32/27 and spectra of 16 samples; 32 must divide them, so that "
       "spectra begin at whole samples"},
      {with([](O& o) { o.output_type = SampleType::ci4; }),
       "channelise: output type is ci4; it can be cf32, ci8 or ci16"},
      {with([](O& o) {
         o.samples = SampleType::cf32;
         o.offset_binary = true;
       }),
       "channelise: offset-binary is for integers and samples are cf32; leave it out"},
      {with([](O& o) { o.real_low = true; }),
       "channelise: real-low is for ci4 and samples are ci8; leave it out"},
      {with([](O& o) {
         o.channels = 7;
         o.method = "fft";
       }),
       "channelise: no method can run this (cpu fft: there are 7 channels; it takes 1, 3 or 5 "
       "times a "
       "power of two from 16 on); give another backend or method"},
      {with_tables({.coefficients = {1, 2, 3}, .gains = {}}),
       "channelise: there are 3 coefficients; 2 taps of 16 samples need 32"},
      {[] {
         ChanneliseOptions options = small();
         options.window = "hann";
         const Channelise plan({1, 2, 1}, options,
                               {.coefficients = std::vector<double>(32, 1), .gains = {}});
       },
       "channelise: window is hann and there are coefficients, which need none; leave one of them "
       "out"},
      {with_tables({.coefficients = std::vector<double>(32, 1e300), .gains = {}}),
       "channelise: coefficient 0 is 1e+300; they must be finite"},
      {with_tables({.coefficients = {}, .gains = {1, 2}}),
       "channelise: there are 2 gains; give 1, 16 for the channels, or 32 for channels and inputs"},
      {with_tables({.coefficients = {}, .gains = {0}}),
       "channelise: gain 0 is 0; gains must be positive and finite"},
      {with_tables({.coefficients = {}, .gains = {1}}, SampleType::cf32),
       "channelise: there are gains and the output is cf32; gains are for ci8 and ci16"},
  });
}

/// A good call, to be made bad in one way.
struct Call {
  Channelise plan{kOneInput, small()};
  ChanneliseState state = plan.start();
  testing::Recording recording =
      testing::random_recording(kOneInput, SampleType::ci8, false, 100, 1);
  testing::LaidSamples laid = testing::lay_samples(recording, "cit", 0, 100);
  std::vector<unsigned char> memory = std::vector<unsigned char>(1024), mask, valid;
  RawVoltages in = laid.in;
  SpectraBlock out{memory.data(), 0, 5, plan.layout(5)};

  void run() {
    Stream stream;
    plan(state, in, out, stream);
  }
};
template <class Change>
auto call_with(Change change) {
  return [change] {
    Call call;
    change(call);
    call.run();
  };
}

TEST(ChanneliseErrors, RefusesBadCalls) {
  Call().run();
  EXPECT_EQ(Call().plan.spectra(100), 5);
  EXPECT_EQ(Call().plan.spectra(31), 0);
  expect_refused({
      {call_with([](Call& c) { c.out.spectra = 6; }),
       "channelise: spectra 0 to 6 need samples 0 to 112 and the block has 0 to 100; give those"},
      {call_with([](Call& c) { c.in.first = 1; }),
       "channelise: spectra 0 to 5 need samples 0 to 96 and the block has 1 to 101; give those"},
      {call_with([](Call& c) { c.out.first = -1; }),
       "channelise: 5 spectra from spectrum -1 on are requested; both can be 0 to 17592186044416"},
      {call_with([](Call& c) { c.in.block.samples = -1; }),
       "channelise: the block has -1 samples from sample 0 on; both can be 0 to 281474976710656"},
      {call_with([](Call& c) { c.in.block.data = nullptr; }),
       "channelise: the block has 100 samples and no data; give their address"},
      {call_with([](Call& c) { c.out.data = nullptr; }),
       "channelise: there is no memory for 5 spectra; give their address"},
      {call_with([](Call& c) { c.in.block.device = 0; }),
       "channelise: the block is on device 0 and the plan runs on the host; copy to the host, or "
       "make the plan with backend cuda"},
      {call_with([](Call& c) { c.in.block.layout.imaginary = 0; }),
       "channelise: the block's imaginary part lies 0 bytes behind the real one; give its step, or "
       "real yes"},
      {call_with([](Call& c) { c.in.block.layout.group_step = 0; }),
       "channelise: the block's group step is 0 bytes and there are 100; give steps"},
      {call_with([](Call& c) { c.out.layout.channel = 0; }),
       "channelise: the spectra's channel step is 0 bytes and there are 16; give steps"},
      {call_with([](Call& c) {
         c.valid.assign(4, 1);
         c.out.valid = c.valid;
       }),
       "channelise: the mask of the spectra has 4 bytes; 5 spectra by 1 inputs need 5"},
      {call_with([](Call& c) {
         c.mask.assign(7, 1);
         c.in.block.valid = c.mask;
         c.in.block.valid_samples = 10;
       }),
       "channelise: the mask has 7 bytes; 100 samples in stretches of 10 by 1 inputs need 10"},
      {call_with([](Call& c) {
         c.mask.assign(10, 0);
         c.in.block.valid = c.mask;
         c.in.block.valid_samples = 10;
       }),
       "channelise: samples of input 0 are missing and the spectra have no mask; give one"},
      {call_with([](Call& c) { c.state = Channelise(kOneInput, small()).start(); }),
       "channelise: the state belongs to another plan; make it with start() of this one"},
  });
}

TEST(ChanneliseErrors, LayoutsOfRealSamples) {
  const VoltageLayout l = real_voltage_layout("tci", {2, 2, 3}, SampleType::ci16, 10);
  EXPECT_EQ(l.polarisation, 2);
  EXPECT_EQ(l.antenna, 4);
  EXPECT_EQ(l.channel, 8);
  EXPECT_EQ(l.group_step, 24);
  EXPECT_EQ(l.imaginary, 0);
  expect_refused({
      {[] { real_voltage_layout("tcc", kOneInput, SampleType::ci8, 16); },
       "channelise: layout tcc is for complex samples; give tci, cti, cit or act"},
      {[] { real_voltage_layout("cit", kOneInput, SampleType::ci4, 16); },
       "channelise: samples are ci4, which have both parts in a byte; give voltage_layout's "
       "layout"},
  });
}

TEST(ChanneliseErrors, NothingIsMadeOfNothing) {
  Call call;
  call.out.spectra = 0;
  call.out.data = nullptr;
  call.in.block = {};
  call.run();
  Stream stream;
  EXPECT_EQ(call.plan.take_counts(call.state, stream), ChanneliseCounts{});
}

}  // namespace
}  // namespace tessera
