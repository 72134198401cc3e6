// SPDX-License-Identifier: Apache-2.0
// Maps of all planes of a cube: the bytes of every plane alone, axes, blank planes, strips.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "io/header_cards.hpp"
#include "jobs/noise/noise_job.hpp"
#include "tests/support/files.hpp"
#include "tests/support/fits_file.hpp"
#include "tests/support/noise_jobs.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera::testing {
namespace {

constexpr float kBlank = std::numeric_limits<float>::quiet_NaN();

class NoiseCubeTest : public NoiseJobs {
 protected:
  NoiseCubeTest() : NoiseJobs(8) {}

  /// Noise that grows with the plane, a bright block that moves, and some blanks.
  static Image cube(int planes) {
    Image image = random_image({44, 37, 1, planes}, Type::f32, 3);
    for (int p = 0; p < planes; ++p)
      for (int y = 0; y < 37; ++y)
        for (int x = 0; x < 44; ++x) {
          float& value = image.as<float>().at(x, y, 0, p);
          value = static_cast<float>(std::fmod(std::abs(value), 1.0)) * static_cast<float>(p + 1);
          if (std::abs(x - 4 * p - 6) < 4 && std::abs(y - 20) < 4) value += 50;
          if ((x * 7 + y * 3 + p) % 41 == 0) value = kBlank;
        }
    return image;
  }
  static void blank(Image& image, int plane) {
    std::fill_n(&image.as<float>().at(0, 0, 0, plane), 44 * 37, kBlank);
  }
  std::string fits_cube(const Image& image, const std::vector<long long>& axes,
                        const std::vector<std::string>& cards) const {
    std::string data;
    for (long long i = 0; i < image.info().size.samples(); ++i) {
      const auto* bytes = reinterpret_cast<const char*>(image.as<float>().data + i);
      data += {bytes[3], bytes[2], bytes[1], bytes[0]};
    }
    write_bytes(file("in.fits"), fits_bytes(-32, axes, cards, data));
    return file("in.fits");
  }
  /// Runs a job on all planes, then on every plane alone, and compares all maps, to the bit.
  void expect_planes_alone(NoiseJob all, int planes, const std::string& ending) const {
    all.output = folder_.path("all");
    all.run();
    NoiseJob one = all;
    one.output = folder_.path("one");
    for (int p = 0; p < planes; ++p) {
      one.choices.slice = {p, std::nullopt};
      try {
        one.run();
      } catch (const Error&) {  // a plane without a value
        EXPECT_TRUE(
            is_blank(testing::short_view(read_image(file("all_rms" + ending))).only_plane(p)))
            << p;
        continue;
      }
      for (const std::string map : {"_bkg", "_rms", "_snr"})
        EXPECT_TRUE(
            same_samples(testing::short_view(read_image(file("all" + map + ending))).only_plane(p),
                         testing::short_view(read_image(file("one" + map + ending)))))
            << map << " " << p;
    }
  }
  static bool is_blank(AnyView plane) {
    for (int y = 0; y < plane.size.height; ++y)
      for (int x = 0; x < plane.size.width; ++x)
        if (!std::isnan(plane.as<const float>().at(x, y))) return false;
    return true;
  }
};

TEST_F(NoiseCubeTest, EveryPlaneHasTheBytesOfAJobOnItAlone) {
  Image image = cube(5);
  blank(image, 2);
  const std::string npy = written(image, "in.npy");
  for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned, NoiseMode::grid})
    for (const bool fill : {false, true}) {
      NoiseJob all = job(npy);
      all.options.mode = mode;
      all.choices.fill = fill;
      expect_planes_alone(all, 5, ".npy");
    }
  NoiseJob bane = job(npy);
  bane.options.mode = NoiseMode::grid;
  bane.options.estimator = NoiseEstimator::clip;
  bane.options.two_pass = true;
  expect_planes_alone(bane, 5, ".npy");
  if (can_write(".tif")) expect_planes_alone(job(written(cube(3), "in.tif")), 3, ".tif");
  NoiseJob masked = job(npy);
  for (const int planes : {1, 5}) {
    Image flags = random_image({44, 37, 1, planes}, Type::u8, 1);
    for (int i = 0; i < 44 * 37 * planes; ++i)
      flags.as<unsigned char>().data[i] = flags.as<unsigned char>().data[i] > 230;
    masked.choices.mask = written(flags, "flags.npy");
    expect_planes_alone(masked, 5, ".npy");
  }
}

TEST_F(NoiseCubeTest, StripsAndThreadsChangeNothing) {
  const std::string npy = written(cube(3), "in.npy");
  for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::grid}) {
    NoiseJob whole = job(npy);
    whole.options.mode = mode;
    whole.output = folder_.path("whole");
    const NoiseResult result = whole.run();
    EXPECT_EQ(result.refined > 0, mode == NoiseMode::grid);
    NoiseJob strips = whole;
    strips.output = folder_.path("strips");
    strips.settings.memory_limit = {200000};
    strips.settings.threads = 1;
    strips.run();
    for (const std::string map : {"_bkg.npy", "_rms.npy", "_snr.npy"})
      EXPECT_EQ(read_bytes(file("whole" + map)), read_bytes(file("strips" + map))) << map;
  }
}

TEST_F(NoiseCubeTest, AxesAndCoordinatesAreKept) {
  if (!can_write(".fits")) GTEST_SKIP() << "not in this build";
  const std::vector<std::string> cards{card("CTYPE3", "'STOKES  '"), card("CRPIX3", "1.0"),
                                       card("CTYPE4", "'FREQ    '"), card("CRPIX4", "2.0"),
                                       card("CRVAL4", "1.4E9"),      card("BUNIT", "'Jy/beam '")};
  for (const std::vector<long long>& axes :
       {std::vector<long long>{44, 37, 1, 6}, {44, 37, 6, 1}, {44, 37, 2, 3}, {44, 37, 6}}) {
    const Image image = cube(6);
    NoiseJob all = job(fits_cube(image, axes, cards));
    const NoiseResult result = all.run();
    EXPECT_EQ(result.planes.size(), 6U);
    EXPECT_EQ(result.pixels, 6 * 44 * 37);
    for (const std::string map : {"bkg", "rms", "snr"}) {
      const HeaderCards header(open_image(file("out_" + map + ".fits"))->header());
      ASSERT_EQ(header.number("NAXIS"), static_cast<double>(axes.size()));
      for (std::size_t axis = 0; axis < axes.size(); ++axis)
        EXPECT_EQ(header.number("NAXIS" + std::to_string(axis + 1)),
                  static_cast<double>(axes[axis]));
      EXPECT_EQ(header.number("CRPIX4"), 2);
      EXPECT_EQ(header.text("CTYPE3"), "STOKES");
      EXPECT_EQ(header.text("BUNIT"), map == "snr" ? "" : "Jy/beam");
    }
    all.writing.compression = Compression::deflate;
    all.output = folder_.path("tiled");
    all.run();
    EXPECT_TRUE(same_samples(testing::short_view(made("rms.fits")),
                             testing::short_view(read_image(file("tiled_rms.fits")))));
    const bool third = axes[2] == 6;
    EXPECT_EQ(HeaderCards(open_image(file("tiled_rms.fits"))->header()).text("CTYPE3"),
              third ? "STOKES" : "");
  }
}

TEST_F(NoiseCubeTest, PlanesAreCountedAndBlankOnesNamed) {
  Image image = cube(4);
  blank(image, 1);
  blank(image, 3);
  std::vector<long long> done;
  long long all = 0;
  const NoiseResult result = job(written(image, "in.npy")).run([&](long long now, long long of) {
    done.push_back(now);
    all = of;
  });
  EXPECT_TRUE(std::ranges::is_sorted(done));
  EXPECT_EQ(done.back(), all);
  ASSERT_EQ(result.planes.size(), 4U);
  EXPECT_EQ(result.plane, 0);
  EXPECT_EQ(result.planes[3].plane, 3);
  EXPECT_EQ(result.planes[3].blanks, 44 * 37);
  EXPECT_TRUE(std::isnan(result.planes[3].medians[1]));
  EXPECT_GT(result.planes[2].medians[1], 2 * result.planes[0].medians[1]);
  EXPECT_EQ(result.maps[1].median, (result.planes[0].medians[1] + result.planes[2].medians[1]) / 2);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_EQ(result.notes[0], "2 of 4 planes have no valid pixel and are NaN in the maps: 1, 3");
  EXPECT_NE(result.describe().find("4 planes"), std::string::npos);
  blank(image, 0);
  blank(image, 2);
  expect_error([&] { job(written(image, "none.npy")).run(); }, ErrorKind::input,
               "none.npy has no valid pixel: all 6512 are blank");
  NoiseJob drawn = job(file("in.npy"));
  drawn.choices.picture = file("out.svg");
  expect_error([&] { drawn.run(); }, ErrorKind::usage, "--picture shows one plane, but");
}

TEST_F(NoiseCubeTest, RefinedCellsCountTowardsTheMemoryLimit) {
  Image image = random_image({300, 300}, Type::f32, 4);  // values of any size: nothing is smooth
  NoiseJob grid = job(written(image, "in.npy"));
  grid.options.mode = NoiseMode::grid;
  grid.settings.memory_limit = {700000};
  expect_error([&] { grid.run(); }, ErrorKind::resources, "mode grid keeps its refined cells");
  grid.options.refine = 0;
  grid.run();
}

}  // namespace
}  // namespace tessera::testing
