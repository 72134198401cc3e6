// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/track/xengine_window.hpp"

#include <algorithm>
#include <cstring>

#include "core/parallel.hpp"
#include "ops/xengine/cpu/xengine_host.hpp"
#include "ops/xengine/cpu/xengine_samples.hpp"
#include "ops/xengine/track/xengine_track.hpp"

namespace tessera {

FringeWindow::FringeWindow(const FringeSetup& setup, int threads)
    : setup_(setup), threads_(threads) {}

void FringeWindow::restart(long long first) {
  first_ = keep_from_ = first;
  length_ = 0;
  missing_ = false;
}

const float* FringeWindow::re(int channel, int input, long long sample) const {
  const long long row = 2LL * (1LL * channel * setup_.shape.inputs() + input);
  return values_.data() + row * capacity_ + (sample - first_);
}

const float* FringeWindow::im(int channel, int input, long long sample) const {
  return re(channel, input, sample) + capacity_;
}

const unsigned char* FringeWindow::valid(int input, long long sample) const {
  return missing_ ? valid_.data() + input * capacity_ + (sample - first_) : nullptr;
}

// Rows move to the front; a row that is too short makes all of them longer.
long long FringeWindow::grow(long long samples) {
  const long long dropped = std::clamp(keep_from_ - first_, 0LL, length_), kept = length_ - dropped;
  const long long needed = kept + samples + kFringeSlack, old = capacity_;
  const long long rows = 2LL * setup_.shape.channels * setup_.shape.inputs();
  if (needed > old) {
    std::vector<float> values(static_cast<std::size_t>(rows * needed));
    for (long long row = 0; row < rows; ++row)
      std::copy_n(values_.data() + row * old + dropped, kept, values.data() + row * needed);
    values_.swap(values);
    std::vector<unsigned char> valid(static_cast<std::size_t>(setup_.shape.inputs() * needed));
    for (int i = 0; i < setup_.shape.inputs(); ++i)
      std::copy_n(valid_.data() + i * old + dropped, kept, valid.data() + i * needed);
    valid_.swap(valid);
    capacity_ = needed;
  } else if (dropped > 0) {
    for (long long row = 0; row < rows; ++row)
      std::memmove(values_.data() + row * old, values_.data() + row * old + dropped,
                   sizeof(float) * static_cast<std::size_t>(kept));
    for (int i = 0; i < setup_.shape.inputs(); ++i)
      std::memmove(valid_.data() + i * old, valid_.data() + i * old + dropped,
                   static_cast<std::size_t>(kept));
  }
  first_ += dropped;
  length_ = kept + samples;
  if (missing_ && missing_end_ <= first_) missing_ = false;
  return kept;
}

void FringeWindow::append_missing(long long samples) {
  if (samples < 1) return;
  const long long at = grow(samples);
  const long long rows = 2LL * setup_.shape.channels * setup_.shape.inputs();
  for (long long row = 0; row < rows; ++row)
    std::fill_n(values_.data() + row * capacity_ + at, samples, 0.0F);
  for (int i = 0; i < setup_.shape.inputs(); ++i)
    std::fill_n(valid_.data() + i * capacity_ + at, samples, static_cast<unsigned char>(0));
  missing_ = true;
  missing_end_ = end();
}

void FringeWindow::append(const VoltageBlock& block) {
  if (block.samples < 1) return;
  const long long at = grow(block.samples);
  const int inputs = setup_.shape.inputs();
  for (int i = 0; i < inputs; ++i)
    for (long long t = 0; t < block.samples; ++t)
      valid_[static_cast<std::size_t>(i * capacity_ + at + t)] = is_valid(block, inputs, i, t);
  if (std::ranges::find(block.valid, 0) != block.valid.end()) {
    missing_ = true;
    missing_end_ = end();
  }
  const XEngineOptions options{.samples = setup_.samples,
                               .offset_binary = setup_.offset_binary,
                               .real_low = setup_.real_low};
  parallel_for(setup_.shape.channels, threads_, [&](int channel) {
    with_reader(options, block.layout, [&](const auto& read) {
      for (int i = 0; i < inputs; ++i) {
        float* const to = values_.data() + 2LL * (1LL * channel * inputs + i) * capacity_ + at;
        const int p = setup_.shape.polarisations;
        for (long long t = 0; t < block.samples; ++t) {
          const bool there = valid_[static_cast<std::size_t>(i * capacity_ + at + t)] != 0;
          const auto sample = read(sample_address(block, channel, i / p, i % p, t));
          to[t] = there ? static_cast<float>(sample.re) : 0;
          to[capacity_ + t] = there ? static_cast<float>(sample.im) : 0;
        }
      }
    });
  });
}

}  // namespace tessera
