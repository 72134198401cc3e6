// SPDX-License-Identifier: Apache-2.0
// NPY, (time, channel, antenna, polarisation[, 2]), and raw files of the same bytes, each with its
// description.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "io/npy/npy_header.hpp"
#include "io/voltages/voltage_collect.hpp"
#include "io/voltages/voltage_description.hpp"

namespace tessera {
namespace {

constexpr long long kPartBytes = 1 << 20;
/// More would not fit in a description.
constexpr std::size_t kMostMissing = 1 << 20;

class PlainVoltageSink : public CollectingSink {
 public:
  PlainVoltageSink(const std::string& path, bool force, bool npy)
      : CollectingSink(path, force), description_(path + ".json", force), npy_(npy) {}

 protected:
  Missing missing() const override { return Missing::exact; }

 protected:
  long long prepare() override;
  void store(const Collected& collected) override;
  void close() override;

 private:
  std::string npy_start(long long samples) const;
  void find_missing(const Collected& collected);
  void end_run(long long end);

  Output description_;
  bool npy_;
  std::vector<MissingSamples> missing_;
  std::vector<unsigned char> mask_;  ///< of the last sample, if some inputs had no data
  long long since_ = 0;              ///< when this mask began
};

// Padded to a length that does not depend on the number of samples.
std::string PlainVoltageSink::npy_start(long long samples) const {
  const XEngineShape& shape = info().shape;
  const char* const descr = info().samples == SampleType::ci4    ? "|u1"
                            : info().samples == SampleType::ci8  ? "|i1"
                            : info().samples == SampleType::ci16 ? "<i2"
                            : info().samples == SampleType::cf16 ? "<f2"
                            : info().real                        ? "<f4"
                                                                 : "<c8";
  const bool parts =
      !info().real && info().samples != SampleType::ci4 && info().samples != SampleType::cf32;
  constexpr int kDigits = 19;
  const std::string count = fmt::format("{}", samples);
  std::string text = fmt::format(
      "{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}, {}, "
      "{}{}), }}",
      descr, count, shape.channels, shape.antennas, shape.polarisations, parts ? ", 2" : "");
  text.append(kDigits - std::min<std::size_t>(kDigits, count.size()), ' ');
  return npy_bytes_of_text(std::move(text));
}

// The first sample of a mask that has gaps begins a run, the first of another one ends it.
void PlainVoltageSink::find_missing(const Collected& collected) {
  const auto inputs = static_cast<std::size_t>(info().shape.inputs());
  for (long long t = 0; t < collected.count; ++t) {
    const std::span<const unsigned char> mask(
        collected.valid + static_cast<std::size_t>(t) * inputs, inputs);
    const bool gaps = std::ranges::find(mask, 0) != mask.end();
    if (std::ranges::equal(mask, mask_) || (!gaps && mask_.empty())) continue;
    end_run(collected.first + t);
    if (!gaps) continue;
    mask_.assign(mask.begin(), mask.end());
    since_ = collected.first + t;
  }
}

void PlainVoltageSink::end_run(long long end) {
  if (mask_.empty()) return;
  MissingSamples run{since_, end - since_, {}};
  for (std::size_t i = 0; i < mask_.size(); ++i)
    if (mask_[i] == 0) run.inputs.push_back(static_cast<int>(i));
  if (run.inputs.size() == mask_.size()) run.inputs.clear();
  missing_.push_back(std::move(run));
  mask_.clear();
  if (missing_.size() > kMostMissing)
    refuse(
        fmt::format("more than {} gaps do not fit in its description; write VDIF", kMostMissing));
}

void PlainVoltageSink::store(const Collected& collected) {
  find_missing(collected);
  append_samples(collected);
}

long long PlainVoltageSink::prepare() {
  if (info().real && info().samples == SampleType::ci4)
    refuse("real samples of 4 bits cannot be written; write ci8");
  if (npy_) {
    const std::string start = npy_start(0);
    append(start.data(), static_cast<long long>(start.size()));
  }
  return std::max(1LL, kPartBytes / order().bytes_a_sample());
}

void PlainVoltageSink::close() {
  end_run(length());
  if (npy_) {
    const std::string start = npy_start(length());
    write_at(0, start.data(), static_cast<long long>(start.size()));
  }
  VoltageInfo stored = info();
  stored.offset_binary = stored.real_low = false;
  const std::string text = voltage_description_text(stored, missing_);
  description_.file().write_all(0, text.data(), static_cast<long long>(text.size()));
  description_.finish();
}

}  // namespace

std::unique_ptr<VoltageSink> create_voltage_npy(const std::string& path, bool force) {
  return std::make_unique<PlainVoltageSink>(path, force, true);
}
std::unique_ptr<VoltageSink> create_voltage_raw(const std::string& path, bool force) {
  return std::make_unique<PlainVoltageSink>(path, force, false);
}

}  // namespace tessera
