// SPDX-License-Identifier: Apache-2.0
#include "io/voltages/voltage_collect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "io/voltages/voltage_gather.hpp"

namespace tessera {

void CollectingSink::refuse(const std::string& what) const {
  throw Error(ErrorKind::usage, path_ + ": " + what);
}

void CollectingSink::begin(const VoltageInfo& info) {
  info_ = info;
  order_ = {"TFAP", info.shape, info.samples};
  at_once_ = prepare();
}

void CollectingSink::write(const VoltageBlock& block) {
  const long long bytes = order_.bytes_a_sample(), inputs = info_.shape.inputs();
  samples_.resize(static_cast<std::size_t>((waiting_ + block.samples) * bytes));
  gather_voltages(info_, block, order_.layout(block.samples), samples_.data() + waiting_ * bytes);
  valid_.resize(static_cast<std::size_t>((waiting_ + block.samples) * inputs), 1);
  for (long long t = 0; t < block.samples && !block.valid.empty(); ++t)
    std::copy_n(block.valid.begin() + t / block.valid_samples * inputs, inputs,
                valid_.begin() + (waiting_ + t) * inputs);
  waiting_ += block.samples;
  if (waiting_ >= at_once_) store_some(waiting_ / at_once_ * at_once_);
}

// The rest is moved to the beginning.
void CollectingSink::store_some(long long count) {
  const long long bytes = order_.bytes_a_sample(), inputs = info_.shape.inputs();
  for (long long done = 0; done < count; done += at_once_) {
    const long long part = std::min(at_once_, count - done);
    store({samples_.data() + done * bytes, valid_.data() + done * inputs, stored_, part});
    stored_ += part;
  }
  samples_.erase(samples_.begin(), samples_.begin() + count * bytes);
  valid_.erase(valid_.begin(), valid_.begin() + count * inputs);
  waiting_ -= count;
}

void CollectingSink::finish() {
  if (waiting_ > 0) store_some(waiting_);
  close();
  output_.finish();
}

void CollectingSink::append(const void* bytes, long long count) {
  output_.file().write_all(offset_, bytes, count);
  offset_ += count;
}

void CollectingSink::append_samples(const Collected& collected) {
  const long long bytes = collected.count * order_.bytes_a_sample();
  if (!info_.real) return append(collected.samples, bytes);
  const auto part = static_cast<std::size_t>(bytes_of(info_.samples) / 2);
  real_.resize(static_cast<std::size_t>(bytes) / 2);
  for (std::size_t at = 0; at < real_.size(); at += part)
    std::memcpy(real_.data() + at, collected.samples + 2 * at, part);
  append(real_.data(), bytes / 2);
}

void CollectingSink::write_at(long long offset, const void* bytes, long long count) {
  output_.file().write_all(offset, bytes, count);
}

bool find_band(const std::string& path, const VoltageInfo& info, double& centre, double& width) {
  const std::vector<double>& f = info.frequency;
  const auto count = static_cast<double>(f.size());
  if (f.empty() || (f.size() == 1 && !info.channel_width)) return false;
  const double alone = info.lower_sideband ? -1 : 1;
  const double step =
      f.size() > 1 ? (f.back() - f.front()) / (count - 1) : alone * info.channel_width.value_or(0);
  for (std::size_t c = 0; c < f.size(); ++c)
    if (std::abs(f[c] - f[0] - step * static_cast<double>(c)) > 1e-3 * std::abs(step))
      throw Error(ErrorKind::usage,
                  fmt::format("{}: its {} frequencies are not evenly spaced (number {} is {} Hz); "
                              "write NPY or raw, whose description lists them",
                              path, f.size(), c, f[c]));
  centre = (f.front() + f.back()) / 2;
  width = step * count;
  return true;
}

std::string sexagesimal(double degrees, bool hours) {
  const double value = std::abs(degrees) / (hours ? 15 : 1);
  // In ten thousandths of a second, so that 59.99999 is not written as 60.
  const long long all = std::llround(value * 36000000);
  return fmt::format("{}{:02}:{:02}:{:02}.{:04}",
                     degrees < 0 ? "-"
                     : hours     ? ""
                                 : "+",
                     all / 36000000, all / 600000 % 60, all / 10000 % 60, all % 10000);
}

}  // namespace tessera
