// SPDX-License-Identifier: Apache-2.0
// NPY, (time, channel, antenna, polarisation[, 2]), and raw files of the same bytes, each with its
// description.
#include <fmt/format.h>

#include <algorithm>

#include "io/npy/npy_header.hpp"
#include "io/voltages/voltage_collect.hpp"
#include "io/voltages/voltage_description.hpp"

namespace tessera {
namespace {

constexpr long long kPartBytes = 1 << 20;

class PlainVoltageSink : public CollectingSink {
 public:
  PlainVoltageSink(const std::string& path, bool force, bool npy)
      : CollectingSink(path, force), description_(path + ".json", force), npy_(npy) {}

 protected:
  long long prepare() override;
  void store(const Collected& collected) override {
    append(collected.samples, collected.count * order().bytes_a_sample());
  }
  void close() override;

 private:
  std::string npy_start(long long samples) const;

  Output description_;
  bool npy_;
};

// Padded to a length that does not depend on the number of samples.
std::string PlainVoltageSink::npy_start(long long samples) const {
  const XEngineShape& shape = info().shape;
  const char* const descr = info().samples == SampleType::ci4    ? "|u1"
                            : info().samples == SampleType::ci8  ? "|i1"
                            : info().samples == SampleType::ci16 ? "<i2"
                            : info().samples == SampleType::cf16 ? "<f2"
                                                                 : "<c8";
  const bool parts = info().samples != SampleType::ci4 && info().samples != SampleType::cf32;
  constexpr int kDigits = 19;
  const std::string count = fmt::format("{}", samples);
  std::string text = fmt::format(
      "{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}, {}, "
      "{}{}), }}",
      descr, count, shape.channels, shape.antennas, shape.polarisations, parts ? ", 2" : "");
  text.append(kDigits - std::min<std::size_t>(kDigits, count.size()), ' ');
  return npy_bytes_of_text(std::move(text));
}

long long PlainVoltageSink::prepare() {
  if (npy_) {
    const std::string start = npy_start(0);
    append(start.data(), static_cast<long long>(start.size()));
  }
  return std::max(1LL, kPartBytes / order().bytes_a_sample());
}

void PlainVoltageSink::close() {
  if (npy_) {
    const std::string start = npy_start(length());
    write_at(0, start.data(), static_cast<long long>(start.size()));
  }
  VoltageInfo stored = info();
  stored.offset_binary = stored.real_low = false;
  const std::string text = voltage_description_text(stored);
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
