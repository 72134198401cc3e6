// SPDX-License-Identifier: Apache-2.0
// Catalogues from files: truth of a synthetic sky, strips of any size, formats, headers, bad files.
#include "jobs/sources/sources_job.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "io/formats.hpp"
#include "jobs/sample/sky_job.hpp"
#include "jobs/sources/sources_table.hpp"
#include "jobs/table_files.hpp"
#include "tessera/error.hpp"
#include "tests/support/files.hpp"

namespace tessera::testing {
namespace {

const std::string kAegean = TESSERA_SOURCE_DIR "/tests/data/aegean/1904-66_cut.fits";

class SourcesJobTest : public ::testing::Test {
 protected:
  void make_sky(int width, int height, int sources, double separation) const {
    SkyJob sky;
    sky.output = path("sky.fits");
    sky.sample.size = {width, height};
    sky.sky.sources = sources;
    sky.sky.separation = separation;
    sky.run();
  }
  std::string path(const std::string& name) const { return folder_.path(name); }
  SourcesJob job(const std::string& output) const {
    SourcesJob made;
    made.input = path("sky.fits");
    made.outputs = {path(output)};
    return made;
  }
  static const TableColumn& column(const Table& table, const std::string& name) {
    for (const TableColumn& one : table.columns)
      if (one.name == name) return one;
    throw Error(ErrorKind::usage, "there is no column " + name);
  }

  TemporaryFolder folder_;
};

TEST_F(SourcesJobTest, TheTruthIsFoundWithMapsMadeOnTheWay) {
  make_sky(1024, 768, 100, 50);
  Table found;
  const SourcesResult result = job("cat.csv").run({}, &found);
  EXPECT_EQ(result.sources, found.rows());
  EXPECT_EQ(result.flux_unit, "Jy");
  EXPECT_NEAR(result.noise_pixels, 1, 0.1);
  const Table truth = read_table(path("sky_truth.csv"), {});
  const auto &x = column(found, "x").numbers, &y = column(found, "y").numbers;
  int bright = 0, seen = 0;
  double pulls = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(truth.rows()); ++k) {
    const auto true_value = [&](const char* name) { return column(truth, name).numbers[k]; };
    if (true_value("peak") < 15e-3) continue;  // ten times the largest noise
    ++bright;
    for (std::size_t s = 0; s < x.size(); ++s) {
      if (std::hypot(x[s] - true_value("x"), y[s] - true_value("y")) > 3) continue;
      ++seen;
      pulls += std::pow((column(found, "flux").numbers[s] - true_value("flux")) /
                            column(found, "flux_err").numbers[s],
                        2);
      break;
    }
  }
  EXPECT_GT(bright, 15);
  EXPECT_EQ(seen, bright);
  EXPECT_NEAR(std::sqrt(pulls / seen), 1, 0.45);
  EXPECT_LT(result.sources, 110);
}

TEST_F(SourcesJobTest, StripsOfAnySizeGiveTheSameBytes) {
  make_sky(300, 700, 40, 0);
  for (const NoiseMode mode : {NoiseMode::grid, NoiseMode::exact}) {
    std::string whole;
    for (const std::size_t limit : {std::size_t{0}, std::size_t{3} << 20, std::size_t{8} << 20}) {
      for (const int threads : {1, 3}) {
        SourcesJob one = job("cat.csv");
        one.maps.mode = mode;
        one.maps.box = NoiseBox{32, 32};
        one.force = true;
        one.settings.memory_limit.bytes = limit;
        one.settings.threads = threads;
        one.run();
        const std::string bytes = read_bytes(path("cat.csv"));
        if (whole.empty()) whole = bytes;
        EXPECT_EQ(bytes, whole) << limit << ' ' << threads;
      }
    }
    EXPECT_GT(whole.size(), 3000U);
  }
}

TEST_F(SourcesJobTest, EveryFormatHasTheSameRows) {
  make_sky(200, 200, 8, 40);
  SourcesJob all = job("a.csv");
  for (const char* name : {"a.tsv", "a.fits", "a.vot", "a.reg"}) all.outputs.push_back(path(name));
  all.run();
  const Table csv = read_table(path("a.csv"), {});
  ASSERT_GT(csv.rows(), 3);
  for (const char* name : {"a.tsv", "a.fits", "a.vot"}) {
    const Table other = read_table(path(name), {});
    ASSERT_EQ(other.rows(), csv.rows()) << name;
    for (const char* number : {"ra", "flux", "flux_err", "major", "x"})
      EXPECT_EQ(column(other, number).numbers, column(csv, number).numbers) << name;
  }
  const std::string regions = read_bytes(path("a.reg"));
  EXPECT_NE(regions.find("icrs\nellipse("), std::string::npos);
}

TEST_F(SourcesJobTest, MapsMayBeFilesOrNumbers) {
  make_sky(200, 160, 6, 40);
  SourcesJob given = job("a.csv");
  given.maps.background = path("sky_truth_bkg.fits");
  given.maps.rms = path("sky_truth_rms.fits");
  EXPECT_EQ(given.run().noise_ran, "");
  SourcesJob numbers = job("b.csv");
  numbers.maps.background = "0.002";
  numbers.maps.rms = "1e-3";
  EXPECT_GT(numbers.run().sources, 2);
  SourcesJob one = job("c.csv");
  one.maps.rms = path("sky_truth_rms.fits");
  EXPECT_NE(one.run().noise_ran, "");
}

TEST_F(SourcesJobTest, ImagesWithoutAHeader) {
  make_sky(200, 160, 6, 40);
  const Image image = read_image(path("sky.fits"));
  write_image(path("sky.npy"), image.view());
  SourcesJob plain = job("a.csv");
  plain.input = path("sky.npy");
  plain.outputs.push_back(path("a.reg"));
  Table table;
  const SourcesResult result = plain.run({}, &table);
  EXPECT_EQ(result.flux_unit, "pix");
  EXPECT_TRUE(std::isnan(column(table, "ra").numbers.at(0)));
  EXPECT_NE(read_bytes(path("a.reg")).find("image\nellipse("), std::string::npos);
}

TEST_F(SourcesJobTest, ARealImageWithBlanks) {
  SourcesJob real = job("a.csv");
  real.input = kAegean;
  Table table;
  EXPECT_GT(real.run({}, &table).sources, 5);
  for (const double error : column(table, "flux_err").numbers) EXPECT_GT(error, 0);
}

TEST_F(SourcesJobTest, BadJobsAreRefusedAndWriteNothing) {
  make_sky(64, 48, 2, 0);
  const auto expect_refused = [&](const SourcesJob& bad, const std::string& part) {
    try {
      bad.run();
      ADD_FAILURE() << "not refused: " << part;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
    for (const std::string& output : bad.outputs) EXPECT_FALSE(std::filesystem::exists(output));
  };
  SourcesJob bad = job("a.png");
  expect_refused(bad, "names no format of tables");
  bad = job("a.csv");
  bad.outputs.push_back(path("a.csv"));
  expect_refused(bad, "given twice");
  bad = job("a.csv");
  bad.maps.rms = path("missing.fits");
  expect_refused(bad, "missing.fits");
  bad = job("a.csv");
  bad.maps.background = kAegean;
  expect_refused(bad, "but the image 64x48");
  bad = job("a.csv");
  bad.options.grow = 6;
  expect_refused(bad, "give grow at most the seed");
  bad = job("a.csv");
  bad.maps.passes = 0;
  expect_refused(bad, "passes");
  // Errors of the input, whose reader the operation noise has too.
  bad = job("a.csv");
  bad.choices.slice = NoiseSlice{3, std::nullopt};
  expect_refused(bad, "sources: ");
  expect_refused(bad, "has one plane");
  bad = job("a.csv");
  bad.choices.mask = kAegean;
  expect_refused(bad, "sources: the mask");
  bad.choices.mask = "mask.fits[x]";
  expect_refused(bad, "sources: mask.fits[x] names no HDU");
}

TEST(SourcesShapes, ToTheSkyAndBack) {
  const SkySteps steps[] = {{-1, 0, 0, 1}, {-0.5, 0.2, 0.3, 0.7}, {1, 0, 0, 1}};
  for (const SkySteps& step : steps) {
    const Beam beam{9, 4, 35};
    const Beam back = shape_on_sky(shape_in_pixels(beam, step), step);
    EXPECT_NEAR(back.major, beam.major, 1e-9);
    EXPECT_NEAR(back.minor, beam.minor, 1e-9);
    EXPECT_NEAR(back.angle, beam.angle, 1e-9);
  }
  EXPECT_NEAR(shape_in_pixels({9, 4, 35}, {-1, 0, 0, 1}).angle, 35, 1e-9);
  EXPECT_NEAR(shape_in_pixels({9, 4, 35}, {1, 0, 0, 1}).angle, -35, 1e-9);
}

}  // namespace
}  // namespace tessera::testing
