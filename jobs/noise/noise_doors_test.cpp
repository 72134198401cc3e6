// SPDX-License-Identifier: Apache-2.0
// What a noise job refuses, notes and keeps: other files, blanks, headers, memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "io/formats.hpp"
#include "io/header_cards.hpp"
#include "tests/support/files.hpp"
#include "tests/support/fits_file.hpp"
#include "tests/support/noise_jobs.hpp"
#include "tests/support/poison.hpp"

namespace tessera::testing {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class NoiseDoors : public NoiseJobs {
 protected:
  NoiseDoors() : NoiseJobs(8) {}
  static Image filled(Size size, Type type, double value) {
    Image image = random_image(size, type, 3);
    for (long long i = 0; i < size.samples(); ++i)
      if (type == Type::f32)
        image.as<float>().data[i] = static_cast<float>(value);
      else
        image.as<double>().data[i] *= value;
    return image;
  }
};

TEST_F(NoiseDoors, BlankPixelsHaveNoSignalOverNoise) {
  Image image = random_image({30, 20}, Type::f32, 3);
  image.as<float>().at(4, 5) = static_cast<float>(kInfinity);
  image.as<float>().at(6, 7) = 0;
  NoiseJob one = job(written(image, "in.npy"));
  one.choices.fill = true;
  one.options.zero_is_blank = true;
  for (const bool nomask : {false, true}) {
    one.options.nomask = nomask;
    EXPECT_EQ(one.run().blanks, 2);
    const Image rms = made("rms.npy"), snr = made("snr.npy");
    for (const auto& [x, y] : {std::pair{4, 5}, {6, 7}}) {
      EXPECT_FALSE(std::isnan(rms.as<float>().at(x, y)));
      EXPECT_TRUE(std::isnan(snr.as<float>().at(x, y)));
    }
    EXPECT_FALSE(std::isnan(snr.as<float>().at(8, 8)));
  }
}

TEST_F(NoiseDoors, NotesSayWhyMapsHaveNoValue) {
  const NoiseResult large = job(written(filled({30, 20}, Type::f64, 1e200), "in.npy")).run();
  ASSERT_EQ(large.notes.size(), 2U);
  EXPECT_NE(large.notes[1].find("rms is infinite at 600 of its pixels"), std::string::npos);
  const NoiseResult zeros = job(written(filled({30, 20}, Type::f32, 0), "zeros.npy")).run();
  ASSERT_EQ(zeros.notes.size(), 1U);
  EXPECT_EQ(zeros.notes[0], "snr has no value: the noise is 0 everywhere");
  Image few = filled({30, 20}, Type::f32, kInfinity);
  few.as<float>().at(3, 4) = 1;
  const NoiseResult blank = job(written(few, "few.npy")).run();
  ASSERT_EQ(blank.notes.size(), 3U);
  EXPECT_EQ(blank.notes[0],
            "bkg has no value: no box has enough valid pixels, because 599 of 600 are blank; a "
            "smaller --box may have enough");
}

TEST_F(NoiseDoors, InputsAreNeverReplaced) {
  const Image image = random_image({30, 20}, Type::f32, 3);
  NoiseJob one = job(written(image, "g_bkg.npy"));
  one.output = file("g");
  const auto refuses = [&](const std::string& part) {
    const std::string before = read_bytes(one.input);
    expect_error([&] { one.run(); }, ErrorKind::usage, part);
    EXPECT_EQ(read_bytes(one.input), before);
  };
  refuses("g_bkg.npy would be replaced by its own result; give another -o");
  one.choices.only = NoiseProducts{.background = false};
  one.run();
  one.choices.mask = written(random_image({30, 20}, Type::u8, 1), "g_rms.npy");
  refuses("g_rms.npy would be replaced");
  if (!can_write(".png")) return;
  one = job(written(random_image({30, 20}, Type::u8, 3), "scan.png"));
  one.choices.picture = one.input;
  refuses("give another --picture");
}

TEST_F(NoiseDoors, NodesCountAsMemory) {
  NoiseJob one = job(written(random_image({300, 200}, Type::f32, 3), "in.npy"), 16);
  one.options.mode = NoiseMode::grid;
  one.options.grid = NoiseBox{1, 1};
  one.settings.memory_limit.bytes = 1000000;
  expect_error([&] { one.run(); }, ErrorKind::resources,
               "mode grid keeps its 60000 nodes in memory, but 1.0 MB is too little for 300x200");
  one.options.grid = NoiseBox{4, 4};
  EXPECT_EQ(one.run().nodes, 76 * 51);
}

TEST_F(NoiseDoors, OptionsThatChangeNothingAreRefused) {
  NoiseJob one = job(written(random_image({30, 20}, Type::f32, 3), "in.npy"));
  one.options.bins = 300;
  expect_error([&] { one.run(); }, ErrorKind::usage,
               "300 bins are asked for, but the mode is exact; give mode binned");
  one.options.bins = 1024;
  one.options.normal = true;
  one.options.estimator = NoiseEstimator::mad;
  expect_error([&] { one.run(); }, ErrorKind::usage, "but the estimator is mad");
  one.options.normal = false;
  one.choices.slice = {1, std::nullopt};
  expect_error([&] { one.run(); }, ErrorKind::usage,
               "has one plane, but --slice 1 asks for another; leave out --slice");
}

TEST_F(NoiseDoors, ColoursHaveAdviceThatWorks) {
  expect_error(
      [&] {
        job(written(random_image({9, 9, 3}, Type::u8, 1), "in.npy")).run();
      },
      ErrorKind::usage, "tessera enhance " + file("in.npy") + " grey.npy --steps grey");
  expect_error(
      [&] {
        job(written(random_image({9, 9, 3}, Type::f32, 1), "in.npy")).run();
      },
      ErrorKind::usage, "give a file with one channel");
}

TEST_F(NoiseDoors, CompressedMapsOfCubesHaveTwoAxes) {
  if (!can_write(".fits")) GTEST_SKIP() << "not in this build";
  std::string data;
  for (int i = 0; i < 24 * 20 * 5; ++i) data += static_cast<char>(i * i % 101);
  write_bytes(file("in.fits"), fits_bytes(8, {24, 20, 5},
                                          {card("WCSAXES", "3"), card("CTYPE3", "'FREQ    '"),
                                           card("CRVAL3", "1E9"), card("CRVAL1", "5.0")},
                                          data));
  NoiseJob one = job(file("in.fits"));
  one.choices.slice = {2, std::nullopt};
  one.writing.compression = Compression::deflate;
  one.run();
  const HeaderCards packed(open_image(file("out_rms.fits"))->header());
  EXPECT_FALSE(packed.has("CTYPE3") || packed.has("CRVAL3") || packed.has("CRPIX3"));
  EXPECT_EQ(packed.number("WCSAXES"), 2);
  EXPECT_EQ(packed.number("CRVAL1"), 5);
  one.writing.compression = Compression::automatic;
  one.run();
  const auto plain = open_image(file("out_rms.fits"));
  EXPECT_EQ(HeaderCards(plain->header()).number("CRPIX3"), -2);
  EXPECT_TRUE(std::ranges::any_of(plain->header(), [](const std::string& line) {
    return line.starts_with("HISTORY map: rms");
  }));
}

TEST_F(NoiseDoors, OneHduOfManyAndPackedFiles) {
  if (!can_write(".fits")) GTEST_SKIP() << "not in this build";
  std::string data;
  for (int i = 0; i < 900; ++i) data += static_cast<char>(i * i % 101);
  const std::string one_hdu = fits_bytes(8, {30, 30}, {}, std::string(900, '\0')),
                    second = header_bytes({card("XTENSION", "'IMAGE   '"), card("BITPIX", "8"),
                                           card("NAXIS", "2"), card("NAXIS1", "30"),
                                           card("NAXIS2", "30"), card("PCOUNT", "0"),
                                           card("GCOUNT", "1")}) +
                             to_block(data, '\0');
  write_bytes(file("in.fits"), one_hdu + second);
  NoiseJob one = job(file("in.fits[1]"));
  EXPECT_GT(one.run().maps[1].high, 0);
  write_bytes(file("big.fits.gz"), gzip_bytes(one_hdu));
  std::filesystem::create_directory(file("maps"));
  one = job(file("big.fits.gz"));
  one.output = file("maps");
  EXPECT_EQ(one.run().files[1], file("maps/big_rms.fits"));
}

}  // namespace
}  // namespace tessera::testing
