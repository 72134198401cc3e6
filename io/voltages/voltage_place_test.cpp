// SPDX-License-Identifier: Apache-2.0
// The place that a recording observed: its frame, and whether it was tracked.
#include <gtest/gtest.h>

#include "io/voltages/voltage_description.hpp"
#include "tests/support/files.hpp"
#include "tests/support/recordings.hpp"

namespace tessera {
namespace {

using testing::expect_error;
using testing::read_bytes;
using testing::TemporaryFolder;

TEST(VoltagePlace, FramesAndTrackingAreKept) {
  const TemporaryFolder folder;
  for (const char* const name : {"a.raw", "a.dada", "a.npy", "a.bin"})
    for (const RecordedFrame frame : {RecordedFrame::icrs, RecordedFrame::date})
      for (const auto& tracked :
           {std::optional<bool>(), std::optional<bool>(true), std::optional<bool>(false)}) {
        SCOPED_TRACE(name);
        testing::Voltages made = testing::random_voltages({2, 2, 3}, SampleType::ci8, 10);
        made.info.frame = frame;
        made.info.tracked = tracked;
        testing::write_voltages(folder.path(name), made);
        const VoltageInfo info = open_voltages({folder.path(name)})->info();
        EXPECT_EQ(info.frame, frame);
        EXPECT_EQ(info.tracked, tracked);
        EXPECT_NEAR(info.right_ascension.value_or(0), 272.655, 1e-6);
      }
}

/// A GUPPI RAW of ours with another card instead of TRACKED.
VoltageInfo with_card(const TemporaryFolder& folder, const std::string& card) {
  testing::Voltages made = testing::random_voltages({2, 2, 3}, SampleType::ci8, 10);
  made.info.tracked = true;
  testing::write_voltages(folder.path("a.raw"), made);
  std::string bytes = read_bytes(folder.path("a.raw"));
  std::string padded = card;
  padded.resize(80, ' ');
  bytes.replace(bytes.find("TRACKED ="), 80, padded);
  testing::write_bytes(folder.path("b.raw"), bytes);
  return open_voltages({folder.path("b.raw")})->info();
}

TEST(VoltagePlace, OtherFramesAreNotTakenForJ2000) {
  const TemporaryFolder folder;
  EXPECT_TRUE(with_card(folder, "RADESYS = 'FK5     '").right_ascension);
  EXPECT_FALSE(with_card(folder, "RADESYS = 'FK4     '").right_ascension);
  EXPECT_FALSE(with_card(folder, "RADESYS = 'GALACTIC'").declination);
  EXPECT_EQ(with_card(folder, "TRACKED = 'NO'").tracked, false);
  expect_error([&] { with_card(folder, "TRACKED = 'maybe'"); }, ErrorKind::input,
               "TRACKED is 'maybe'; it must be T or F");
}

TEST(VoltagePlace, DescriptionsNameTheirFrame) {
  const auto described = [](const std::string& more) {
    return parse_voltage_description(
               "d.json", R"({"antennas": 1, "polarisations": 1, "channels": 1, )" + more + "}")
        .info;
  };
  EXPECT_EQ(described(R"("frame": "j2000")").frame, RecordedFrame::icrs);
  EXPECT_EQ(described(R"("frame": "date", "tracked": true)").frame, RecordedFrame::date);
  EXPECT_EQ(described(R"("tracked": false)").tracked, false);
  EXPECT_EQ(described(R"("tracked": null)").tracked, std::nullopt);
  expect_error([&] { described(R"("frame": "b1950")"); }, ErrorKind::input,
               "it must be icrs, j2000 or date");
  expect_error([&] { described(R"("tracked": "yes")"); }, ErrorKind::input,
               "it must be true or false");
}

TEST(VoltagePlace, RecordingsAreKnownFromImages) {
  const TemporaryFolder folder;
  const testing::Voltages made = testing::random_voltages({2, 2, 4}, SampleType::ci8, 100);
  for (const char* const name : {"a.raw", "a.dada", "a.npy", "a.bin", "a.vdif"}) {
    testing::write_voltages(folder.path(name), made);
    EXPECT_TRUE(is_recording(folder.path(name))) << name;
  }
  std::filesystem::remove(folder.path("a.npy.json"));
  EXPECT_FALSE(is_recording(folder.path("a.npy")));  // an array
  testing::write_bytes(folder.path("a.npy.json"), R"({"pixels": "of an image"})");
  EXPECT_FALSE(is_recording(folder.path("a.npy")));
  testing::write_bytes(folder.path("empty.vdif"), "");
  EXPECT_FALSE(is_recording(folder.path("empty.vdif")));
  EXPECT_FALSE(is_recording(folder.path("none.raw")));
  EXPECT_FALSE(is_recording(folder.path()));
  EXPECT_FALSE(is_recording("-"));
}

}  // namespace
}  // namespace tessera
