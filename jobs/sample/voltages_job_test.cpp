// SPDX-License-Identifier: Apache-2.0
#include "jobs/sample/voltages_job.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "io/output.hpp"
#include "io/voltages/voltage_file.hpp"
#include "tests/support/files.hpp"

namespace tessera {
namespace {

using namespace testing;

class VoltagesJobTest : public ::testing::Test {
 protected:
  VoltagesJob job(const std::string& output) const {
    VoltagesJob made;
    made.output = folder_.path(output);
    made.seed = 3;
    made.voltages = {.antennas = 5, .channels = 4, .samples = 1000};
    return made;
  }
  std::string text(const std::string& name) const {
    std::ifstream file(folder_.path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  const TemporaryFolder folder_;
};

/// Sums of a recording over time, [channel][triangle], by the reference.
std::vector<double> sums_of(const std::string& path, long long& samples) {
  VoltageOptions options;
  if (path.ends_with(".vdif")) options.polarisations = 2;  // its threads are not part of the test
  const auto source = open_voltages({path}, options);
  const VoltageInfo& info = source->info();
  const XEngine plan(info.shape, {.samples = info.samples,
                                  .offset_binary = info.offset_binary,
                                  .real_low = info.real_low,
                                  .output_type = VisibilityType::f64,
                                  .method = "reference"});
  std::vector<double> sums(
      static_cast<std::size_t>(2 * plan.output().values * info.shape.channels));
  Stream stream;
  XEngineState state = plan.start();
  for (VoltageBlock block = source->read(300); block.samples > 0; block = source->read(300))
    plan.add(state, block, stream);
  samples = plan.dump(state, {sums.data()}, stream).samples;
  return sums;
}

// Every format gives back sums that are the model's within the noise.
TEST_F(VoltagesJobTest, RecordingsCorrelateToTheModel) {
  for (const char* name : {"a.npy", "b.bin", "c.raw", "d.dada", "e.vdif"}) {
    const VoltagesJob one = job(name);
    const VoltagesResult result = one.run();
    const VoltageMaker made(one.voltages, 3);
    long long samples = 0;
    const std::vector<double> sums = sums_of(one.output, samples);
    EXPECT_GE(samples, 1000) << name;
    const std::string model = voltages_model(made);
    EXPECT_EQ(text(std::filesystem::path(result.files[2]).filename().string()), model);
    std::vector<double> expected(sums.size());
    std::memcpy(expected.data(), model.data() + model.size() - 8 * sums.size(), 8 * sums.size());
    // Powers are about twice the squared rms: the largest is on the diagonal.
    const double power = *std::max_element(expected.begin(), expected.end());
    for (std::size_t k = 0; k < sums.size(); ++k)
      ASSERT_NEAR(sums[k] / 1000, expected[k], 6 * power / std::sqrt(1000.0)) << name << " " << k;
  }
}

TEST_F(VoltagesJobTest, TheDescriptionAndTheTruthHaveThePlaces) {
  const VoltagesJob one = job("a.npy");
  one.run();
  const VoltageMaker made(one.voltages, 3);
  const auto source = open_voltages({one.output});
  const VoltageInfo& info = source->info();
  EXPECT_EQ(info.shape, made.shape());
  EXPECT_EQ(info.sample_rate, 100e3);
  ASSERT_EQ(info.antenna_positions.size(), 5u);
  EXPECT_EQ(info.antenna_positions[4][1], made.antennas()[4].place.y);
  EXPECT_EQ(info.frequency, (std::vector{150e6, 150.1e6, 150.2e6, 150.3e6}));
  const auto truth = nlohmann::json::parse(text("a_truth.json"));
  EXPECT_EQ(truth["sources"].size(), 3u);
  EXPECT_EQ(truth["sources"][2]["delays"][4], made.delay(2, 4));
  EXPECT_EQ(truth["antennas"][1]["name"], "A1");
  // The recording has the place of ICRS: 23 years of precession away from that of date.
  EXPECT_EQ(info.tracked, false);
  EXPECT_EQ(info.right_ascension, truth["right_ascension_icrs"].get<double>());
  const double moved = truth["right_ascension"].get<double>() - *info.right_ascension;
  EXPECT_NEAR(moved, 0.3, 0.1);
  const SkyPlace date =
      EarthAt(60000).of_date({*info.right_ascension, info.declination.value_or(0)});
  EXPECT_NEAR(date.right_ascension, truth["right_ascension"].get<double>(), 0.01);  // nutation
  const std::string lines = text("a_antennas.txt");
  EXPECT_EQ(std::ranges::count(lines, '\n'), 6);
  EXPECT_NE(lines.find("\nA4 "), std::string::npos);
  EXPECT_EQ(truth["saturated"], 0);
}

TEST_F(VoltagesJobTest, ArraysAndSkiesComeFromFiles) {
  VoltagesJob one = job("a.npy");
  one.array = folder_.path("array.txt");
  one.sky = folder_.path("sky.txt");
  write_text(one.array,
             "# mine\neast -2559454 5095372 -2849057\n\nwest -2559400 5095372 -2849057 # low\n",
             false);
  write_text(one.sky, "azel 90 30 2\nlm 0 0.1 3 1 0 -0.5\nradec 10 -26.7 1\n", false);
  one.run();
  const auto truth = nlohmann::json::parse(text("a_truth.json"));
  EXPECT_EQ(truth["antennas"][1]["name"], "west");
  EXPECT_NEAR(truth["sources"][1]["m"].get<double>(), 0.1, 1e-12);
  EXPECT_EQ(truth["sources"][1]["stokes"], (std::vector{3.0, 1.0, 0.0, -0.5}));
  EXPECT_NEAR(truth["sources"][2]["right_ascension"].get<double>(), 10, 1e-9);
  EXPECT_EQ(open_voltages({one.output})->info().shape.antennas, 2);
}

TEST_F(VoltagesJobTest, BadFilesAndOutputsLeaveNothing) {
  const auto refused = [&](const char* array, const char* sky, const char* part) {
    VoltagesJob one = job("bad.npy");
    write_text(one.array = folder_.path("array.txt"), array, true);
    write_text(one.sky = folder_.path("sky.txt"), sky, true);
    expect_error([&] { one.run(); }, ErrorKind::input, part);
  };
  refused("1 2\n", "lm 0 0 1\n", "line 1: it has 2 words; write NAME X Y Z");
  refused("a 1 2 z\n", "lm 0 0 1\n", "line 1");
  refused("# none\n", "lm 0 0 1\n", "it is empty");
  refused("1 2 3\n", "lm 0 0\n", "it has 3 words");
  refused("1 2 3\n", "\nxy 0 0 1\n", "line 2: 'xy' is not a kind of direction");
  refused("1 2 3\n", "lm 0.9 0.9 1\n", "beyond the horizon");
  refused("1 2 nan\n", "lm 0 0 1\n", "finite");
  expect_error([&] { job("a.png").run(); }, ErrorKind::usage,
               "its extension is not one of a recording");
  expect_error(
      [&] {
        job("a.dada").run([](long long, long long) { throw Error(ErrorKind::failure, "stopped"); });
      },
      ErrorKind::failure, "stopped");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("bad.npy")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("a.dada")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("a_truth.json")));
  job("b.npy").run();
  expect_error([&] { job("b.npy").run(); }, ErrorKind::usage, "exists");
}

}  // namespace
}  // namespace tessera
