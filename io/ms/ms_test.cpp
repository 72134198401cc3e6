// SPDX-License-Identifier: Apache-2.0
// Measurement Sets, as far as they can be judged without casacore: what goes into rows, and what
// becomes of folders. python/tests/test_measurement_sets.py reads them.
#include "io/ms/ms.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "io/ms/ms_rows.hpp"
#include "io/plugin.hpp"
#include "tessera/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;

// Two antennas of two polarisations, two channels: [channel][baseline][p of a][p of b], real and
// imaginary parts.
struct SmallIntegration {
  SmallIntegration() {
    for (int k = 0; k < 2 * 3 * 4; ++k) {
      sums.push_back(10 * k);
      sums.push_back(10 * k + 5);
    }
  }
  UvfitsIntegration view(bool with_counts) const {
    return {.values = sums.data(),
            .samples = 10,
            .valid = with_counts ? std::span<const long long>(valid) : std::span<const long long>(),
            .middle = 60000.5,
            .seconds = 0.5,
            .uvw = uvw};
  }
  std::vector<std::int64_t> sums;
  // Baseline (1, 0) lacks the samples of the second polarisation of antenna 1.
  std::vector<long long> valid{10, 10, 10, 10, 5, 5, 0, 0, 10, 10, 10, 10};
  std::vector<std::array<double, 3>> uvw{{0, 0, 0}, {1, 2, 3}, {0, 0, 0}};
};

TEST(MeasurementSetRows, HoldConjugateMeansOfTheLowerAntennaFirst) {
  const SmallIntegration small;
  MsRows rows(2, 2, 2);
  const TesseraMsRows made = rows.make(small.view(true), 0);
  ASSERT_EQ(made.count, 3);
  EXPECT_EQ(made.time, 60000.5 * 86400);
  EXPECT_EQ(made.seconds, 0.5);
  EXPECT_EQ(made.antenna1[1], 0);
  EXPECT_EQ(made.antenna2[1], 1);
  EXPECT_EQ(made.uvw[3 * 1 + 2], 3);
  // Row 1, channel 1. Products XX, XY, YX, YY of antennas 0 and 1; the sums have those of 1 and 0.
  const float* const data = made.data + 2 * (1 * 2 + 1) * 4;
  const int sum_of[] = {12 + 4 + 0, 12 + 4 + 2, 12 + 4 + 1, 12 + 4 + 3};
  for (int k = 0; k < 4; ++k) {
    const bool there = k == 0 || k == 2;  // Y of antenna 1 is the second of XY and YY
    const auto re = static_cast<float>(10 * sum_of[k] / 5.0);
    const auto im = static_cast<float>(-(10 * sum_of[k] + 5) / 5.0);
    EXPECT_EQ(data[2 * k], there ? re : 0) << k;
    EXPECT_EQ(data[2 * k + 1], there ? im : 0) << k;
    EXPECT_EQ(made.weights[4 * 1 + k], there ? 5 : 0) << k;
  }
  const TesseraMsRows whole = rows.make(small.view(false), 0);
  EXPECT_EQ(whole.weights[4 * 1 + 3], 10);
  EXPECT_EQ(whole.data[2 * (1 * 2 + 1) * 4], static_cast<float>(160 / 10.0));
}

TEST(MeasurementSetRows, ComeInPiecesThatJoin) {
  constexpr int kAntennas = 40, kChannels = 1500;
  const std::vector<float> values(2UL * 820 * kChannels, 3.0F);
  MsRows rows(kAntennas, 1, kChannels);
  ASSERT_LT(rows.most(), rows.baselines());
  long long row = 0, pieces = 0;
  while (row < rows.baselines()) {
    const TesseraMsRows made =
        rows.make({.values = values.data(), .type = VisibilityType::f32, .samples = 2}, row);
    ASSERT_GT(made.count, 0);
    ASSERT_LE(made.count, rows.most());
    EXPECT_LE(made.antenna1[0], made.antenna2[0]);
    EXPECT_EQ(made.data[2 * (made.count * kChannels - 1)], 1.5F);
    row += made.count;
    ++pieces;
  }
  EXPECT_EQ(row, 820);
  EXPECT_GT(pieces, 1);
}

TEST(MeasurementSetChannels, AreInOrder) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(in_order({1e9}));
  EXPECT_TRUE(in_order({1, 2, 4}));
  EXPECT_TRUE(in_order({4, 2, 1}));
  for (const std::vector<double>& bad :
       {std::vector<double>{}, {1, 1}, {1, 3, 2}, {kNan}, {1, kNan, 3}})
    EXPECT_FALSE(in_order(bad));
}

class MeasurementSets : public ::testing::Test {
 protected:
  MeasurementSets() { ::setenv("TESSERA_PLUGINS", fs::path(TESSERA_CLI).parent_path().c_str(), 1); }
  ~MeasurementSets() override { ::unsetenv("TESSERA_PLUGINS"); }
  static MsHeader header() {
    return {.frequency = {1e8, 1.1e8},
            .channel_width = 1e7,
            .telescope = "T",
            .antennas = {{"a", {6370e3, 0, 0}}, {"b", {0, 6370e3, 0}}}};
  }
  void expect_refused(const std::string& path, bool force, const MsHeader& with,
                      const std::string& part) const {
    try {
      const MsFile made(path, force, with);
      ADD_FAILURE() << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& one : fs::directory_iterator(folder_.path()))
      found.push_back(one.path().filename());
    return found;
  }
  TemporaryFolder folder_;
};

TEST_F(MeasurementSets, ReplaceNothingElse) {
  const std::string path = folder_.path("a.ms");
  const std::string part = "it exists and is not a Measurement Set; give another name";
  write_bytes(path, "a file");
  expect_refused(path, true, header(), part);
  EXPECT_EQ(read_bytes(path), "a file");
  fs::remove(path);
  fs::create_directory(path);
  write_bytes(path + "/photo.jpg", "x");
  expect_refused(path, true, header(), part);
  write_bytes(path + "/table.info", "Type = Antenna\n");
  expect_refused(path + "/", true, header(), part);
  EXPECT_TRUE(fs::exists(path + "/photo.jpg"));
  write_bytes(path + "/table.info", "Type = Measurement Set\n");
  expect_refused(path, false, header(), "exists; give the option force");
  expect_refused(path, true, header(), "it holds photo.jpg, which is not of a Measurement Set");
  fs::create_symlink(path, folder_.path("link.ms"));
  expect_refused(folder_.path("link.ms"), true, header(), part);
  EXPECT_EQ(names().size(), 2U);
}

TEST_F(MeasurementSets, RefuseDataThatTheyCannotHold) {
  const std::string path = folder_.path("a.ms");
  MsHeader three = header(), mixed = header(), flat = header();
  three.polarisations = 3;
  expect_refused(path, false, three, "names for 1 or 2 polarisations; there are 3");
  mixed.frequency = {1, 3, 2};
  expect_refused(path, false, mixed, "neither ascend nor descend");
  flat.channel_width = std::numeric_limits<double>::quiet_NaN();
  expect_refused(path, false, flat, "give a width above 0");
  EXPECT_TRUE(names().empty());
}

TEST_F(MeasurementSets, AppearWhenTheyAreWhole) {
  if (plugin_library("casacore").empty()) GTEST_SKIP() << "casacore is missing";
  const std::string path = folder_.path("a.ms");
  const SmallIntegration small;
  { MsFile unfinished(path, false, header()); }
  EXPECT_TRUE(names().empty());
  for (const bool force : {false, true}) {
    MsFile file(path, force, header());
    file.write(small.view(true));
    file.prepare();
    EXPECT_EQ(fs::exists(path), force);
    file.finish();
    EXPECT_EQ(names(), std::vector<std::string>{"a.ms"});
    EXPECT_TRUE(fs::exists(path + "/ANTENNA/table.dat"));
    EXPECT_EQ(fs::exists(path + "/table.mark"), false) << "the old one is gone";
    write_bytes(path + "/table.mark", "x");
  }
}

// The hidden folder goes away while the process that writes has files open in it.
TEST_F(MeasurementSets, ThatLoseTheirFolderFail) {
  if (plugin_library("casacore").empty()) GTEST_SKIP() << "casacore is missing";
  const SmallIntegration small;
  MsFile file(folder_.path("a.ms"), false, header());
  for (const std::string& name : names()) fs::remove_all(folder_.path(name));
  const auto finish = [&] {
    file.write(small.view(false));
    file.prepare();
  };
  EXPECT_THROW(finish(), Error);
}

}  // namespace
}  // namespace tessera::testing
