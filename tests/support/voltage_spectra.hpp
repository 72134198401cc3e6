// SPDX-License-Identifier: Apache-2.0
/// A recording in memory with a gap, and its spectra in a filter bank of eight channels.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstring>
#include <vector>

#include "jobs/bank/channelised_voltages.hpp"
#include "tests/support/voltage_memory.hpp"

namespace tessera::testing {

using Value = std::complex<float>;

/// Samples [first, end) of all inputs never arrived.
class GapVoltages : public MemoryVoltages {
 public:
  using MemoryVoltages::MemoryVoltages;
  long long gap_first = 0, gap_end = 0;

  VoltageBlock read(long long most) override {
    const long long before = at_ < gap_first ? gap_first - at_ : most;
    const VoltageBlock block = MemoryVoltages::read(std::min(most, before));
    at_ += block.samples;
    return block;
  }
  long long skip_missing(long long most) override {
    if (at_ < gap_first || at_ >= gap_end) return 0;
    const long long missing = std::min(most, gap_end - at_);
    for (long long left = missing; left > 0;) left -= MemoryVoltages::read(left).samples;
    at_ += missing;
    return missing;
  }

 private:
  long long at_ = 0;
};

/// The same samples are masked.
class MaskedGapVoltages : public MemoryVoltages {
 public:
  using MemoryVoltages::MemoryVoltages;
  long long gap_first = 0, gap_end = 0;

  VoltageBlock read(long long most) override {
    VoltageBlock block = MemoryVoltages::read(most);
    const auto inputs = static_cast<std::size_t>(info().shape.inputs());
    mask_.clear();
    for (long long t = at_; t < at_ + block.samples; ++t)
      mask_.resize(mask_.size() + inputs, t < gap_first || t >= gap_end);
    at_ += block.samples;
    block.valid = mask_;
    block.valid_samples = 1;
    return block;
  }

 private:
  std::vector<unsigned char> mask_;
  long long at_ = 0;
};

/// All spectra, [spectrum][channel][input], and a byte for each [spectrum][input].
struct Spectra {
  std::vector<Value> values;
  std::vector<unsigned char> valid;
  long long skipped = 0;
};

inline Value value_at(const VoltageBlock& block, SampleType type, const unsigned char* at) {
  if (type == SampleType::ci8) {
    signed char parts[2] = {static_cast<signed char>(*at),
                            static_cast<signed char>(at[block.layout.imaginary])};
    return {static_cast<float>(parts[0]), static_cast<float>(parts[1])};
  }
  float re = 0, im = 0;
  std::memcpy(&re, at, 4);
  std::memcpy(&im, at + block.layout.imaginary, 4);
  return {re, im};
}

inline Spectra read_spectra(VoltageSource& source, long long most, bool skip = true) {
  const VoltageInfo& info = source.info();
  const int inputs = info.shape.inputs();
  Spectra all;
  for (;;) {
    if (skip) {
      const long long missing = source.skip_missing(most);
      all.skipped += missing;
      all.values.resize(all.values.size() +
                        static_cast<std::size_t>(missing * info.shape.channels * inputs));
      all.valid.resize(all.valid.size() + static_cast<std::size_t>(missing * inputs), 0);
      if (missing > 0) continue;
    }
    const VoltageBlock block = source.read(most);
    if (block.samples == 0) return all;
    EXPECT_LE(block.samples, most);
    const VoltageLayout& l = block.layout;
    for (long long t = 0; t < block.samples; ++t) {
      for (int c = 0; c < info.shape.channels; ++c)
        for (int i = 0; i < inputs; ++i)
          all.values.push_back(value_at(block, info.samples,
                                        static_cast<const unsigned char*>(block.data) +
                                            c * l.channel +
                                            i / info.shape.polarisations * l.antenna +
                                            i % info.shape.polarisations * l.polarisation +
                                            t / l.group * l.group_step + t % l.group * l.time));
      for (int i = 0; i < inputs; ++i)
        all.valid.push_back(
            block.valid.empty() ||
            block.valid[static_cast<std::size_t>(t / block.valid_samples * inputs + i)] != 0);
    }
  }
}

inline constexpr long long kSamples = 500;
inline const XEngineShape kRecorded{2, 2, 2};

inline VoltageInfo recorded_info() {
  VoltageInfo info;
  info.shape = kRecorded;
  info.sample_rate = 1e6;
  info.frequency = {1e9, 1.001e9};
  info.channel_width = 1e6;
  info.set_start(60000, 100);
  return info;
}

inline FilterBank bank_of_eight(SampleType type = SampleType::cf32, const char* oversample = "1") {
  FilterBank bank;
  bank.options.channels = 8;
  bank.options.taps = 4;
  bank.options.oversample = oversample;
  bank.options.output_type = type;
  return bank;
}

}  // namespace tessera::testing
