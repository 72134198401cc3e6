// SPDX-License-Identifier: Apache-2.0
// Rotation measure synthesis from the command line: what is refused, and what is odd and is not.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "jobs/faraday/faraday_planes.hpp"
#include "tests/support/cli_faraday.hpp"
#include "tests/support/fits_file.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/views.hpp"

namespace tessera::testing {
namespace {

TEST_F(CliFaraday, SaysWhatIsWrong) {
  write_cubes();
  const std::string short_list = folder_.path("short.txt"), bad = folder_.path("bad.txt");
  write_text(short_list, "1e9\n1.1e9\n");
  write_text(bad, "1e9\n# fine\n3.6d8\n");
  std::string numbers = "nan\n";
  for (int k = 1; k < kChannels; ++k) numbers += fmt::format("{}\n", 1e9 + 1e7 * k);
  write_text(folder_.path("nan.txt"), numbers);
  const auto with_list = [&](const std::string& list, const Words& more = {}) {
    Words words = synth("x_", more);
    words[4] = list;
    return words;
  };
  expect_failure(with_list(short_list), 2, "short.txt has 2 frequencies and");
  expect_failure(with_list(short_list), 2, "q.npy has 24 channels");
  expect_failure(with_list(folder_.path("nan.txt")), 2, "the frequency of channel 0 is nan Hz");
  expect_failure(with_list(bad), 3, "bad.txt: line 3 is '3.6d8'");
  expect_failure(with_list(cube("q")), 3, "q.npy: line 1 is '?NUMPY");
  expect_failure(with_list(folder_.path("none.txt")), 3, "none.txt: it cannot be read");
  expect_failure(synth("x_", {"-w", "variance"}), 2, "need --noise");
  expect_failure(synth("x_", {"--maps", "rmm"}), 2, "'rmm' is not known");
  expect_failure(synth("x_", {"-d", "1e-7"}), 2, "depths");
  expect_failure(synth("x_", {"-d", "0.001", "--memory-limit", "1M"}), 5,
                 "too little for one row at a time");
  expect_failure(synth("x_", {"--one-file"}), 2, "need FITS");
  expect_failure(synth("x_", {"--picture", "x.gif"}), 2, ".svg or .png");
  const std::string picture = folder_.path("plot.svg");
  expect_failure(synth("x_", {"--picture", picture, "--picture-pixel", "13,0"}), 2,
                 "the pixel of the picture is 13,0; the image is 13x11");
  expect_failure(synth("x_", {"--picture", picture, "--picture-rmsf", folder_.path("plot.png")}), 2,
                 "both have their figures in");
  expect_failure(synth("x_", {"--picture-rmsf", picture, "--no-rmsf"}), 2, "leave out --no-rmsf");
  Words words = synth("x_", {"--picture-rmsf", picture});
  words[8] = "0";  // one depth
  expect_failure(words, 2, "has no RMSF");
  write_text(folder_.path("plot.tsv"), "mine");
  expect_failure(synth("x_", {"--picture", picture}), 2, "plot.tsv exists; give the option force");
  write_image(cube("mask"), testing::short_view(random_image({5, 4}, Type::u8, 1)));
  expect_failure(synth("x_", {"--keep", cube("mask")}), 2, "the map of pixels to keep");
  expect_failure(synth("x_", {"--mask", "m.fits"}), 2,
                 "--mask is no longer read here; write --keep m.fits, which keeps the pixels where "
                 "it is not 0");
  words = synth("x_");
  words[3] = cube("mask");
  expect_failure(words, 2, "both must have the same shape");
  words = synth("x_");
  words.erase(words.begin() + 4);
  expect_failure(words, 2, "does not state its frequencies");
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path("")))
    EXPECT_FALSE(entry.path().filename().string().starts_with("x_")) << entry.path();
  ASSERT_EQ(run_tool(synth("y_")).code, 0);
  expect_failure(synth("y_"), 2, "exists; give the option force");
  std::filesystem::remove(folder_.path("y_FDF_real_dirty.npy"));
  expect_failure(synth("y_"), 2, "exists; give the option force");
  EXPECT_FALSE(std::filesystem::exists(folder_.path("y_FDF_real_dirty.npy")));
  const auto clean = [&](const Words& more) {
    Words all{"faraday",          "clean", folder_.path("y_FDF_im_dirty.npy"),
              folder_.path("y_"), "-o",    folder_.path("y_")};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  ASSERT_EQ(run_tool(synth("y_", {"--force"})).code, 0);
  expect_failure(clean({"-c", "1"}), 2, "give --dphi");
  expect_failure(clean({"--dphi", "10"}), 2, "there is no cutoff");
  expect_failure(clean({"--dphi", "10", "-c", "-3"}), 2, "give --noise");
  expect_failure(clean({"--dphi", "10", "-c", "-3", "--noise", "0"}), 2, "must be above 0");
  expect_failure(clean({"--dphi", "10", "-c", "1", "-w", "-2"}), 2, "a window of -2");
  expect_failure(clean({"--dphi", "10", "-c", "1", "--cutoff-map", cube("mask")}), 2,
                 "give only one");
  expect_failure({"faraday", "clean", folder_.path("z_"), folder_.path("y_"), "-c", "1", "-o", "z"},
                 3, "there is no file");
}

TEST_F(CliFaraday, OddFrequenciesAndEmptyCubes) {
  channels_.frequency[5] = channels_.frequency[4];  // both count
  std::swap(channels_.frequency[1], channels_.frequency[20]);
  std::string lines;
  for (const double f : channels_.frequency) lines += fmt::format("{}\n", f);
  write_text(list_, lines);
  write_cubes();
  const Outcome outcome = run_tool(synth("a_"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(
      outcome.out.find("\nnote: 1 frequency is given more than once, and all count: 1168000000"),
      std::string::npos)
      << outcome.out;
  EXPECT_TRUE(same_samples(testing::short_view(expected().real),
                           testing::short_view(made("a_FDF_real_dirty.npy"))));
  for (int i = 0; i < kSize.samples(); ++i) q_.as<float>().data[i] = kNaN;
  write_cubes();
  expect_failure(synth("b_"), 3, "no voxel at which both are finite");
}

// Two of them lie about the frequency that results refer to.
TEST_F(CliFaraday, ChannelsThatOnlyTheModelLacksAreDead) {
  Image model(q_.info());
  for (int i = 0; i < kSize.samples(); ++i) model.as<float>().data[i] = 2;
  for (const int k : {10, 11})
    for (int y = 0; y < kSize.height; ++y)
      for (int x = 0; x < kSize.width; ++x) model.as<float>().at(x, y, 0, k) = k == 10 ? kNaN : 0;
  write_image(cube("i"), model.view());
  write_cubes();
  const Outcome outcome = run_tool(synth("a_", {"-i", cube("i"), "--json"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["dead_channels"], 2);
  EXPECT_EQ(json["incomplete_pixels"], 0);
  for (const int k : {10, 11})
    for (int y = 0; y < kSize.height; ++y)
      for (int x = 0; x < kSize.width; ++x) q_.as<float>().at(x, y, 0, k) = kNaN;
  EXPECT_TRUE(same_samples(testing::short_view(expected().real),
                           testing::short_view(made("a_FDF_real_dirty.npy"))));
}

TEST_F(CliFaraday, WithoutABrightestPixelThereIsNoPicture) {
  Image mask({kSize.width, kSize.height}, Type::u8);
  for (int i = 0; i < kSize.width * kSize.height; ++i) mask.as<unsigned char>().data[i] = 0;
  write_image(cube("mask"), mask.view());
  write_cubes();
  const Outcome outcome = run_tool(
      synth("a_", {"--keep", cube("mask"), "--picture", folder_.path("plot.svg"), "--json"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(json["notes"].size(), 1U) << outcome.out;
  EXPECT_TRUE(json["notes"][0].get<std::string>().starts_with("no pixel has a spectrum"));
  EXPECT_TRUE(json["max_pi"].is_null()) << json["max_pi"];
  EXPECT_TRUE(json["peak_rm"].is_null()) << json["peak_rm"];
  EXPECT_FALSE(std::filesystem::exists(folder_.path("plot.tsv")));
}

// Names that have none for a pixel's own RMSF: patterns are counted all the same.
TEST_F(CliFaraday, BrentjensHasOneRmsf) {
  q_.as<float>().at(3, 4, 0, 7) = kNaN;
  write_cubes();
  const Outcome outcome = run_tool(synth("a_", {"--names", "brentjens", "--json"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["patterns"], 2);
  EXPECT_EQ(json["incomplete_pixels"], 1);
  EXPECT_TRUE(std::filesystem::exists(folder_.path("a_rmsf.txt")));
  const std::string said = run_tool(synth("a_", {"--names", "brentjens", "--force"})).out;
  EXPECT_NE(said.find("\n1 pixel lacks channels, in 1 way; 0 have none\n"), std::string::npos)
      << said;
  EXPECT_TRUE(same_samples(testing::short_view(expected().real),
                           testing::short_view(made("a_q-rmcube-dirty.npy"))));
}

/// The last `bytes` are gone.
void cut(const std::string& path, std::uintmax_t bytes) {
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - bytes);
}

void expect_partial(const Words& words, const std::string& file) {
  const Outcome outcome = run_tool(words);
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  const std::size_t at = outcome.err.find("warning: ");
  ASSERT_NE(at, std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find(file, at), std::string::npos) << outcome.err;
}

TEST_F(CliFaraday, EveryFileThatIsCutIsSaid) {
  Image map({kSize.width, kSize.height}, Type::f32);
  for (int i = 0; i < kSize.width * kSize.height; ++i) map.as<float>().data[i] = 1;
  write_image(cube("map"), map.view());
  cut(cube("map"), 12);
  write_cubes();
  expect_partial(synth("a_", {"--allow-truncated", "--keep", cube("map")}), "map.npy");
  expect_partial({"faraday", "clean", folder_.path("a_"), folder_.path("a_"), "--dphi", "10",
                  "--cutoff-map", cube("map"), "--allow-truncated", "-o", folder_.path("a_")},
                 "map.npy");
  // Three columns look like colours.
  const Size thin{3, kSize.height, 1, kChannels};
  write_image(cube("q"), testing::short_view(random_image(thin, Type::f32, 1)), {.force = true});
  write_image(cube("u"), testing::short_view(random_image(thin, Type::f32, 2)), {.force = true});
  cut(cube("u"), 12);
  expect_partial(synth("b_", {"--allow-truncated"}), "u.npy");
}

TEST_F(CliFaraday, OneFileIsNotQAndU) {
  write_cubes();
  const auto given = [&](const std::string& q, const std::string& u) {
    Words words = synth("a_");
    words[2] = q, words[3] = u;
    return words;
  };
  expect_failure(given(cube("q"), cube("q")), 2, "q.npy is given as Stokes Q and as Stokes U;");
  std::filesystem::create_symlink("q.npy", cube("link"));
  expect_failure(given(cube("q"), cube("link")), 2, "link.npy) is given as Stokes Q and as Stokes");
  if (!can_write(".fits")) return;
  std::string qs, us;
  for (int k = 0; k < kChannels; ++k) {
    const std::string q = fmt::format("q{:02}.fits", k), u = fmt::format("u{:02}.fits", k);
    write_image(folder_.path(q), planes_of(AnyView(q_.view()), k, 1));
    write_image(folder_.path(u), planes_of(AnyView(u_.view()), k, 1));
    qs += q + "\n";
    us += (k == 7 ? q : u) + "\n";
  }
  write_text(folder_.path("qs.txt"), qs);
  write_text(folder_.path("us.txt"), us);
  expect_failure(given("@" + folder_.path("qs.txt"), "@" + folder_.path("us.txt")), 2,
                 "q07.fits is given as Stokes Q and as Stokes U of channel 7;");
  const std::string pattern = folder_.path("u??.fits");
  EXPECT_EQ(run_tool(given("@" + folder_.path("qs.txt"), pattern)).code, 0);
}

// The cube has Q and U in different planes.
TEST_F(CliFaraday, OneFileOfAllStokesParametersIsQAndU) {
  if (!can_write(".fits")) GTEST_SKIP();
  std::string data;
  for (const Image* image : {&q_, &q_, &u_, &u_})  // I, Q, U, V
    for (int i = 0; i < kSize.samples(); ++i) {
      const auto bits = std::bit_cast<std::uint32_t>(image->as<float>().data[i]);
      for (int shift = 24; shift >= 0; shift -= 8) data += static_cast<char>(bits >> shift & 0xff);
    }
  std::ofstream(cube("iquv", ".fits"), std::ios::binary)
      << fits_bytes(-32, {kSize.width, kSize.height, kChannels, 4},
                    {card("CTYPE3  = 'FREQ'"), card("CTYPE4  = 'STOKES'"), card("CRPIX4", "1"),
                     card("CRVAL4", "1"), card("CDELT4", "1")},
                    data);
  Words words = synth("a_");
  words[2] = words[3] = cube("iquv", ".fits");
  const Outcome outcome = run_tool(words);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(same_samples(testing::short_view(expected().real),
                           testing::short_view(made("a_FDF_real_dirty.fits"))));
}

// One value a channel for all pixels is a cube of them.
TEST_F(CliFaraday, ModelsThatAreLists) {
  Image model(q_.info());
  std::string values, pairs;
  for (int k = 0; k < kChannels; ++k) {
    const float value = k == 3 ? kNaN : 1 + 0.03F * static_cast<float>(k % 7);
    for (int y = 0; y < kSize.height; ++y)
      for (int x = 0; x < kSize.width; ++x) model.as<float>().at(x, y, 0, k) = value;
    values += fmt::format("{}\n", value);
    pairs = fmt::format("{} {}\n", channels_.frequency[static_cast<std::size_t>(k)], value) + pairs;
  }
  write_image(cube("i"), model.view());
  write_text(folder_.path("values.txt"), values);
  write_text(folder_.path("pairs.txt"), pairs);
  write_cubes();
  ASSERT_EQ(run_tool(synth("a_", {"-i", cube("i"), "--allow-raw-model"})).code, 0);
  for (const std::string list : {"values.txt", "pairs.txt"}) {
    const Outcome outcome = run_tool(synth("b_", {"-i", folder_.path(list), "--force", "--json"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["dead_channels"], 1);
    for (const std::string name : {"FDF_real_dirty", "FDF_im_dirty", "FDF_maxPI"})
      EXPECT_TRUE(same_samples(testing::short_view(made("a_" + name + ".npy")),
                               testing::short_view(made("b_" + name + ".npy"))))
          << list << name;
  }
  write_text(folder_.path("short.txt"), "1\n2\n");
  expect_failure(synth("b_", {"-i", folder_.path("short.txt"), "--force"}), 2,
                 "has 2 values of Stokes I, but there are 24 channels");
}

}  // namespace
}  // namespace tessera::testing
