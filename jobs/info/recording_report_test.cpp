// SPDX-License-Identifier: Apache-2.0
#include "jobs/info/recording_report.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/files.hpp"
#include "tests/support/recordings.hpp"

namespace tessera {
namespace {

TEST(RecordingReport, SaysWhatTheHeaderSays) {
  const testing::TemporaryFolder folder;
  testing::Voltages made = testing::random_voltages({2, 2, 3}, SampleType::ci8, 1000);
  made.info.tracked = true;
  testing::write_voltages(folder.path("a.raw"), made);
  const RecordingReport report = report_recording(folder.path("a.raw"));
  EXPECT_EQ(report.format, "GUPPI RAW");
  EXPECT_EQ(report.antennas, 2);
  EXPECT_EQ(report.channels, 3);
  EXPECT_NEAR(static_cast<double>(report.about_length), 1000, 80);  // headers count too
  EXPECT_EQ(report.tracked, true);
  EXPECT_FALSE(report.positions);
  EXPECT_NEAR(report.frequency_first.value_or(0), 1.4e9, 1e-3);
  EXPECT_NEAR(report.frequency_last.value_or(0), 1.398e9, 1e-3);
  const std::string text = report.describe();
  for (const char* part :
       {"GUPPI RAW, 2 antennas x 2 polarisations, 3 channels of ci8, about ", "s at 1e+06 Hz)",
        "frequencies: 1400 to 1398 MHz", "start: MJD 60123.528680556 (UTC)", "source: J0000+00",
        "272.655000, -17.743700 degrees (ICRS, J2000), tracked: its delays have been removed",
        "positions of antennas: not known; xengine needs --array for UVFITS", "NANTS: 2"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

// A capture that was stopped, or the beginning of a long one.
TEST(RecordingReport, ABlockThatIsCutIsAWarning) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("a.raw");
  testing::write_voltages(path, testing::random_voltages({2, 2, 3}, SampleType::ci8, 1000));
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  testing::expect_error([&] { open_voltages({path}); }, ErrorKind::input, "and is left out");
  const RecordingReport report = report_recording(path);
  EXPECT_EQ(report.channels, 3);
  EXPECT_NE(report.describe().find("source: J0000+00"), std::string::npos);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("has 23999 of its 24000 bytes"), std::string::npos)
      << report.warnings[0];
  std::filesystem::resize_file(path, 200);
  testing::expect_error([&] { report_recording(path); }, ErrorKind::input, "no END card");
}

TEST(RecordingReport, DescriptionsAreRead) {
  const testing::TemporaryFolder folder;
  testing::Voltages made = testing::random_voltages({2, 1, 1}, SampleType::ci16, 50);
  made.info.frame = RecordedFrame::date;
  made.info.antenna_positions = {{1, 2, 3}, {4, 5, 6}};
  testing::write_voltages(folder.path("a.npy"), made);
  const RecordingReport report = report_recording(folder.path("a.npy"));
  EXPECT_EQ(report.length, 50);
  EXPECT_DOUBLE_EQ(report.seconds.value_or(0), 50e-6);
  EXPECT_TRUE(report.positions);
  const std::string text = report.describe();
  EXPECT_NE(text.find("1 polarisation, 1 channel of ci16, 50 samples"), std::string::npos) << text;
  EXPECT_NE(text.find("(of date), it does not say whether it tracks it"), std::string::npos);
}

}  // namespace
}  // namespace tessera
