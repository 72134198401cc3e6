// SPDX-License-Identifier: Apache-2.0
// Maps from file to file: real data, planes, masks, scaled integers, BANE's settings.
#include "jobs/noise/noise_job.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "io/formats.hpp"
#include "io/header_cards.hpp"
#include "jobs/noise/noise_bane.hpp"
#include "tessera/noise.hpp"
#include "tests/support/files.hpp"
#include "tests/support/fits_file.hpp"
#include "tests/support/noise_jobs.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera::testing {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
const std::string kReal = TESSERA_SOURCE_DIR "/tests/data/aegean/1904-66_cut.fits";

double quantile(const std::vector<double>& sorted, double q) {
  const double h = q * static_cast<double>(sorted.size() - 1);
  const auto i = static_cast<std::size_t>(h);
  if (i + 1 == sorted.size()) return sorted[i];
  return sorted[i] + (h - static_cast<double>(i)) * (sorted[i + 1] - sorted[i]);
}

/// The valid values of the box around a pixel, sorted, by the definition.
std::vector<double> box_values(const Image& image, int x, int y, int box) {
  std::vector<double> values;
  const Size size = image.info().size;
  for (int v = std::max(0, y - box / 2); v < std::min(size.height, y - box / 2 + box); ++v)
    for (int u = std::max(0, x - box / 2); u < std::min(size.width, x - box / 2 + box); ++u)
      if (const double value = image.as<float>().at(u, v); std::isfinite(value))
        values.push_back(value);
  std::ranges::sort(values);
  return values;
}

class NoiseJobTest : public NoiseJobs {
 protected:
  NoiseJobTest() : NoiseJobs(16) {}
  /// Files in the folder that begin with "out".
  int outputs() const {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      count += entry.path().filename().string().starts_with("out");
    return count;
  }
};

TEST_F(NoiseJobTest, RealDataIsWhatSortedBoxesSay) {
  if (!can_write(".fits")) GTEST_SKIP() << "not in this build";
  const NoiseResult result = job(kReal, 32).run();
  const Image image = read_image(kReal), bkg = made("bkg.fits"), rms = made("rms.fits"),
              snr = made("snr.fits");
  int compared = 0;
  for (int y = 0; y < image.info().size.height; y += 3)
    for (int x = y % 5; x < image.info().size.width; x += 5) {
      const float value = image.as<float>().at(x, y), b = bkg.as<float>().at(x, y),
                  r = rms.as<float>().at(x, y);
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(b) && std::isnan(r) && std::isnan(snr.as<float>().at(x, y)));
        continue;
      }
      const std::vector<double> values = box_values(image, x, y, 32);
      ASSERT_EQ(b, static_cast<float>(quantile(values, 0.5))) << x << ", " << y;
      ASSERT_EQ(r, static_cast<float>((quantile(values, 0.75) - quantile(values, 0.25)) / 1.34896));
      ASSERT_FLOAT_EQ(snr.as<float>().at(x, y), (value - b) / r);
      ++compared;
    }
  EXPECT_GT(compared, 400);
  EXPECT_EQ(result.blanks, 183);
  EXPECT_EQ(result.pixels, 96 * 72);
  EXPECT_EQ(result.nodes, 0);
  ASSERT_EQ(result.maps.size(), 3U);
  EXPECT_EQ(result.maps[1].name, "rms");
  EXPECT_EQ(result.maps[1].pixels, 96 * 72 - 183);
  EXPECT_GT(result.maps[1].low, 0.015);
  EXPECT_LT(result.maps[1].high, 0.11);
  EXPECT_NEAR(result.maps[1].median, 0.0452237, 1e-6);
}

TEST_F(NoiseJobTest, HeadersAreKept) {
  if (!can_write(".fits")) GTEST_SKIP() << "not in this build";
  job(kReal).run();
  const HeaderCards before(open_image(kReal)->header());
  for (const std::string name : {"bkg", "rms", "snr"}) {
    const auto map = open_image(file("out_" + name + ".fits"));
    const HeaderCards header(map->header());
    EXPECT_EQ(map->info().type, Type::f32);
    EXPECT_EQ(header.number("CRPIX1"), before.number("CRPIX1"));
    EXPECT_EQ(header.text("CTYPE2"), "DEC--SIN");
    EXPECT_EQ(header.number("BMAJ"), before.number("BMAJ"));
    EXPECT_EQ(header.text("BUNIT"), name == "snr" ? "" : "JY/BEAM") << name;
    EXPECT_TRUE(std::ranges::any_of(map->header(), [](const std::string& card) {
      return card.starts_with("HISTORY ran: noise 96x72 f32, box 16x16");
    }));
  }
}

// Numbers of the file are not the values: these are 3 + number / 4, and -7 means blank.
TEST_F(NoiseJobTest, ScaledIntegersAndBlanks) {
  if (!can_write(".fits")) GTEST_SKIP() << "not in this build";
  std::string data;
  Image values({40, 30}, Type::f32);
  for (int i = 0; i < 40 * 30; ++i) {
    const int number = i % 91 == 5 ? -7 : i * i % 997 - 500;
    data += {static_cast<char>(number >> 8 & 255), static_cast<char>(number & 255)};
    values.as<float>().data[i] = number == -7 ? kNaN : 3 + static_cast<float>(number) / 4;
  }
  write_bytes(
      file("in.fits"),
      fits_bytes(16, {40, 30}, {card("BSCALE", "0.25"), card("BZERO", "3.0"), card("BLANK", "-7")},
                 data));
  const NoiseResult result = job(file("in.fits")).run();
  EXPECT_EQ(result.blanks, std::ranges::count_if(std::span(values.as<float>().data, 1200),
                                                 [](float value) { return std::isnan(value); }));
  const NoiseMaps wanted = noise(values.view(), job("").options);
  EXPECT_TRUE(same_samples(wanted.background.view(), testing::short_view(made("bkg.fits"))));
  EXPECT_TRUE(same_samples(wanted.rms.view(), testing::short_view(made("rms.fits"))));
  const HeaderCards header(open_image(file("out_rms.fits"))->header());
  for (const char* keyword : {"BSCALE", "BZERO", "BLANK"}) EXPECT_FALSE(header.has(keyword));
}

TEST_F(NoiseJobTest, PlanesAreChosenByTheirPlaces) {
  if (!can_write(".fits")) GTEST_SKIP() << "not in this build";
  const Image cube = random_image({24, 20, 1, 6}, Type::f32, 3);
  std::string data;
  for (long long i = 0; i < cube.info().size.samples(); ++i) {
    const auto* bytes = reinterpret_cast<const char*>(cube.as<float>().data + i);
    data += {bytes[3], bytes[2], bytes[1], bytes[0]};
  }
  write_bytes(file("in.fits"), fits_bytes(-32, {24, 20, 3, 2}, {card("CRPIX3", "1.0")}, data));
  NoiseJob four = job(file("in.fits"), 8);
  const auto fails = [&](std::optional<NoiseSlice> slice, const std::string& part) {
    four.choices.slice = slice;
    expect_error([&] { four.run(); }, ErrorKind::usage, part);
    EXPECT_EQ(outputs(), 0);
  };
  fails(NoiseSlice{1, std::nullopt},
        "is 24 x 20 x 3 x 2, so one number does not select a plane; give --slice N,M with N from "
        "0 to 2 and M from 0 to 1");
  fails(NoiseSlice{3, 0}, "has no plane 3,0");
  fails(NoiseSlice{0, 2}, "has no plane 0,2");
  fails(NoiseSlice{-1, 0}, "has no plane -1,0");
  four.choices.slice = {2, 1};
  EXPECT_EQ(four.run().plane, 5);
  const NoiseMaps wanted = noise(cube.view().only_plane(5), four.options);
  EXPECT_TRUE(same_samples(wanted.rms.view(), testing::short_view(made("rms.fits"))));
  const HeaderCards header(open_image(file("out_rms.fits"))->header());
  EXPECT_EQ(header.number("NAXIS"), 4);
  EXPECT_EQ(header.number("NAXIS4"), 1);
  EXPECT_EQ(header.number("CRPIX3"), -1);
  NoiseJob three = job(written(cube, "in.npy"), 8);
  three.choices.slice = {4, std::nullopt};
  three.run();
  EXPECT_TRUE(same_samples(testing::short_view(noise(cube.view().only_plane(4), three.options).rms),
                           testing::short_view(made("rms.npy"))));
}

TEST_F(NoiseJobTest, MasksMakeBlanksOfIntegersToo) {
  const Image image = random_image({50, 40}, Type::u8, 5);
  Image mask({50, 40}, Type::u16), floats({50, 40}, Type::f32);
  for (int i = 0; i < 50 * 40; ++i) {
    mask.as<unsigned short>().data[i] = i % 7 == 3 ? 500 : 0;
    floats.as<float>().data[i] =
        i % 7 == 3 ? kNaN : static_cast<float>(image.as<unsigned char>().data[i]);
  }
  NoiseJob masked = job(written(image, "in.npy"));
  masked.choices.mask = written(mask, "mask.npy");
  EXPECT_EQ(masked.run().blanks, 286);
  const NoiseMaps wanted = noise(floats.view(), masked.options);
  EXPECT_TRUE(same_samples(wanted.background.view(), testing::short_view(made("bkg.npy"))));
  EXPECT_TRUE(same_samples(wanted.rms.view(), testing::short_view(made("rms.npy"))));
  masked.choices.mask = written(random_image({50, 41}, Type::u8, 1), "tall.npy");
  expect_error([&] { masked.run(); }, ErrorKind::usage, "is 50x41, but the image 50x40");
  masked.choices.mask = file("mask.npy[x]");
  expect_error([&] { masked.run(); }, ErrorKind::usage, "write FILE[N]");
}

TEST_F(NoiseJobTest, MasksInOneHduOfMany) {
  if (!can_write(".fits")) GTEST_SKIP() << "not in this build";
  const Image image = random_image({30, 30}, Type::f32, 5);
  std::string data(900, '\0');
  data[4 * 30 + 7] = 1;
  std::string bytes = fits_bytes(8, {30, 30}, {}, std::string(900, '\0'));
  const std::vector<std::string> second{
      card("XTENSION", "'IMAGE   '"), card("BITPIX", "8"), card("NAXIS", "2"), card("NAXIS1", "30"),
      card("NAXIS2", "30"),           card("PCOUNT", "0"), card("GCOUNT", "1")};
  write_bytes(file("mask.fits"), bytes + header_bytes(second) + to_block(data, '\0'));
  NoiseJob masked = job(written(image, "in.fits"));
  masked.choices.mask = file("mask.fits[0]");
  EXPECT_EQ(masked.run().blanks, 0);
  masked.choices.mask = file("mask.fits[1]");
  EXPECT_EQ(masked.run().blanks, 1);
  EXPECT_TRUE(std::isnan(testing::short_view(made("rms.fits")).as<const float>().at(7, 4)));
}

TEST_F(NoiseJobTest, NothingIsWrittenOfAnImageWithoutAValue) {
  Image image({30, 20}, Type::f32);
  std::ranges::fill(std::span(image.as<float>().data, 600), kNaN);
  expect_error([&] { job(written(image, "in.npy")).run(); }, ErrorKind::input,
               "in.npy has no valid pixel: all 600 are blank");
  EXPECT_EQ(outputs(), 0);
  image.as<float>().at(3, 4) = 1;  // one value is too few for any box, and this is reported
  const NoiseResult result = job(written(image, "one.npy")).run();
  EXPECT_EQ(result.blanks, 599);
  ASSERT_EQ(result.notes.size(), 3U);
  EXPECT_NE(result.notes[1].find("rms has no value"), std::string::npos);
}

TEST_F(NoiseJobTest, EveryModeIsTheLibrarys) {
  Image image = random_image({70, 60}, Type::f64, 8);
  for (int i = 0; i < 70 * 60; i += 13) image.as<double>().data[i] = kNaN;
  for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned, NoiseMode::grid})
    for (const bool fill : {false, true}) {
      NoiseJob one = job(written(image, "in.npy"));
      one.options.mode = mode;
      one.options.two_pass = mode == NoiseMode::grid;
      one.choices.fill = fill;
      one.run();
      const NoiseMaps wanted = noise(image.view(), one.options, fill);
      const Image bkg = made("bkg.npy"), rms = made("rms.npy");
      for (int i = 0; i < 70 * 60; ++i) {
        const auto same = [&](const Image& map, const Image& double_map) {
          const float a = map.as<float>().data[i],
                      b = static_cast<float>(double_map.as<double>().data[i]);
          return a == b || (std::isnan(a) && std::isnan(b));
        };
        ASSERT_TRUE(same(bkg, wanted.background) && same(rms, wanted.rms)) << i;
        ASSERT_TRUE(!fill || !std::isnan(rms.as<float>().data[i])) << i;
      }
    }
}

TEST_F(NoiseJobTest, QuantilesHaveFilesByPercent) {
  const Image image = random_image({40, 30}, Type::u16, 8);
  NoiseJob quantiles = job(written(image, "in.npy"));
  quantiles.options.quantiles.orders = {0.5, 0.025, 1};
  const NoiseResult result = quantiles.run();
  const std::vector<std::string> names{file("out_q50.npy"), file("out_q2.5.npy"),
                                       file("out_q100.npy")};
  EXPECT_EQ(result.files, names);
  const Image wanted = noise_quantiles(image.view(), quantiles.options);
  for (int p = 0; p < 3; ++p)
    EXPECT_TRUE(same_samples(wanted.view().only_plane(p),
                             testing::short_view(read_image(names[static_cast<std::size_t>(p)]))));
  quantiles.options.quantiles.orders = {0.5, 0.5};
  expect_error([&] { quantiles.run(); }, ErrorKind::usage, "would both be named");
  quantiles.options.quantiles.orders = {0.5};
  quantiles.choices.only = NoiseProducts{};
  expect_error([&] { quantiles.run(); }, ErrorKind::usage, "leave out one of the options");
}

TEST_F(NoiseJobTest, OfEveryKindOfFileAndIntoFolders) {
  const Image grey = random_image({40, 30}, Type::u8, 2);
  const Image wanted = noise(grey.view(), job("").options).rms;
  for (const auto& [in, out] : {std::pair{".png", ".npy"}, {".tif", ".tif"}, {".fits", ".fits"}}) {
    if (!can_write(in)) continue;
    NoiseJob one = job(written(grey, "scan" + std::string(in)));
    one.output = folder_.path("maps");
    std::filesystem::create_directory(one.output);
    one.run();
    EXPECT_TRUE(same_samples(wanted.view(),
                             testing::short_view(read_image(one.output + "/scan_rms" + out))))
        << in;
  }
  if (!can_write(".png")) return;
  NoiseJob colours = job(written(random_image({9, 9, 3}, Type::u8, 1), "colours.png"));
  expect_error([&] { colours.run(); }, ErrorKind::usage, "has 3 channels, but one is needed");
}

TEST_F(NoiseJobTest, BaneHasItsHabits) {
  const HeaderCards header({card("BMAJ", "0.24"), card("BMIN", "0.24"),
                            card("CDELT1", "-0.0666667"), card("CDELT2", "0.0666667")});
  EXPECT_EQ(bane_step(header), 15);
  EXPECT_EQ(bane_step(HeaderCards()), 16);
  EXPECT_EQ(
      bane_step(HeaderCards({card("BMAJ", "0.24"), card("BMIN", "0.06"), card("CD1_1", "0"),
                             card("CD1_2", "0.01"), card("CD2_1", "0.01"), card("CD2_2", "0")})),
      48);
  const NoiseOptions bane = as_bane({}, {}, header);
  EXPECT_EQ(bane.box, (NoiseBox{90, 90}));
  EXPECT_EQ(bane.grid, (NoiseBox{15, 15}));
  EXPECT_EQ(bane.mode, NoiseMode::grid);
  EXPECT_EQ(bane.estimator, NoiseEstimator::clip);
  EXPECT_TRUE(bane.two_pass);
  const NoiseOptions own =
      as_bane({.box = {64, 64}, .grid = NoiseBox{7, 9}}, {"grid", "estimator"}, header);
  EXPECT_EQ(own.box, (NoiseBox{42, 54}));
  EXPECT_EQ(own.estimator, NoiseEstimator::iqr);
  EXPECT_EQ(as_bane({.box = {64, 64}}, {"box"}, header).box, (NoiseBox{64, 64}));
  EXPECT_EQ(as_bane({}, {"mode"}, header).grid, std::nullopt);
  const auto note = [&](const std::vector<std::string>& given, const HeaderCards& of,
                        bool table = false) { return bane_note(bane, given, of, table); };
  EXPECT_EQ(note({}, header), "");
  EXPECT_EQ(note({"grid"}, HeaderCards()), "");
  EXPECT_EQ(bane_note({}, {"mode"}, HeaderCards(), false), "");
  EXPECT_EQ(note({}, HeaderCards(), true),
            "--like bane takes steps of 16 pixels, because every channel has its own beam, in a "
            "table (CASAMBM); give --grid, four beams in pixels");
  EXPECT_NE(note({}, HeaderCards()).find("have a beam (BMAJ, BMIN)"), std::string::npos);
  const HeaderCards no_pixel({card("BMAJ", "0.24"), card("BMIN", "0.24")});
  EXPECT_NE(note({}, no_pixel).find("the size of a pixel"), std::string::npos);
  NoiseJob like = job(kReal);
  like.choices.like = NoiseLike::bane;
  if (!can_write(".fits")) return;
  const NoiseResult result = like.run();
  EXPECT_EQ(result.files, (std::vector{file("out_bkg.fits"), file("out_rms.fits")}));
  EXPECT_EQ(result.nodes, 8 * 6);
  EXPECT_TRUE(result.notes.empty());
  NoiseJob plain = job(written(random_image({90, 70}, Type::f32, 1), "plain.fits"));
  plain.choices.like = NoiseLike::bane;
  const NoiseResult by_default = plain.run();
  ASSERT_EQ(by_default.notes.size(), 1U);
  EXPECT_TRUE(by_default.notes[0].starts_with("--like bane takes steps of 16 pixels"));
}

}  // namespace
}  // namespace tessera::testing
