// SPDX-License-Identifier: Apache-2.0
// Reading some of the channels: their bytes are those of a whole read, and others stay unread where
// the order allows it.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "io/voltages/voltage_order.hpp"
#include "tests/support/files.hpp"

namespace tessera::testing {
namespace {

constexpr XEngineShape kShape{1024, 2, 6};
constexpr long long kSamples = 24;
constexpr int kFirst = 2, kCount = 3;

/// No byte is 0, as unread ones are.
std::vector<unsigned char> recording() {
  std::vector<unsigned char> bytes(static_cast<std::size_t>(2 * kShape.inputs()) * kShape.channels *
                                   kSamples);
  for (std::size_t k = 0; k < bytes.size(); ++k)
    bytes[k] = static_cast<unsigned char>(1 + k * 2654435761U % 255);
  return bytes;
}

struct Order {
  const char* axes;
  int heap;
  bool leaves_out;  ///< reading some channels does not read the others
};

TEST(VoltageChannels, WantedOnesAreReadAndOthersLeftOut) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.raw");
  const std::vector<unsigned char> bytes = recording();
  write_bytes(path, std::string(bytes.begin(), bytes.end()));
  for (const Order& order : {Order{"TFAP", 1, true},
                             {"FTAP", 1, true},
                             {"FAPT", 1, true},
                             {"AFTP", 1, true},
                             {"FTAPT", 4, true},
                             {"TFAPCT", 4, true},
                             {"TAFP", 1, false},
                             {"TAPF", 1, false}}) {
    SCOPED_TRACE(order.axes);
    OrderedVoltages all(
        VoltageOrder{order.axes, kShape, SampleType::ci8, false, false, order.heap});
    OrderedVoltages some = all;
    some.want_channels(kFirst, kCount);
    VoltageInput input(path);
    for (OrderedVoltages* const each : {&all, &some}) each->set_place(0, kSamples);
    for (long long at = 0; at < kSamples;) {
      const VoltageBlock whole = all.read(input, at, 9), part = some.read(input, at, 9);
      ASSERT_EQ(part.samples, whole.samples);
      const VoltageLayout& l = whole.layout;
      for (int c = 0; c < kShape.channels; ++c) {
        const bool wanted = c >= kFirst && c < kFirst + kCount;
        if (!wanted && at > 0) continue;  // bytes of the block before may lie there
        for (int a : {0, 1, 777, 1023})
          for (long long t = 0; t < whole.samples; ++t) {
            const long long place = c * l.channel + a * l.antenna + l.polarisation +
                                    t / l.group * l.group_step + t % l.group * l.time + l.imaginary;
            const auto byte_of = [&](const VoltageBlock& block) {
              return static_cast<const unsigned char*>(block.data)[place];
            };
            EXPECT_EQ(byte_of(part), wanted || !order.leaves_out ? byte_of(whole) : 0)
                << "channel " << c << ", antenna " << a << ", sample " << t;
          }
      }
      at += whole.samples;
    }
  }
}

}  // namespace
}  // namespace tessera::testing
