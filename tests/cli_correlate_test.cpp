// SPDX-License-Identifier: Apache-2.0
// Ensembles from the command line: what the library gives, in files, for any order and threads,
// with bad images and interruptions.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <thread>

#include "io/formats.hpp"
#include "tessera/correlate.hpp"
#include "tessera/scene_planes.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class CliCorrelate : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(in_);
    for (int i = 0; i < 5; ++i)
      write_image(photo(i), testing::short_view(random_image({60, 50, 3}, Type::u8, 3U + i)));
  }
  std::string photo(int i) const { return in_ + "/" + std::to_string(i) + ".png"; }
  Words words(const Words& inputs, const std::string& out, const Words& more = {}) const {
    Words all{"correlate"};
    all.insert(all.end(), inputs.begin(), inputs.end());
    all.insert(all.end(), {"-o", out, "--max-shift", "20"});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Words files_in(const std::string& folder) const {
    Words names;
    for (const auto& entry : fs::directory_iterator(folder))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }
  TemporaryFolder folder_;
  std::string in_ = folder_.path("in"), out_ = folder_.path("maps.npy");
};

TEST_F(CliCorrelate, MeanAndErrorOfWhatTheLibraryGives) {
  const Outcome outcome =
      run_tool(words({in_}, out_, {"--sums", "pairs", "--scale", "energy", "--json"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Image made = read_image(out_);
  ASSERT_EQ(made.info(), (ImageInfo{{20, 20, 1, 4}, Type::f64, kHost}));
  std::vector<Image> maps;
  for (int i = 0; i < 5; ++i)
    maps.push_back(
        correlate(testing::short_view(scene_planes(testing::short_view(read_image(photo(i))))),
                  {.max_shift = 20, .sums = "pairs", .scale = ShiftScale::energy}));
  for (int p = 0; p < 2; ++p)
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x < 20; ++x) {
        double mean = 0, squares = 0;
        for (const Image& map : maps) mean += map.as<float>().at(x, y, 0, p) / 5.0;
        for (const Image& map : maps) squares += std::pow(map.as<float>().at(x, y, 0, p) - mean, 2);
        ASSERT_NEAR(made.as<double>().at(x, y, 0, p), mean, 1e-12);
        ASSERT_NEAR(made.as<double>().at(x, y, 0, p + 2), std::sqrt(squares / 20), 1e-9);
      }
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["images"], 5);
  EXPECT_EQ(json["maps"].size(), 2U);
  EXPECT_NEAR(json["mean_at_zero"][0].get<double>(), 1, 1e-6);
  EXPECT_EQ(json["normalise"], "zscore");
  const auto kept = nlohmann::json::parse(read_bytes(folder_.path("maps.json")));
  EXPECT_EQ(kept["images"], 5);
  EXPECT_EQ(kept["width"], 60);
}

TEST_F(CliCorrelate, ProfilesAreCurvesThroughTheMap) {
  ASSERT_EQ(run_tool(words({in_}, out_, {"--angles", "0,90"})).code, 0);
  const Image made = read_image(out_);
  std::istringstream lines(read_bytes(folder_.path("maps.csv")));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "map,profile,shift,mean,standard_error,shifts");
  int count = 0;
  while (std::getline(lines, line)) {
    ++count;
    for (const auto& [name, dx, dy] : {std::tuple{"0 degrees", 1, 0}, {"90 degrees", 0, 1}}) {
      int shift = 0;
      double mean = 0, error = 0;
      const std::size_t at = line.find(std::string(",") + name + ",");
      if (at == std::string::npos) continue;
      const std::string rest = line.substr(at + std::string(name).size() + 2);
      ASSERT_EQ(std::sscanf(rest.c_str(), "%d,%lf,%lf,1", &shift, &mean, &error), 3) << line;
      EXPECT_EQ(mean, made.as<double>().at(shift * dx, shift * dy, 0, 0));
      EXPECT_EQ(error, made.as<double>().at(shift * dx, shift * dy, 0, 1));
    }
  }
  EXPECT_EQ(count, 3 * 20);
}

TEST_F(CliCorrelate, SameBytesForAnyOrderAndThreads) {
  ASSERT_EQ(run_tool(words({in_}, out_, {"--threads", "1"})).code, 0);
  const std::string again = folder_.path("again.npy");
  const Words orders[] = {
      {photo(4), photo(2), photo(0), photo(1), photo(3)}, {in_ + "/*.png"}, {photo(3), in_}};
  for (const Words& inputs : orders)
    for (const char* threads : {"1", "2", "5"}) {
      ASSERT_EQ(run_tool(words(inputs, again, {"--threads", threads, "--force"})).code, 0);
      EXPECT_EQ(read_bytes(again), read_bytes(out_));
      EXPECT_EQ(read_bytes(folder_.path("again.csv")), read_bytes(folder_.path("maps.csv")));
      EXPECT_EQ(read_bytes(folder_.path("again.json")), read_bytes(folder_.path("maps.json")));
    }
}

TEST_F(CliCorrelate, BadImagesAreNamedAndLeftOut) {
  ASSERT_EQ(run_tool(words({in_}, out_)).code, 0);
  const std::string good = read_bytes(out_);
  write_bytes(in_ + "/00.png", "no PNG at all");
  write_image(in_ + "/large.png", testing::short_view(random_image({61, 50, 3}, Type::u8, 1)));
  Image strange({60, 50, 1, 4}, Type::f32);
  strange.as<float>().at(3, 3) = NAN;
  write_image(in_ + "/nan.npy", strange.view());
  const Outcome outcome = run_tool(words({in_}, out_, {"--force"}));
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_NE(outcome.err.find("00.png: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("large.png: it is 61x50"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("nan.npy: it has NaN"), std::string::npos) << outcome.err;
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 3) << outcome.err;
  EXPECT_EQ(read_bytes(out_), good);
  fs::remove(out_);
  const Outcome none = run_tool(words({in_ + "/00.png", in_ + "/nan.npy"}, out_, {"--force"}));
  EXPECT_EQ(none.code, 3) << none.err;
  EXPECT_EQ(std::ranges::count(none.err, '\n'), 2) << none.err;
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(CliCorrelate, FilledImagesCountAndAreNamed) {
  const std::string whole = read_bytes(photo(2));
  write_bytes(photo(2), whole.substr(0, whole.size() / 2));
  const Outcome left_out = run_tool(words({in_}, out_));
  EXPECT_EQ(left_out.code, 4) << left_out.err;
  EXPECT_NE(left_out.out.find("4 images, 1 left out"), std::string::npos) << left_out.out;
  const Outcome filled = run_tool(words({in_}, out_, {"--allow-truncated", "--force"}));
  EXPECT_EQ(filled.code, 4) << filled.err;
  EXPECT_NE(filled.err.find("warning: " + photo(2)), std::string::npos) << filled.err;
  EXPECT_NE(filled.out.find("5 images, 0 left out"), std::string::npos) << filled.out;
}

TEST_F(CliCorrelate, CropTakesTheMiddleOrWhatItNames) {
  const Image large = random_image({80, 71, 3}, Type::u8, 9);
  write_image(folder_.path("large.png"), large.view());
  write_image(folder_.path("part.png"),
              testing::short_view(copy(large.view().region(10, 10, 60, 50))));
  ASSERT_EQ(run_tool(words({folder_.path("large.png")}, out_, {"--crop", "60x50"})).code, 0);
  const std::string alone = folder_.path("alone.npy"), named = folder_.path("named.npy");
  ASSERT_EQ(run_tool(words({folder_.path("part.png")}, alone)).code, 0);
  EXPECT_EQ(read_bytes(out_), read_bytes(alone));
  ASSERT_EQ(run_tool(words({folder_.path("large.png")}, named, {"--crop", "10,10,60x50"})).code, 0);
  EXPECT_EQ(read_bytes(named), read_bytes(alone));
}

// Planes in one file, in four, in four raw files: all the same, and as they are.
TEST_F(CliCorrelate, PlanesOfOnesOwn) {
  const Image planes = random_image({60, 50, 1, 4}, Type::f32, 4);
  write_image(folder_.path("planes.npy"), planes.view());
  Words apart, raw;
  for (int p = 0; p < 4; ++p) {
    apart.push_back(folder_.path("p" + std::to_string(p) + ".npy"));
    raw.push_back(folder_.path("p" + std::to_string(p) + ".raw"));
    write_image(apart.back(), testing::short_view(copy(planes.view().only_plane(p))));
    write_image(raw.back(), testing::short_view(copy(planes.view().only_plane(p))));
  }
  ASSERT_EQ(run_tool(words({folder_.path("planes.npy")}, out_)).code, 0);
  const Image truth = correlate(planes.view(), {.max_shift = 20});
  const Image made = read_image(out_);
  EXPECT_EQ(made.as<double>().at(7, 5), truth.as<float>().at(7, 5));
  EXPECT_TRUE(std::isnan(made.as<double>().at(7, 5, 0, 1))) << "one image has no error";
  const std::string bytes = read_bytes(out_);
  ASSERT_EQ(run_tool(words(apart, out_, {"--stack", "4", "--force"})).code, 0);
  EXPECT_EQ(read_bytes(out_), bytes);
  const Outcome four =
      run_tool(words(raw, out_, {"--stack", "4", "--raw", "60x50:f32", "--force"}));
  ASSERT_EQ(four.code, 0) << four.err;
  EXPECT_EQ(read_bytes(out_), bytes);
  ASSERT_EQ(run_tool(words({folder_.path("planes.npy")}, out_,
                           {"--planes", "normalised", "--scale", "overlap", "--force"}))
                .code,
            0);
  EXPECT_NEAR(testing::short_view(read_image(out_)).as<const double>().at(0, 0), 4, 1e-5)
      << "four planes of variance 1";
}

TEST_F(CliCorrelate, WithAnother) {
  ASSERT_EQ(run_tool(words({photo(1)}, out_, {"--with", photo(2), "--quadrants", "all"})).code, 0);
  const Image one = scene_planes(testing::short_view(read_image(photo(1)))),
              two = scene_planes(testing::short_view(read_image(photo(2))));
  const Image map =
      correlate(one.view(), two.view(), {.max_shift = 20, .quadrants = Quadrants::all});
  EXPECT_EQ(testing::short_view(read_image(out_)).as<const double>().at(3, 30),
            map.as<float>().at(3, 30));
}

TEST_F(CliCorrelate, SweepsAreOneTable) {
  const std::string picture = folder_.path("sweep.svg");
  const Outcome outcome =
      run_tool(words({in_}, out_,
                     {"--sums", "pairs", "--sweep", "gradient-scale=1,2,texture-scale=2,3,6",
                      "--picture", picture}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("gradient-scale 2, texture-scale 6  x1:x1+x2:x2"), std::string::npos)
      << outcome.out;
  EXPECT_TRUE(fs::exists(folder_.path("sweep.tsv")));
  EXPECT_EQ(read_image(out_).info().size, (Size{20, 20, 1, 24})) << "6 settings, 2 maps, errors";
  const auto kept = nlohmann::json::parse(read_bytes(folder_.path("maps.json")));
  ASSERT_EQ(kept["sweep"].size(), 12U);
  EXPECT_EQ(kept["sweep"][3]["setting"], "gradient-scale 1, texture-scale 3");
  EXPECT_EQ(kept["sweep"][3]["at_zero"], kept["mean_at_zero"][3]);
  std::istringstream lines(read_bytes(folder_.path("maps.csv")));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "gradient-scale,texture-scale,map,profile,shift,mean,standard_error,shifts");
  std::getline(lines, line);
  EXPECT_EQ(line.substr(0, 4), "1,2,") << line;
  for (const auto& [sweep, why] : {std::pair{"gradient-scal=1", "did you mean gradient-scale"},
                                   {"texture-scale=2,2", "twice"},
                                   {"texture-scale", "has no values"}}) {
    const Outcome refused = run_tool(words({in_}, out_, {"--force", "--sweep", sweep}));
    EXPECT_EQ(refused.code, 2) << sweep;
    EXPECT_NE(refused.err.find(why), std::string::npos) << refused.err;
  }
}

TEST_F(CliCorrelate, FitsSaysWhatItIs) {
  const std::string fits = folder_.path("maps.fits");
  const Outcome outcome =
      run_tool(words({in_}, fits, {"--quadrants", "all", "--scale", "overlap"}));
  if (outcome.err.find("left out of this build") != std::string::npos) GTEST_SKIP();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string header = read_bytes(fits).substr(0, 5760);
  for (const char* part : {"MAXSHIFT=                   20", "NORMALIS= 'zscore  '",
                           "SCALE   = 'overlap '", "NIMAGES =                    5",
                           "CRPIX1  =                   20", "MAP1    = 'a:a+b:b+x1:x1+x2:x2'",
                           "HISTORY ran: correlate", "HISTORY planes: mean, then standard error"})
    EXPECT_NE(header.find(part), std::string::npos) << part << "\n" << header;
}

TEST_F(CliCorrelate, DrawsMapsAndProfiles) {
  const std::string picture = folder_.path("maps.svg");
  const Outcome outcome = run_tool(words({in_}, out_, {"--picture", picture, "--sums", "pairs"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(folder_.path("maps.tsv")));
  if (!fs::exists(picture)) GTEST_SKIP() << "gnuplot was not found";
  const std::string svg = read_bytes(picture);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_NE(svg.find("standard error"), std::string::npos);
  EXPECT_NE(svg.find("<image"), std::string::npos);
}

TEST_F(CliCorrelate, RefusesWhatCannotBe) {
  ASSERT_EQ(run_tool(words({in_}, out_)).code, 0);
  for (const auto& [line, code, part] :
       {std::tuple<Words, int, std::string>{words({in_}, out_), 2, "maps.npy"},
        {words({in_}, folder_.path("x.txt")), 2, "end it with .npy or .fits"},
        {words({in_}, folder_.path("x.npy"), {"--picture", "x.pdf"}), 2, ".svg or .png"},
        {words({in_}, folder_.path("x.npy"), {"--angles", "200"}), 2, "--quadrants all"},
        {words({in_}, folder_.path("x.npy"), {"--max-shift", "51"}), 2, "0.png is 60x50"},
        {words({in_}, folder_.path("x.png")), 2, "PNG holds u8 or u16"},
        {words({in_}, folder_.path("none/x.npy")), 2, "there is no folder"},
        {words({in_}, folder_.path("x.npy"), {"--picture", folder_.path("none/x.svg")}), 2,
         "there is no folder"},
        {words({in_}, folder_.path("x.npy"), {"--sums", "9:9"}), 2, "9"},
        {words({in_}, folder_.path("x.npy"), {"--stack", "2"}), 2, "cannot be divided into images"},
        {words({in_}, folder_.path("x.npy"), {"--with", folder_.path("none.png")}), 3, "none.png"},
        {words({folder_.path("none.png")}, folder_.path("x.npy")), 3, "none.png"},
        {words({folder_.path("*.tif")}, folder_.path("x.npy")), 3, "no file matches"},
        {{"correlate", in_}, 2, "output"}}) {
    const Outcome outcome = run_tool(line);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_EQ(files_in(folder_.path()), (Words{"in", "maps.csv", "maps.json", "maps.npy"}));
  }
}

TEST_F(CliCorrelate, WhatItMadeInTheFolderIsNoInput) {
  const std::string made = in_ + "/0.npy", picture = in_ + "/00.png";
  const Words drawn{"--picture", picture, "--force"};
  ASSERT_EQ(run_tool(words({in_}, made, drawn)).code, 0);
  const std::string bytes = read_bytes(made);
  for (const std::string& again : {in_, in_ + "/*"}) {
    const Outcome outcome = run_tool(words({again}, made, drawn));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read_bytes(made), bytes);
  }
  const Outcome named = run_tool(words({photo(1), made}, made, drawn));
  EXPECT_EQ(named.code, 2);
  EXPECT_NE(named.err.find("0.npy would be replaced"), std::string::npos) << named.err;
}

// Grey has no colour to divide by, and sums may be too large: neither may spoil the mean.
TEST_F(CliCorrelate, MapsThatAreNotFiniteAreLeftOut) {
  const Words pairs{"--sums", "pairs", "--scale", "energy"};
  ASSERT_EQ(run_tool(words({in_}, out_, pairs)).code, 0);
  const std::string grey = in_ + "/grey.png", again = folder_.path("again.npy");
  write_image(grey, testing::short_view(random_image({60, 50}, Type::u8, 9)));
  const Outcome outcome = run_tool(words({in_}, again, pairs));
  EXPECT_EQ(outcome.code, 4);
  EXPECT_NE(outcome.err.find("grey.png: its map 0:0+1:1 is of planes that are 0"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(read_bytes(again), read_bytes(out_));
  EXPECT_EQ(run_tool(words({grey}, folder_.path("sum.npy"))).code, 0) << "all as one map";

  Image large({60, 50}, Type::f32);
  for (int y = 0; y < 50; ++y)
    for (int x = 0; x < 60; ++x) large.as<float>().at(x, y) = 1e25F;
  write_image(folder_.path("large.npy"), large.view());
  const Outcome none = run_tool(words({folder_.path("large.npy")}, folder_.path("none.npy")));
  EXPECT_EQ(none.code, 3);
  EXPECT_NE(none.err.find("beyond the largest float"), std::string::npos) << none.err;
}

// Killed at random until it finishes: the same bytes, and no other files are left.
TEST_F(CliCorrelate, GoesOnAfterBeingKilled) {
  for (int i = 5; i < 24; ++i)
    write_image(photo(i), testing::short_view(random_image({60, 50, 3}, Type::u8, 3U + i)));
  const Words slow{"--method", "reference", "--sums", "joint", "--threads", "2"};
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(run_tool(words({in_}, out_, slow)).code, 0);
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - start;
  const std::string made = folder_.path("made/");
  fs::create_directory(made);
  std::mt19937 random(5);
  for (const int signal : {SIGKILL, SIGINT}) {
    Words line = words({in_}, made + "maps.npy", slow);
    line.insert(line.begin(), TESSERA_CLI);
    int kills = 0;
    for (; kills < 100; ++kills) {
      // The maps come last: a kill after them leaves only the files kept for going on.
      if (fs::exists(made + "maps.npy") && line.back() != "--force") line.push_back("--force");
      Process process(line);
      const double part = std::uniform_real_distribution<>(0.2, 1.2)(random) + 0.05 * kills;
      std::this_thread::sleep_for(whole * part);
      ::kill(process.id(), signal);
      const Outcome outcome = process.wait();
      ASSERT_TRUE(outcome.code == 0 || outcome.code == 128 + signal) << outcome.err;
      if (outcome.code == 0) break;
    }
    EXPECT_LT(kills, 100);
    EXPECT_EQ(read_bytes(made + "maps.npy"), read_bytes(out_));
    EXPECT_EQ(read_bytes(made + "maps.json"), read_bytes(folder_.path("maps.json")));
    EXPECT_EQ(files_in(made), (Words{"maps.csv", "maps.json", "maps.npy"}));
    fs::remove_all(made);
    fs::create_directory(made);
  }
}

TEST_F(CliCorrelate, HelpHasExamples) {
  const std::string help = run_tool({"correlate", "--help"}).out;
  for (const char* part : {"-o, --output FILE", "--max-shift", "--texture-scale", "--picture",
                           "tessera correlate photos -o scenes.fits", "IMAGES"})
    EXPECT_NE(help.find(part), std::string::npos) << part;
  EXPECT_EQ(help.find("--batch"), std::string::npos);
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

}  // namespace
}  // namespace tessera::testing
