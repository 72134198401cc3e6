// SPDX-License-Identifier: Apache-2.0
// Names of layouts mean the same in descriptions of files as in the X-engine.
#include <gtest/gtest.h>

#include "io/voltages/voltage_description.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char* kNames[] = {"tci", "cti", "cit", "act", "tcc", "dp4a"};
constexpr long long kSamples = 96;

VoltageDescription described(const std::string& layout, const XEngineShape& shape,
                             const std::string& type) {
  const auto number = [](int value) { return std::to_string(value); };
  return parse_voltage_description(
      "a.json", "{\"antennas\": " + number(shape.antennas) + ", \"polarisations\": " +
                    number(shape.polarisations) + ", \"channels\": " + number(shape.channels) +
                    ", \"samples\": \"" + type + "\", \"layout\": \"" + layout + "\"}");
}

long long place(const VoltageLayout& l, int c, int a, int p, long long t) {
  return c * l.channel + a * l.antenna + p * l.polarisation + t / l.group * l.group_step +
         t % l.group * l.time;
}

void expect_same_places(const XEngineShape& shape, const VoltageLayout& file,
                        const VoltageLayout& ours) {
  EXPECT_EQ(file.imaginary, ours.imaginary);
  for (int c = 0; c < shape.channels; ++c)
    for (int a = 0; a < shape.antennas; ++a)
      for (int p = 0; p < shape.polarisations; ++p)
        for (long long t = 0; t < kSamples; ++t)
          ASSERT_EQ(place(file, c, a, p, t), place(ours, c, a, p, t))
              << "channel " << c << ", antenna " << a << ", polarisation " << p << ", sample " << t;
}

/// Layouts that a type cannot have: tcc has no parts of 32 bits, dp4a has bytes.
bool is_possible(const std::string& layout, SampleType type) {
  return !(layout == "tcc" && type == SampleType::cf32) &&
         !(layout == "dp4a" && type != SampleType::ci8);
}

TEST(VoltageLayouts, DescriptionsMeanThePlacesOfTheXEngine) {
  for (const char* layout : kNames)
    for (const auto& [name, type] : Names<SampleType>::list)
      for (const XEngineShape shape : {XEngineShape{3, 2, 5}, {1, 1, 1}, {4, 1, 2}, {1, 2, 7}}) {
        if (!is_possible(layout, type)) continue;
        SCOPED_TRACE(::testing::Message() << layout << " " << name << " " << shape.antennas);
        const VoltageDescription file = described(layout, shape, std::string(name));
        EXPECT_EQ(file.order.type, type);
        expect_same_places(shape, file.order.layout(kSamples),
                           voltage_layout(layout, shape, type, kSamples));
      }
}

TEST(VoltageLayouts, BothRefuseDp4aOfOtherTypes) {
  const XEngineShape shape{3, 2, 5};
  for (const auto& [name, type] : Names<SampleType>::list) {
    if (type == SampleType::ci8) continue;
    EXPECT_THROW(described("dp4a", shape, std::string(name)), Error) << name;
    EXPECT_THROW(voltage_layout("dp4a", shape, type, kSamples), Error) << name;
  }
}

}  // namespace
}  // namespace tessera
