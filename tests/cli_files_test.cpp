// SPDX-License-Identifier: Apache-2.0
// Files of all formats through the tool: described, turned into one another, filtered alike.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "io/formats.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/recordings.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/tool.hpp"
#include "tests/support/views.hpp"

namespace tessera::testing {
namespace {

class CliFiles : public ::testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& words, int code = 0) {
    const Outcome outcome = run_tool(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    return outcome;
  }
  std::string path(const std::string& name) const { return folder_.path(name); }
  TemporaryFolder folder_;
};

// Plane after plane or all at once, the method is the one of the whole image.
TEST_F(CliFiles, PlanesAreFilteredAlikeInEveryFormat) {
  const Image image = random_image({50, 40, 1, 7}, Type::f32, 3);
  write_image(path("in.npy"), image.view());
  run({"convolve", path("in.npy"), "gauss:2", path("expected.npy")});
  const Image expected = read_image(path("expected.npy"));
  for (const std::string ending : {".tif", ".fits", ".npy"}) {
    if (!can_write(ending)) continue;
    run({"convert", path("in.npy"), path("planes" + ending), "--memory-limit", "200k"});
    EXPECT_TRUE(
        same_samples(image.view(), testing::short_view(read_image(path("planes" + ending)))))
        << ending;
    for (const std::string to : {".tif", ".npy"}) {
      if (!can_write(to)) continue;
      const std::string out = path("out" + ending.substr(1) + to);
      run({"convolve", path("planes" + ending), "gauss:2", out, "--memory-limit", "200k",
           "--check"});
      EXPECT_TRUE(same_samples(expected.view(), testing::short_view(read_image(out))))
          << ending << to;
    }
  }
}

TEST_F(CliFiles, RangesOfPlanesAreFoundInBothOrders) {
  const Image image = random_image({30, 20, 1, 3}, Type::f32, 4);
  write_image(path("in.npy"), image.view());
  run({"convert", path("in.npy"), path("whole.npy"), "--type", "u8", "--range", "auto"});
  if (!can_write(".tif")) GTEST_SKIP() << "no TIFF in this build";
  run({"convert", path("in.npy"), path("in.tif")});
  run({"convert", path("in.tif"), path("turns.npy"), "--type", "u8", "--range", "auto"});
  EXPECT_EQ(read_bytes(path("whole.npy")), read_bytes(path("turns.npy")));
  run({"convert", path("in.tif"), path("one.npy"), "--plane", "2"});
  run({"convert", path("in.tif"), path("page.npy"), "--page", "2"});
  EXPECT_EQ(read_bytes(path("one.npy")), read_bytes(path("page.npy")));
}

TEST_F(CliFiles, InfoDescribesEveryFormat) {
  for (const std::string ending : {".npy", ".png", ".tif", ".fits", ".jpg"}) {
    if (!can_write(ending)) continue;
    write_image(path("a" + ending), testing::short_view(random_image({8, 6}, Type::u8, 1)));
    const auto report = nlohmann::json::parse(run({"info", path("a" + ending), "--json"}).out);
    EXPECT_EQ(report["width"], 8) << ending;
    EXPECT_EQ(report["type"], "u8") << ending;
    EXPECT_FALSE(report["format"].get<std::string>().empty());
    EXPECT_FALSE(report["details"].empty()) << ending;
    EXPECT_NE(run({"info", path("a" + ending)}).out.find("8x6 u8"), std::string::npos);
  }
}

TEST_F(CliFiles, InfoDescribesARecordingThatIsCut) {
  write_voltages(path("a.raw"), random_voltages({2, 2, 3}, SampleType::ci8, 1000));
  std::filesystem::resize_file(path("a.raw"), std::filesystem::file_size(path("a.raw")) / 2);
  const Outcome outcome = run({"info", path("a.raw")}, 4);
  EXPECT_NE(outcome.out.find("GUPPI RAW, 2 antennas x 2"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("warning: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("of its 24000 bytes and is left out"), std::string::npos)
      << outcome.err;
}

TEST_F(CliFiles, HistoryKeepsTheCommandAndTheParameters) {
  if (!can_write(".fits")) GTEST_SKIP() << "no FITS in this build";
  write_image(path("a.fits"), testing::short_view(random_image({20, 10}, Type::f32, 1)));
  run({"convolve", path("a.fits"), "gauss:1", path("b.fits"), "--border", "wrap"});
  std::string cards;
  const std::string bytes = read_bytes(path("b.fits"));
  for (std::size_t at = 0; at + 80 <= bytes.size() && bytes.substr(at, 4) != "END "; at += 80)
    if (bytes.substr(at, 8) == "HISTORY ") cards += bytes.substr(at + 8, 72);
  std::erase(cards, ' ');
  EXPECT_NE(cards.find("tessera" TESSERA_VERSION), std::string::npos) << cards;
  EXPECT_NE(cards.find("command:tesseraconvolve"), std::string::npos) << cards;
  EXPECT_NE(cards.find("gauss:1"), std::string::npos) << cards;
  EXPECT_NE(cards.find("border=wrap"), std::string::npos) << cards;
}

TEST_F(CliFiles, WhatIsMissingIsFilledWithAWarningAndCodeFour) {
  write_image(path("a.npy"), testing::short_view(random_image({20, 10}, Type::f32, 1)));
  std::filesystem::resize_file(path("a.npy"), 500);
  EXPECT_EQ(run_tool({"convert", path("a.npy"), path("b.npy")}).code, 3);
  EXPECT_FALSE(std::filesystem::exists(path("b.npy")));
  const Outcome outcome = run({"convert", path("a.npy"), path("b.npy"), "--allow-truncated"}, 4);
  EXPECT_NE(outcome.err.find("warning: "), std::string::npos);
  EXPECT_NE(outcome.err.find("there are 372"), std::string::npos) << outcome.err;
  EXPECT_EQ(read_image(path("b.npy")).info().size, (Size{20, 10}));
}

TEST_F(CliFiles, OptionsThatAFormatHasNoPlaceForAreRefused) {
  write_image(path("a.npy"), testing::short_view(random_image({8, 6}, Type::u8, 1)));
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--page", "0"}, {"--first-frame", "1"}, {"--frames", "2"}}) {
    std::vector<std::string> words{"convert", path("a.npy"), path("b.npy")};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_NE(
        run(words, 2).err.find("the option " + more[0].substr(2) + " does not apply to NPY files"),
        std::string::npos);
  }
}

// A cut cube keeps its place on every axis.
TEST_F(CliFiles, ReferencePixelsMoveWithCropAndPlane) {
  if (!can_write(".fits")) GTEST_SKIP() << "no FITS in this build";
  WriteOptions how;
  const auto card = [](const char* keyword, int value) {
    std::string text = fmt::format("{:<8}= {:>20}", keyword, value);
    text.resize(80, ' ');
    return text;
  };
  how.header = {card("CRPIX1", 10), card("CRPIX2", 20), card("CRPIX3", 1)};
  write_image(path("cube.fits"), testing::short_view(random_image({30, 25, 1, 6}, Type::f32, 1)),
              how);
  run({"convert", path("cube.fits"), path("cut.fits"), "--plane", "4", "--crop", "3,5,20x20"});
  const std::string bytes = read_bytes(path("cut.fits"));
  for (const auto& [keyword, value] :
       {std::pair{"CRPIX1", 7.0}, {"CRPIX2", 15.0}, {"CRPIX3", -3.0}}) {
    const std::size_t at = bytes.find(fmt::format("{:<8}= ", keyword));
    ASSERT_NE(at, std::string::npos) << keyword;
    EXPECT_EQ(std::stod(bytes.substr(at + 10, 20)), value) << keyword;
  }
}

TEST_F(CliFiles, ConvertKeepsTheBitsOfEveryNaN) {
  Image image(Size{2, 1}, Type::f32);
  const unsigned bits[] = {0x7f800001U, 0xffc12345U};
  std::memcpy(image.view().address(0, 0), bits, sizeof bits);
  write_image(path("a.npy"), image.view());
  run({"convert", path("a.npy"), path("b.npy")});
  EXPECT_EQ(read_bytes(path("a.npy")), read_bytes(path("b.npy")));
}

}  // namespace
}  // namespace tessera::testing
