// SPDX-License-Identifier: Apache-2.0
/// A recording in memory, and its correlation by the definition.
#pragma once

#include <algorithm>
#include <complex>
#include <string>
#include <vector>

#include "io/voltages/voltage_file.hpp"

namespace tessera::testing {

/// Noise, of which a part is common to all inputs, in layout tci.
inline std::vector<signed char> noise_voltages(const XEngineShape& shape, long long samples,
                                               unsigned seed = 1) {
  std::vector<signed char> data(
      static_cast<std::size_t>(2 * samples * shape.channels * shape.inputs()));
  unsigned state = seed;
  const auto draw = [&] { return static_cast<int>((state = state * 1664525 + 1013904223) >> 25); };
  auto* at = data.data();
  for (long long n = 0; n < samples * shape.channels; ++n) {
    const int re = draw() - 64, im = draw() - 64;
    for (int i = 0; i < shape.inputs(); ++i) {
      *at++ = static_cast<signed char>((re + draw() - 64) / 2 - i);
      *at++ = static_cast<signed char>((im + draw() - 64) / 2 + 2 * i);
    }
  }
  return data;
}

class MemoryVoltages : public VoltageSource {
 public:
  MemoryVoltages(VoltageInfo info, std::vector<signed char> data)
      : info_(std::move(info)), data_(std::move(data)) {
    info_.format = "memory";
    info_.samples = SampleType::ci8;
    info_.length = length_ = std::ssize(data_) / bytes_a_sample();
  }
  const VoltageInfo& info() const override { return info_; }
  /// A block is gone with the next read: callers may not keep it.
  VoltageBlock read(long long most) override {
    const long long count = std::min({most, most_at_once, length_ - at_});
    const long long step = bytes_a_sample();
    current_.assign(data_.begin() + at_ * step, data_.begin() + (at_ + count) * step);
    VoltageBlock block{current_.data(), count,
                       voltage_layout("tci", info_.shape, SampleType::ci8, count)};
    if (masked_stretch > 0 && count > 0) add_mask(block);
    at_ += count;
    return block;
  }
  bool truncated() const override { return !warning.empty(); }
  std::vector<std::string> warnings() const override {
    return warning.empty() ? std::vector<std::string>{} : std::vector<std::string>{warning};
  }
  /// Other lengths than there is.
  void tell(std::optional<long long> length, long long expected) {
    info_.length = length;
    info_.expected_length = expected;
  }
  /// Whether an input has no data at a time: a pattern that repeats.
  bool is_missing(int input, long long t) const {
    return masked_stretch > 0 && (t / masked_stretch + input) % 3 == 0;
  }

  long long most_at_once = 1000;
  long long masked_stretch = 0;
  std::string warning;

 private:
  long long bytes_a_sample() const { return 2LL * info_.shape.channels * info_.shape.inputs(); }
  void add_mask(VoltageBlock& block) {
    mask_.clear();
    for (long long t = at_; t < at_ + block.samples; ++t)
      for (int i = 0; i < info_.shape.inputs(); ++i) mask_.push_back(!is_missing(i, t));
    block.valid = mask_;
    block.valid_samples = 1;
  }

  VoltageInfo info_;
  std::vector<signed char> data_, current_;
  std::vector<unsigned char> mask_;
  long long at_ = 0, length_ = 0;
};

/// V_ij of samples [first, end) of a channel, by the definition.
inline std::complex<double> expected_visibility(const std::vector<signed char>& data,
                                                const XEngineShape& s, int c, int i, int j,
                                                long long first, long long end) {
  long long re = 0, im = 0;
  for (long long t = first; t < end; ++t) {
    const signed char* row =
        data.data() + 2 * ((t * s.channels + c) * static_cast<long long>(s.inputs()));
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): samples have signs
    const int ar = row[2 * i], ai = row[2 * i + 1], br = row[2 * j], bi = row[2 * j + 1];
    re += ar * br + ai * bi;
    im += ai * br - ar * bi;
  }
  return {static_cast<double>(re), static_cast<double>(im)};
}

}  // namespace tessera::testing
