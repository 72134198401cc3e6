// SPDX-License-Identifier: Apache-2.0
#include "jobs/sample/sky_job.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/formats.hpp"
#include "io/header_cards.hpp"
#include "tests/support/sample_jobs.hpp"

namespace tessera {
namespace {

using namespace testing;

class SkyJobTest : public ::testing::Test {
 protected:
  SkyJob job(const std::string& output) const {
    auto made = small_sky_job<SkyJob>(folder_.path(output));
    made.sky = {.sources = 4, .beam_angle = 20, .holes = 1, .hole_size = 10};
    return made;
  }
  const TemporaryFolder folder_;
};

TEST_F(SkyJobTest, WritesTheSkyAndItsTruth) {
  const Sky sky({90, 70}, 3, job("a.npy").sky);
  for (const std::string ending : {".npy", ".fits"}) {
    if (!can_write(ending)) continue;
    SkyJob one = job("sky" + ending);
    one.settings.threads = 3;
    one.settings.memory_limit = {1 << 15};
    const SkyResult result = one.run();
    EXPECT_EQ(result.files.size(), 4u);
    EXPECT_EQ(result.sources, 4);
    expect_sky_files<Sky, SkyMap>(folder_, ending, sky,
                                  {{"sky", SkyMap::image},
                                   {"sky_truth_bkg", SkyMap::background},
                                   {"sky_truth_rms", SkyMap::sigma}});
    std::filesystem::remove(folder_.path("sky_truth.csv"));
  }
}

TEST_F(SkyJobTest, TheHeaderHasTheBeamAndThePlace) {
  if (!can_write(".fits")) GTEST_SKIP() << "no FITS";
  job("sky.fits").run();
  for (const char* name : {"sky.fits", "sky_truth_bkg.fits", "sky_truth_rms.fits"}) {
    const HeaderCards header(open_image(folder_.path(name))->header());
    EXPECT_EQ(header.text("BUNIT"), "Jy/beam");
    EXPECT_NEAR(header.number("BMAJ").value(), 5.0 / 3600, 1e-12);
    EXPECT_NEAR(header.number("BMIN").value(), 4.0 / 3600, 1e-12);
    EXPECT_EQ(header.number("BPA"), 20);
    EXPECT_EQ(header.text("CTYPE1"), "RA---SIN");
    EXPECT_EQ(header.text("CTYPE2"), "DEC--SIN");
    EXPECT_NEAR(header.number("CDELT1").value(), -1.0 / 3600, 1e-12);
    EXPECT_EQ(header.number("CRPIX1"), 46);
    EXPECT_EQ(header.number("CRPIX2"), 36);
  }
}

TEST_F(SkyJobTest, SaysWhatItMade) {
  const SkyResult result = job("sky.npy").run();
  EXPECT_NE(result.describe().find("4 sources in 90x70 f32"), std::string::npos)
      << result.describe();
  EXPECT_EQ(result.rise, noise_rise({90, 70}, {}));
}

TEST_F(SkyJobTest, LeavesNothingBehindWhenItCannotBe) {
  expect_nothing_left(
      folder_, [&](const std::string& output) { return job(output); }, "sky.npy", Type::u16);
}

}  // namespace
}  // namespace tessera
