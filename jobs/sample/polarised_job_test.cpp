// SPDX-License-Identifier: Apache-2.0
#include "jobs/sample/polarised_job.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "jobs/faraday/faraday_lists.hpp"
#include "tests/support/sample_jobs.hpp"
#include "tests/support/short_view.hpp"

namespace tessera {
namespace {

using namespace testing;

class PolarisedJobTest : public ::testing::Test {
 protected:
  PolarisedJob job(const std::string& output) const {
    auto made = small_sky_job<PolarisedJob>(folder_.path(output));
    made.sky = {.channels = 12, .sources = 4, .flags = 0.01, .dead = 1};
    return made;
  }
  long long stored(const std::string& name) const {
    struct stat found {};
    EXPECT_EQ(::stat(folder_.path(name).c_str(), &found), 0) << name;
    return 512LL * found.st_blocks;
  }
  const TemporaryFolder folder_;
};

TEST_F(PolarisedJobTest, WritesTheSkyAndItsTruth) {
  const PolarisedSky sky({90, 70}, 3, job("a.npy").sky);
  for (const std::string ending : {".npy", ".fits"}) {
    if (!can_write(ending)) continue;
    PolarisedJob one = job("sky" + ending);
    one.stokes_i = true;
    one.settings.threads = 3;
    one.settings.memory_limit = {1 << 20};
    const PolarisedResult result = one.run();
    EXPECT_EQ(result.files.size(), 5u);
    expect_sky_files<PolarisedSky, Stokes>(
        folder_, ending, sky, {{"sky_Q", Stokes::q}, {"sky_U", Stokes::u}, {"sky_I", Stokes::i}});
    EXPECT_EQ(read_number_list(folder_.path("sky_freqs.txt")), sky.frequencies());
    for (const char* name : {"sky_freqs.txt", "sky_truth.csv"})
      std::filesystem::remove(folder_.path(name));
  }
}

TEST_F(PolarisedJobTest, TheHeaderHasTheFrequencies) {
  if (!can_write(".fits")) GTEST_SKIP() << "no FITS";
  job("sky.fits").run();
  const FaradayCubeSource cube(folder_.path("sky_Q.fits"), "FREQ", {}, {});
  const std::vector<double> found = header_frequencies(cube),
                            given = read_number_list(folder_.path("sky_freqs.txt"));
  ASSERT_EQ(found.size(), given.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], given[k], 1e-6 * given[k]);
  EXPECT_EQ(cube.header().text("STOKES"), "Q");
}

TEST_F(PolarisedJobTest, SparseCubesHaveTheSameBytesAndTakeLittleDisk) {
  PolarisedJob plain = job("plain.npy");
  plain.sample.size = {2048, 300};
  plain.sky = {.channels = 10, .sources = 3, .noise = 0};
  PolarisedJob sparse = plain;
  sparse.sparse = true;
  sparse.sky.noise = 5;  // not with --sparse
  for (const std::string ending : {".npy", ".fits"}) {
    if (!can_write(ending)) continue;
    plain.output = folder_.path("plain" + ending);
    sparse.output = folder_.path("sparse" + ending);
    plain.writing.force = sparse.writing.force = true;
    plain.run();
    sparse.run();
    const auto bytes = [&](const std::string& name) {
      return std::filesystem::file_size(folder_.path(name + "_Q" + ending));
    };
    EXPECT_EQ(bytes("plain"), bytes("sparse"));
    EXPECT_TRUE(same_samples(testing::short_view(read_image(folder_.path("plain_Q" + ending))),
                             testing::short_view(read_image(folder_.path("sparse_Q" + ending)))));
    // 3 sources of 25 rows and 1 or 2 blocks per row, out of 24 MB.
    EXPECT_LT(stored("sparse_Q" + ending), 10 * 3 * 26 * 2 * 4096 + 65536) << ending;
  }
}

TEST_F(PolarisedJobTest, LeavesNothingBehindWhenItCannotBe) {
  expect_nothing_left(
      folder_, [&](const std::string& output) { return job(output); }, "sky_Q.npy", Type::u8);
}

}  // namespace
}  // namespace tessera
