// SPDX-License-Identifier: Apache-2.0
// Every instruction set of this CPU against the reference: exactly.
#include "ops/xengine/cpu/xengine_dot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/byte_isa.hpp"
#include "tests/support/files.hpp"
#include "tests/support/methods.hpp"

namespace tessera {
namespace {

using namespace testing;
using Bytes = std::vector<unsigned char>;
using Sums = std::vector<std::int64_t>;

Bytes random_bytes(long long count, unsigned seed) {
  std::mt19937 random(seed);
  Bytes bytes(static_cast<std::size_t>(count));
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random() >> 13);
  return bytes;
}

/// Samples of every input and channel, and perhaps a mask.
struct Case {
  XEngineShape shape;
  long long samples = 1;
  std::string layout = "tci";
  long long valid_samples = 0;  ///< 0: no mask
  SampleType type = SampleType::ci8;
  bool offset_binary = false, real_low = false;
  unsigned seed = 1;

  std::string text() const {
    return std::to_string(shape.antennas) + " x " + std::to_string(shape.polarisations) +
           " inputs, " + std::to_string(shape.channels) + " channels, " + std::to_string(samples) +
           " samples, " + layout;
  }
};

/// Sums by a method, the block added twice: to nothing, and to what is there.
Sums sums_of(const Case& c, const char* method, const Bytes& bytes, int threads = 1) {
  const XEngine plan(c.shape, {.samples = c.type,
                               .offset_binary = c.offset_binary,
                               .real_low = c.real_low,
                               .backend = Backend::cpu,
                               .method = method});
  VoltageBlock block{bytes.data(), c.samples};
  block.layout = voltage_layout(c.layout, c.shape, c.type, c.samples);
  Bytes valid;
  if (c.valid_samples > 0) {
    const long long stretches = (c.samples + c.valid_samples - 1) / c.valid_samples;
    valid = random_bytes(stretches * c.shape.inputs(), c.seed + 1);
    for (unsigned char& byte : valid) byte = byte < 200 ? 1 : 0;
    block.valid = valid;
    block.valid_samples = c.valid_samples;
  }
  XEngineState state = plan.start();
  Stream stream(kHost, threads);
  plan.add(state, block, stream);
  plan.add(state, block, stream);
  Sums sums(static_cast<std::size_t>(plan.output().bytes() / 8));
  plan.dump(state, {sums.data()}, stream);
  return sums;
}

Bytes bytes_for(const Case& c) {
  return random_bytes(bytes_of(c.type) * c.samples * c.shape.inputs() * c.shape.channels, c.seed);
}

void expect_exact(const Case& c, const Bytes& bytes) {
  const Sums expected = sums_of(c, "reference", bytes);
  for (const DotKernel* kernel : dot_kernels()) {
    const ForcedIsa forced(kernel->name);
    ASSERT_EQ(&current_dot_kernel(), kernel);
    const Sums actual = sums_of(c, "dot", bytes);
    const auto differ = std::ranges::mismatch(expected, actual);
    EXPECT_EQ(differ.in1, expected.end())
        << kernel->name << ", " << c.text() << ": part " << differ.in1 - expected.begin() << " is "
        << *differ.in2 << ", not " << *differ.in1;
  }
}
void expect_exact(const Case& c) { expect_exact(c, bytes_for(c)); }

// Panels have 8 or 16 inputs, steps 2 samples, those of AMX 32.
TEST(XEngineDot, AnyNumberOfInputs) {
  for (int antennas = 1; antennas <= 70; ++antennas)
    expect_exact({.shape = {antennas, 1, 1}, .samples = antennas * 7 % 97 + 1});
  for (const int polarisations : {2, 3, 4})
    for (const int antennas : {1, 2, 3, 5, 8, 11, 16, 17})
      expect_exact({.shape = {antennas, polarisations, 2}, .samples = 37});
}

TEST(XEngineDot, AnyNumberOfSamples) {
  for (int samples = 1; samples <= 70; ++samples)
    expect_exact({.shape = {9, 2, 1}, .samples = samples});
  for (const int samples : {127, 128, 129, 255, 300, 511, 512, 513, 1025, 1500})
    expect_exact({.shape = {5, 2, 2}, .samples = samples});
}

TEST(XEngineDot, AnyLayout) {
  for (const char* layout : {"tci", "cti", "cit", "act", "tcc", "dp4a"})
    for (const int polarisations : {1, 2, 3})
      for (const int samples : {16, 560})
        for (const bool offset_binary : {false, true})
          expect_exact({.shape = {11, polarisations, 3},
                        .samples = samples,
                        .layout = layout,
                        .offset_binary = offset_binary});
}

TEST(XEngineDot, HalvesOfBytes) {
  for (const char* layout : {"tci", "cti", "cit", "act", "tcc"})
    for (const bool real_low : {false, true})
      for (const bool offset_binary : {false, true})
        expect_exact({.shape = {13, 2, 2},
                      .samples = 96,
                      .layout = layout,
                      .type = SampleType::ci4,
                      .offset_binary = offset_binary,
                      .real_low = real_low});
}

TEST(XEngineDot, StepsThatAreOddAndBackwards) {
  const XEngineShape shape{6, 2, 2};
  const long long samples = 45;
  Case c{.shape = shape, .samples = samples};
  const Bytes bytes = random_bytes(60000, 3);
  for (const VoltageLayout& layout :
       {VoltageLayout{13, 4600, 2, 97, 1, 97, 1}, VoltageLayout{13, 4600, 2, -97, 1, -97, 1},
        VoltageLayout{2, 4, 801, 1700, 5, 8, 3}, VoltageLayout{20000, 2, 12, 24, 7, 171, 1}}) {
    const auto sums = [&](const char* method) {
      const XEngine plan(shape, {.backend = Backend::cpu, .method = method});
      XEngineState state = plan.start();
      plan.add(state, {bytes.data() + 5000, samples, layout}, thread_stream());
      Sums out(static_cast<std::size_t>(plan.output().bytes() / 8));
      plan.dump(state, {out.data()}, thread_stream());
      return out;
    };
    const Sums expected = sums("reference");
    for (const DotKernel* kernel : dot_kernels()) {
      const ForcedIsa forced(kernel->name);
      EXPECT_EQ(sums("dot"), expected) << kernel->name << ", antennas " << layout.antenna;
    }
  }
}

TEST(XEngineDot, InvalidSamplesAreZeros) {
  for (const long long stretch : {1, 7, 32, 1000})
    for (const char* layout : {"tci", "cit", "dp4a"})
      expect_exact(
          {.shape = {9, 2, 2}, .samples = 548, .layout = layout, .valid_samples = stretch});
  expect_exact({.shape = {9, 2, 2},
                .samples = 65,
                .valid_samples = 3,
                .type = SampleType::ci4,
                .offset_binary = true});
}

// Sums that int32 just holds, and more samples than it does: worst cases with either sign.
TEST(XEngineDot, Extremes) {
  constexpr unsigned char kLowest = 0x80, kHighest = 0x7f;
  for (const long long samples : {33LL, 65024LL, 65535LL, 131072LL})
    for (const auto& values :
         {Bytes{kLowest}, Bytes{kHighest}, Bytes{kLowest, kHighest}, Bytes{kHighest, kLowest},
          Bytes{kLowest, kLowest, kHighest, kHighest, kLowest, kHighest}}) {
      const Case c{.shape = {3, 1, 1}, .samples = samples};
      Bytes bytes(static_cast<std::size_t>(2 * 3 * samples));
      for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = values[k % values.size()];
      expect_exact(c, bytes);
    }
}

TEST(XEngineDot, TheSameBitsForAnyThreads) {
  for (const int channels : {1, 3, 8}) {
    const Case c{
        .shape = {37, 2, channels}, .samples = channels == 1 ? 5001 : 600, .layout = "cti"};
    const Bytes bytes = bytes_for(c);
    for (const DotKernel* kernel : dot_kernels()) {
      const ForcedIsa forced(kernel->name);
      const Sums alone = sums_of(c, "dot", bytes);
      for (const int threads : {2, 3, 7}) EXPECT_EQ(sums_of(c, "dot", bytes, threads), alone);
    }
  }
}

TEST(XEngineDot, AKernelThisCpuLacksIsAnError) {
  for (const char* name : {"amx", "avx512-vnni", "neon-i8mm", "neon-dot"})
    if (std::ranges::count(native_byte_isas(), name) == 0)
      expect_error([&] { force_isa(name); }, ErrorKind::usage, name);
}

TEST(XEngineDot, SaysWhatRuns) {
  const XEngine plan({4, 2, 1}, {.backend = Backend::cpu, .method = "dot"});
  EXPECT_NE(plan.describe().find(native_byte_isas().front()), std::string::npos) << plan.describe();
  expect_error(
      [] {
        XEngine({4, 2, 1}, {.samples = SampleType::ci16, .backend = Backend::cpu, .method = "dot"});
      },
      ErrorKind::usage, "ci8 and ci4");
}

}  // namespace
}  // namespace tessera
