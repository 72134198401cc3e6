// SPDX-License-Identifier: Apache-2.0
// The same command makes the same bytes on one core, on two and on all of them, and at any time of
// day.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "report/json.hpp"
#include "tests/support/few_cores.hpp"
#include "tests/support/file_commands.hpp"
#include "tests/support/file_scene.hpp"

namespace tessera::testing {
namespace {

FileCommand sample_command(const std::string& kind, const Words& more, int files) {
  Words words{"sample", kind, "OUT.npy"};
  words.insert(words.end(), more.begin(), more.end());
  return {.name = "sample_" + kind, .words = words, .outputs = files, .many = true};
}

FileCommand morphology_command(const std::string& word) {
  std::string name = word;  // of a test: letters, digits and underscores
  std::replace(name.begin(), name.end(), '-', '_');
  return {.name = name, .size = {300, 200}, .words = {word, "IN", "disk:4", "OUT"}};
}

FileCommand faraday_fits_command() {
  return {.name = "faraday_synth_fits",
          .words = {"faraday", "synth", "STEM_Q.fits", "STEM_U.fits", "STEM_freqs.txt", "-o", "OUT",
                    "-l", "300", "-d", "20"},
          .always_force = true,
          .outputs = 9,
          .many = true,
          .before = {{"sample", "polarised", "STEM.fits", "--size", "60x50", "--channels", "24",
                      "--sources", "3"}}};
}

// Large enough that the work is divided. A command that makes files has its line here.
std::vector<FileCommand> same_bytes_commands() {
  const PolarisedSize cube{.size = "60x50", .channels = "24", .sources = "3"};
  const VoltagesSize voltages{.antennas = "8", .channels = "32", .samples = "4000"};
  FileCommand film = cells_track_command(
      "160x120", {.more = {"--overlay", "yes", "--report", "yes", "--masks", "yes"}});
  film.outputs += 5;  // the movie, three files of the report, the masks
  return {
      convert_command("npy", Type::u16, {700, 500}),
      convert_command("png", Type::u8, {400, 300, 3}),
      convert_command("tif", Type::u16, {700, 600}, {"--compression", "deflate"}),
      convert_command("fits", Type::f32, {400, 300}),
      named(convert_command("fits", Type::u16, {400, 300}, {"--compression", "rice"}),
            "convert_fits_rice"),
      named(convert_command("fits", Type::f32, {400, 300}, {"--compression", "deflate"}),
            "convert_fits_deflate"),
      convert_command("jpg", Type::u8, {400, 300, 3}),
      convert_command("raw", Type::f32, {400, 300}, {"--raw", "400x300:f32"}),
      convert_command("mkv", Type::u8, {64, 48, 1, 20}),
      convert_command("avi", Type::u8, {64, 48, 1, 20}),
      convert_command("mp4", Type::u8, {320, 240, 1, 40}),
      convolve_command("npy", Type::f32, {500, 400}, "gauss:2", {"--memory-limit", "1M"}),
      named(convolve_command("npy", Type::f32, {500, 400}, "gauss:9", {"--method", "fft"}),
            "convolve_fft"),
      convolve_command("tif", Type::u8, {500, 400}, "box:3x3"),
      morphology_command("erode"),
      morphology_command("dilate"),
      morphology_command("opening"),
      morphology_command("closing"),
      morphology_command("white-tophat"),
      morphology_command("black-tophat"),
      morphology_command("gradient"),
      edges_command({300, 200}),
      {.name = "median", .size = {300, 200}, .words = {"median", "IN", "5", "OUT"}},
      {.name = "rank",
       .size = {300, 200},
       .words = {"rank", "IN", "disk:4", "OUT", "--percentile", "30"}},
      match_command({300, 600}),
      correlate_command({300, 200}, "60"),
      enhance_command("npy", {700, 500, 3}, {"--memory-limit", "1M"}),
      cells_detect_command({160, 120, 1, 12}),
      film,
      faraday_synth_command(cube),
      faraday_fits_command(),
      faraday_cleaned_command(cube),
      faraday_clean_command(cube),
      faraday_fit_command(cube),
      faraday_catalogue_command(cube),
      faraday_spectrum_command(),
      bench_report_command(),
      noise_npy_command({300, 200}, "32"),
      named(noise_npy_command({300, 200}, "32", {"--mode", "grid"}), "noise_grid"),
      xengine_npy_command(voltages),
      xengine_uvfits_command(voltages),
      sample_sky_command("300x200"),
      sample_voltages_command(voltages),
      sample_command("scene", {"--size", "300x200"}, 1),
      sample_command("points", {"--size", "300x200"}, 1),
      sample_command("cells", {"--size", "160x120", "--frames", "12", "--cells", "2"}, 1),
      sample_command("polarised", {"--size", "60x50", "--channels", "24", "--sources", "3"}, 4),
  };
}

class SameBytes : public ::testing::TestWithParam<FileCommand> {
 protected:
  void SetUp() override {
    if (!scene_.built()) GTEST_SKIP() << "not in this build";
  }
  FileScene scene_{GetParam()};
};

TEST_P(SameBytes, OnOneCoreOnTwoAndOnAll) {
  ASSERT_FALSE(scene_.expected().empty());
  for (const std::size_t cores : {1U, 2U}) {
    const FewCores few(cores);
    scene_.reset(false);
    const Outcome outcome = Process(scene_.arguments(false)).wait();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(scene_.output_state(), "new") << cores << " cores";
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, SameBytes, ::testing::ValuesIn(same_bytes_commands()),
                         [](const auto& test) { return test.param.name; });

/// The methods that ran, wherever a result names them.
void collect_methods(const Json& result, std::vector<std::string>& methods) {
  for (const auto& [key, value] : result.items()) {
    if (key == "ran") methods.push_back(value.dump());
    if (value.is_structured()) collect_methods(value, methods);
  }
}

std::vector<FileCommand> commands_with_methods() {
  std::vector<FileCommand> commands = same_bytes_commands();
  std::erase_if(commands, [](const FileCommand& command) {
    const std::string& word = command.words[0];
    return word == "convert" || word == "sample" || word == "bench" ||
           command.name == "faraday_spectrum";  // one spectrum, by the reference
  });
  return commands;
}

class SameMethods : public SameBytes {
 protected:
  std::vector<std::string> methods() {
    scene_.reset(false);
    Words words = scene_.arguments(false);
    words.push_back("--json");
    const Outcome outcome = Process(words).wait();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::vector<std::string> found;
    collect_methods(Json::parse(outcome.out), found);
    return found;
  }
};

// A process that is bound to some cores chooses as its neighbours do.
TEST_P(SameMethods, OnOneCoreOnTwoAndOnAll) {
  const std::vector<std::string> all = methods();
  EXPECT_FALSE(all.empty());
  for (const std::size_t cores : {1U, 2U}) {
    const FewCores few(cores);
    EXPECT_EQ(methods(), all) << cores << " cores";
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, SameMethods, ::testing::ValuesIn(commands_with_methods()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tessera::testing
