// SPDX-License-Identifier: Apache-2.0
/// Recordings for tests: samples that tell their place, and files of them.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "io/voltages/voltage_file.hpp"
#include "io/voltages/voltage_gather.hpp"
#include "io/voltages/voltage_order.hpp"
#include "io/voltages/voltage_write.hpp"

namespace tessera::testing {

/// Random samples, [time][channel][antenna][pol].
struct Voltages {
  VoltageInfo info;
  long long samples = 0;
  std::vector<unsigned char> bytes;

  VoltageOrder order() const { return {"TFAP", info.shape, info.samples}; }
  VoltageBlock block(long long first, long long count) const {
    return {bytes.data() + first * order().bytes_a_sample(), count, order().layout(count)};
  }
};

inline Voltages random_voltages(const XEngineShape& shape, SampleType type, long long samples,
                                unsigned seed = 1) {
  Voltages made;
  made.info.shape = shape;
  made.info.samples = type;
  made.info.sample_rate = 1e6;
  for (int c = 0; c < shape.channels; ++c) made.info.frequency.push_back(1.4e9 - 1e6 * c);
  made.info.channel_width = 1e6;
  made.info.set_start(60123, 45678);
  made.info.telescope = "Here";
  made.info.source = "J0000+00";
  made.info.right_ascension = 272.655;
  made.info.declination = -17.7437;
  made.samples = samples;
  std::mt19937 random(seed);
  made.bytes.resize(static_cast<std::size_t>(samples * made.order().bytes_a_sample()));
  for (unsigned char& byte : made.bytes) byte = static_cast<unsigned char>(random() >> 24);
  if (type == SampleType::cf32)  // no signalling NaNs
    for (std::size_t i = 3; i < made.bytes.size(); i += 4) made.bytes[i] = 0x40;
  return made;
}

/// In blocks of odd lengths.
inline void write_voltages(const std::string& path, const Voltages& voltages,
                           const std::string& format = "auto") {
  const auto sink = create_voltages(path, format, true);
  sink->begin(voltages.info);
  for (long long first = 0, count = 1; first < voltages.samples; first += count, count = 2 * count)
    sink->write(voltages.block(first, count = std::min(count, voltages.samples - first)));
  sink->finish();
}

/// All that is there, and a byte for [time][input] that is valid.
struct ReadVoltages {
  Voltages voltages;
  std::vector<unsigned char> valid;
  bool truncated = false;
  std::vector<std::string> warnings;
};

inline ReadVoltages read_voltages(const std::vector<std::string>& files, long long most = 1000,
                                  const VoltageOptions& options = {}) {
  const auto source = open_voltages(files, options);
  ReadVoltages read;
  read.voltages.info = source->info();
  const long long bytes = read.voltages.order().bytes_a_sample(),
                  inputs = source->info().shape.inputs();
  for (;;) {
    const VoltageBlock block = source->read(most);
    if (block.samples == 0) break;
    EXPECT_LE(block.samples, most);
    auto& all = read.voltages.bytes;
    all.resize(all.size() + static_cast<std::size_t>(block.samples * bytes));
    gather_voltages(source->info(), block, read.voltages.order().layout(block.samples),
                    all.data() + read.voltages.samples * bytes);
    for (long long t = 0; t < block.samples; ++t)
      for (long long i = 0; i < inputs; ++i)
        read.valid.push_back(
            block.valid.empty() ||
            block.valid[static_cast<std::size_t>(t / block.valid_samples * inputs + i)] != 0);
    read.voltages.samples += block.samples;
  }
  read.truncated = source->truncated();
  read.warnings = source->warnings();
  return read;
}

}  // namespace tessera::testing
