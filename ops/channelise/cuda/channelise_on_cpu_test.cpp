// SPDX-License-Identifier: Apache-2.0
// The filter bank's kernels, run thread by thread on the CPU, compared with the reference.
#include <gtest/gtest.h>

#include "core/fft_axis.hpp"
#include "ops/channelise/channelise_check.hpp"
#include "ops/channelise/cuda/channelise_cuda.hpp"
#include "tests/support/spectra_bounds.hpp"
// The last of all headers, before the kernels' text.
#include "tests/support/block_on_cpu.hpp"
// After the shim, which it is read through.
#include "ops/channelise/cuda/channelise_fft.cuh"
#include "ops/channelise/cuda/channelise_pack.cuh"

namespace tessera {

alignas(16) unsigned char channelise_memory[1 << 20];
alignas(16) unsigned char channelise_pack_memory[kChannelisePackShared];

namespace {

using testing::Channelised;
using testing::Recording;

struct KernelCase {
  XEngineShape shape;
  ChanneliseOptions options;
  ChanneliseTables tables = {};
  std::string layout = "cit", out_layout = "cit";
  bool fixed = false;  ///< the kernel for one length
  int missing = -1;    ///< a sample of input 0
};

template <int kType, bool kReal>
void run_fixed(const ChanneliseArgs& a) {
  if (a.shape.length == 16) return channelise_spectra<kType, kReal, channelise_shape(16), 8>(a);
  if (a.shape.length == 60) return channelise_spectra<kType, kReal, channelise_shape(60), 0>(a);
  if (a.shape.length == 512) return channelise_spectra<kType, kReal, channelise_shape(512), 8>(a);
  FAIL() << "no kernel for " << a.shape.length;
}

template <int kType, bool kReal>
void run_kernel(const ChanneliseArgs& a, bool fixed) {
  if (fixed) return run_fixed<kType, kReal>(a);
  channelise_spectra<kType, kReal, LineShape{}, 0>(a);
}

void run_blocks(const ChanneliseProblem& p, const ChanneliseArgs& a, bool fixed) {
  const auto groups = static_cast<unsigned>((a.spectra - 1) / a.shape.lines + 1);
  const auto lines = static_cast<unsigned>(p.shape.channels * p.shape.inputs());
  testing::run_blocks({groups, lines}, kLineThreads, [&] {
    with_channelise_type(p.options, [&](auto type, auto real) {
      constexpr int kType = type() == kChanneliseCi4    ? kChanneliseCi8
                            : type() == kChanneliseCf16 ? kChanneliseCf32
                                                        : type();
      run_kernel<kType, real()>(a, fixed);
    });
  });
}

ChanneliseSamples pack(const ChanneliseProblem& p, const ChanneliseSamples& samples,
                       long long count, std::vector<unsigned char>& memory) {
  ChannelisePackArgs args = channelise_pack_args(p, samples, 0, count);
  memory.assign(channelise_packed_bytes(p, args) + 64, 0x5b);
  args.out = memory.data();
  const auto tiles = static_cast<unsigned>((args.inputs - 1) / kChannelisePackTile + 1);
  const auto across = static_cast<unsigned>((count - 1) / kChannelisePackTile + 1);
  testing::run_blocks(
      {across, tiles * static_cast<unsigned>(p.shape.channels)}, kChannelisePackThreads, [&] {
        with_channelise_type(p.options,
                             [&](auto type, auto real) { channelise_pack<type(), real()>(args); });
      });
  return channelise_packed(p, args);
}

/// All spectra of a recording by the kernels' text.
Channelised by_kernels(const KernelCase& c, const Channelise& plan, const Recording& r) {
  const ChanneliseProblem p = make_channelise_problem(c.shape, c.options, c.tables);
  const XEngineShape out = plan.output();
  const SampleType type = c.options.output_type;
  Channelised made{type, 1LL * out.channels * out.inputs(), plan.spectra(r.samples), {}, {}, {}};
  const testing::LaidSamples laid = testing::lay_samples(r, c.layout, 0, r.samples);
  const VoltageLayout l = voltage_layout(c.out_layout, out, type, made.spectra);
  std::vector<unsigned char> memory(static_cast<std::size_t>(plan.bytes(made.spectra)) + 64, 0x5b),
      packed;
  made.valid.resize(static_cast<std::size_t>(made.spectra * out.inputs()));
  const SpectraBlock block{memory.data(), 0, made.spectra, l, kHost, made.valid};
  const bool missing = mark_missing_spectra(p, laid.in, block);
  ChanneliseSamples samples = channelise_samples(p, laid.in);
  if (!channelise_reads(p, samples)) samples = pack(p, samples, r.samples, packed);
  ChanneliseArgs a =
      channelise_args(p, samples, channelise_places_of(p, block), memory.data(), 0, made.spectra);
  const ChanneliseDeviceTables tables(p);
  unsigned long long counts[2] = {};
  a.turns = tables.turns.data();
  a.half_turns = tables.half_turns.data();
  a.filter = p.filter.data();
  a.gains = tables.gains.data();
  a.whole = missing ? made.valid.data() : nullptr;
  a.counts = counts;
  run_blocks(p, a, c.fixed);
  made.counts = {static_cast<long long>(counts[0]), static_cast<long long>(counts[1])};
  for (std::size_t k = memory.size() - 64; k < memory.size(); ++k) EXPECT_EQ(memory[k], 0x5b);
  const ChannelisePlaces places = channelise_places_of(p, block);
  for (int ch = 0; ch < out.channels; ++ch)
    for (int i = 0; i < out.inputs(); ++i)
      for (long long s = 0; s < made.spectra; ++s)
        made.values.push_back(testing::spectrum_value(
            type, memory.data() + places.input(ch, i) + places.at(s), l.imaginary));
  return made;
}

void expect_kernels(const KernelCase& c, int spectra, unsigned seed) {
  ChanneliseOptions on_host = c.options;
  on_host.backend = Backend::cpu;
  on_host.method = "direct";
  const Channelise plan(c.shape, on_host, c.tables);
  SCOPED_TRACE(plan.describe() + ", " + c.layout + " to " + c.out_layout +
               (c.fixed ? ", fixed" : ""));
  Recording r = testing::random_recording(c.shape, c.options.samples, c.options.real,
                                          plan.length() + (spectra - 1) * plan.hop(), seed);
  if (c.missing >= 0) {
    r.valid.assign(static_cast<std::size_t>(r.samples * c.shape.inputs()), 1);
    r.valid[static_cast<std::size_t>(1LL * c.missing * c.shape.inputs())] = 0;
  }
  testing::expect_near(plan, c.tables, r, by_kernels(c, plan, r));
}

ChanneliseOptions kernel_options(int channels, int taps, SampleType samples, bool real,
                                 SampleType output = SampleType::cf32,
                                 const std::string& oversample = "1") {
  return {.channels = channels,
          .taps = taps,
          .oversample = oversample,
          .samples = samples,
          .real = real,
          .output_type = output};
}

TEST(ChanneliseOnCpu, AnyLengthIsTheReference) {
  unsigned seed = 1;
  for (const int n : {2, 3, 15, 16, 60, 128})
    for (const bool real : {false, true}) {
      const SampleType types[] = {SampleType::ci8, SampleType::cf32, SampleType::ci16,
                                  SampleType::ci4, SampleType::cf16};
      const char* const layouts[] = {"cit", "tci", "odd", "act"};
      const SampleType type = types[seed % 5];
      KernelCase c{{2, 2, 2}, kernel_options(n, 3 + n % 2, type, real)};
      c.options.offset_binary = is_integer(type) && n == 60;
      c.layout = layouts[seed % 4];
      c.out_layout = layouts[seed % 2];
      expect_kernels(c, 19, seed++);
    }
}

TEST(ChanneliseOnCpu, OversampledIsTheReference) {
  unsigned seed = 1;
  for (const bool real : {false, true})
    for (const char* oversample : {"2", "4/3", "60/59", "15"})
      expect_kernels(
          {{1, 2, 1}, kernel_options(60, 4, SampleType::ci8, real, SampleType::cf32, oversample)},
          33, seed++);
}

TEST(ChanneliseOnCpu, FixedLengthsAreTheReference) {
  unsigned seed = 1;
  for (const int n : {16, 60, 512})
    for (const bool real : {false, true})
      for (const SampleType output : {SampleType::ci8, SampleType::ci16, SampleType::cf32}) {
        KernelCase c{{1, 2, 1}, kernel_options(n, 8, SampleType::ci8, real, output)};
        if (output != SampleType::cf32) c.tables.gains = {4};
        c.fixed = true;
        expect_kernels(c, n == 512 ? 9 : 34, seed++);
      }
}

TEST(ChanneliseOnCpu, GroupsAndMissingSpectraAreTheReference) {
  // tcc: groups of 16 spectra, stored 8 bytes at a time.
  KernelCase c{{2, 2, 1}, kernel_options(16, 4, SampleType::ci8, false, SampleType::ci8)};
  c.tables.gains = {5};
  c.out_layout = "tcc";
  c.missing = 200;
  expect_kernels(c, 48, 7);
  c.out_layout = "tci";
  expect_kernels(c, 48, 8);
}

TEST(ChanneliseOnCpu, CountsWhatItSaturates) {
  for (const SampleType output : {SampleType::ci8, SampleType::ci16}) {
    KernelCase c{{1, 2, 1}, kernel_options(16, 4, SampleType::ci8, false, output)};
    c.tables.gains.assign(16 * 2, output == SampleType::ci8 ? 6.0F : 1500.0F);
    c.tables.gains[5] = 0.5F;
    ChanneliseOptions on_host = c.options;
    on_host.backend = Backend::cpu;
    on_host.method = "fft";
    const Channelise plan(c.shape, on_host, c.tables);
    const Recording r = testing::random_recording(c.shape, SampleType::ci8, false, 4096, 3);
    const Channelised y = by_kernels(c, plan, r);
    long long at_the_limit = 0;
    const float most = output == SampleType::ci8 ? 127 : 32767;
    for (const auto v : y.values)
      at_the_limit += (std::abs(v.real()) == most) + (std::abs(v.imag()) == most);
    EXPECT_GT(y.counts.saturated, 100);
    EXPECT_LE(y.counts.saturated, at_the_limit);
    const long long on_cpu = testing::channelise_all(plan, r).counts.saturated;
    // Values next to the limit may be rounded differently.
    EXPECT_NEAR(static_cast<double>(y.counts.saturated), static_cast<double>(on_cpu), 3);
  }
}

TEST(ChanneliseOnCpu, KeepsWhatIsNotANumberInItsSpectra) {
  KernelCase c{{1, 1, 1}, kernel_options(16, 4, SampleType::cf32, false, SampleType::cf32)};
  ChanneliseOptions on_host = c.options;
  on_host.backend = Backend::cpu;
  const Channelise plan(c.shape, on_host);
  Recording r = testing::random_recording(c.shape, SampleType::cf32, false, 16 * 30, 3);
  const Channelised clean = by_kernels(c, plan, r);
  const float nan = std::nanf("");
  std::memcpy(&r.bytes[8 * 165], &nan, 4);  // sample 165 is in spectra 7 to 10
  const Channelised y = by_kernels(c, plan, r);
  for (int ch = 0; ch < 16; ++ch)
    for (long long m = 0; m < y.spectra; ++m)
      if (m >= 7 && m <= 10)
        EXPECT_TRUE(std::isnan(y.at(ch, m).real() + y.at(ch, m).imag())) << ch << " " << m;
      else
        EXPECT_EQ(y.at(ch, m), clean.at(ch, m)) << ch << " " << m;
}

}  // namespace
}  // namespace tessera
