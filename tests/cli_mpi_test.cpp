// SPDX-License-Identifier: Apache-2.0
// Under mpirun every command makes the bytes of one process, and what goes wrong on a rank ends all
// of them with one sentence and nothing half made.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>

#include "report/json.hpp"
#include "tests/support/file_commands.hpp"
#include "tests/support/file_scene.hpp"
#include "tests/support/mpi_runs.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

/// The inputs are samples of several sizes, named STEM_01.npy and so on.
FileCommand many_images(const std::string& name, const Words& words, int outputs, int images) {
  FileCommand command{.name = name, .words = words, .outputs = outputs, .many = true};
  for (int i = 1; i <= images; ++i)
    command.before.push_back({"sample", "scene", "STEM_" + std::to_string(10 + i) + ".npy",
                              "--size", "90x70", "--seed", std::to_string(i)});
  return command;
}

/// Floats are summed in runs, channel by channel.
FileCommand xengine_of_floats(const VoltagesSize& voltages) {
  FileCommand command =
      named(xengine_npy_command(voltages, {.more = {"--integrate", "700"}}), "xengine_floats");
  command.before[0].insert(command.before[0].end(), {"--type", "cf32"});
  return command;
}

FileCommand word_command(const std::string& name, const Words& words, Type type, Size size,
                         const Words& more = {}) {
  return {.name = name, .type = type, .size = size, .words = words, .more = more};
}

const PolarisedSize kLargeCube{.size = "120x110", .channels = "48", .sources = "5"};

// Units have 4 MiB of input and output: images of several units, and of less than one.
std::vector<FileCommand> mpi_commands() {
  return {
      convolve_command("npy", Type::f32, {1200, 1700}, "gauss:2"),
      named(convolve_command("npy", Type::f32, {1200, 1700}, "gauss:2", {"--memory-limit", "2M"}),
            "convolve_parts_of_units"),
      named(convolve_command("npy", Type::f32, {1200, 1700}, "gauss:9", {"--method", "fft"}),
            "convolve_fft"),
      named(convolve_command("npy", Type::u8, {40, 1}, "box:3x3"), "convolve_one_row"),
      convolve_command("fits", Type::f32, {1200, 1700}, "gauss:2", {"--force"}),
      named(convolve_command("tif", Type::u16, {1100, 700, 3, 2}, "box:3x3"), "convolve_pages"),
      convolve_command("png", Type::u8, {1800, 1500, 3}, "box:3x3"),
      convolve_command("raw", Type::u8, {3000, 2000}, "box:3x3", {"--raw", "3000x2000:u8"}),
      word_command("closing", {"closing", "IN", "disk:4", "OUT"}, Type::u8, {3000, 2100}),
      word_command("rank", {"rank", "IN", "disk:4", "OUT", "--percentile", "30"}, Type::u8,
                   {3000, 2100}),
      word_command("edges", {"edges", "IN", "gauss:2", "OUT"}, Type::f32, {1200, 1500}),
      word_command("checked", {"erode", "IN", "box:9x9", "OUT", "--check"}, Type::u8, {3000, 2100}),
      {.name = "noise",
       .type = Type::f32,
       .size = {700, 1500},
       .words = {"noise", "IN", "-o", "OUT", "--box", "32"},
       .outputs = 3,
       .many = true},
      {.name = "noise_binned",
       .type = Type::u16,
       .size = {900, 3000},
       .words = {"noise", "IN", "-o", "OUT", "--box", "32", "--mode", "binned"},
       .outputs = 3,
       .many = true},
      {.name = "noise_cube",
       .type = Type::f64,
       .size = {400, 1500, 1, 2},
       .words = {"noise", "IN", "-o", "OUT", "--box", "32"},
       .outputs = 3,
       .many = true},
      enhance_command("npy", {1800, 1500, 3}),
      named(enhance_command("tif", {900, 1400, 3, 2}, {"--steps", "equalise", "--check"}),
            "enhance_pages"),
      word_command("enhance_clahe", {"enhance", "IN", "OUT", "--steps", "clahe"}, Type::u16,
                   {1500, 1700}),
      word_command("enhance_clahe_floats", {"enhance", "IN", "OUT", "--steps", "clahe"}, Type::f32,
                   {1100, 1700}),
      word_command("enhance_contrast_doubles", {"enhance", "IN", "OUT", "--steps", "contrast"},
                   Type::f64, {900, 1000}),
      named(xengine_npy_command({.antennas = "6", .channels = "10", .samples = "4000"}),
            "xengine_npy"),
      named(xengine_npy_command({.antennas = "6", .channels = "2", .samples = "4000"}),
            "xengine_fewer_channels"),
      xengine_of_floats({.antennas = "6", .channels = "10", .samples = "4000"}),
      named(xengine_uvfits_command({.antennas = "6", .channels = "10", .samples = "4000"}),
            "xengine_uvfits"),
      named(xengine_npy_command({.antennas = "6", .channels = "12", .samples = "4000"},
                                {.more = {"--average", "2", "--integrate", "700", "--order",
                                          "register-tile", "--block", "300"}}),
            "xengine_tiles"),
      faraday_synth_command(kLargeCube),
      named(faraday_cleaned_command(kLargeCube), "faraday_synth_clean"),
      faraday_clean_command(kLargeCube),
      // One process does these.
      {.name = "faraday_patterns",
       .words = {"faraday", "synth", "STEM_Q.npy", "STEM_U.npy", "STEM_freqs.txt", "-o", "OUT",
                 "-l", "300", "-d", "20", "--maps-only"},
       .outputs = 6,
       .many = true,
       .before = {sample_polarised_words(kLargeCube)}},
      {.name = "noise_grid",
       .type = Type::f32,
       .size = {300, 200},
       .words = {"noise", "IN", "-o", "OUT", "--box", "32", "--mode", "grid"},
       .outputs = 3,
       .many = true},
      match_command({300, 600}),
      // 21 images are two blocks and a part of one.
      many_images("correlate", {"correlate", "STEM_*.npy", "-o", "OUT.npy", "--max-shift", "20"}, 3,
                  21),
  };
}

class CliMpi : public ::testing::TestWithParam<FileCommand> {
 protected:
  void SetUp() override {
    if (launchers_.empty()) GTEST_SKIP() << "no mpirun of an MPI that this build knows";
    if (!scene_.built()) GTEST_SKIP() << "not in this build";
  }
  std::vector<Launcher> launchers_ = usable_launchers();
  FileScene scene_{GetParam()};
};

/// Commands of the table that one process does.
bool is_done_alone(const std::string& name) {
  return name == "noise_grid" || name == "match_npy" || name == "faraday_patterns" ||
         name == "xengine_uvfits";
}

TEST_P(CliMpi, GivesTheBytesOfOneProcess) {
  ASSERT_FALSE(scene_.expected().empty());
  for (const Launcher& launcher : launchers_)
    for (const int ranks : run_all() ? std::vector{1, 2, 3, 4, 7} : std::vector{3}) {
      scene_.reset(false);
      const Outcome outcome = run_ranks(launcher, ranks, scene_.arguments(false));
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      const bool alone = outcome.err.find("one process does this alone") != std::string::npos;
      EXPECT_EQ(alone, ranks > 1 && is_done_alone(GetParam().name)) << outcome.err;
      EXPECT_EQ(scene_.output_state(), "new") << launcher.mpi << ", " << ranks << " ranks";
      EXPECT_EQ(scene_.hidden(), Words{});
    }
}

INSTANTIATE_TEST_SUITE_P(Commands, CliMpi, ::testing::ValuesIn(mpi_commands()),
                         [](const auto& test) { return test.param.name; });

class CliRanks : public ::testing::Test {
 protected:
  void SetUp() override {
    if (launchers_.empty()) GTEST_SKIP() << "no mpirun of an MPI that this build knows";
    write_image(in_, short_view(random_image({1200, 1700}, Type::f32, 3)));
  }
  Words convolve(const Words& more = {}) const {
    Words words{TESSERA_CLI, "convolve", in_, "gauss:2", out_};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  /// One sentence, whoever says it.
  void expect_refused(const Outcome& outcome, int code, const std::string& part) {
    EXPECT_EQ(outcome.code, code) << outcome.err;
    const auto said = sentences_of_tool(outcome.err);
    ASSERT_EQ(said.size(), 1U) << outcome.err;
    EXPECT_NE(said[0].find(part), std::string::npos) << said[0];
  }
  Words files() const {
    Words names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }

  std::vector<Launcher> launchers_ = usable_launchers();
  TemporaryFolder folder_;
  std::string in_ = folder_.path("in.npy"), out_ = folder_.path("out.npy");
};

TEST_F(CliRanks, ShareTheWorkAndSaySo) {
  for (const Launcher& launcher : launchers_) {
    const Outcome outcome = run_ranks(launcher, 2, convolve({"--json", "--force"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json ranks = Json::parse(outcome.out).at("ranks");
    ASSERT_EQ(ranks.size(), 2U);
    long long units = 0;
    for (const Json& rank : ranks) {
      EXPECT_FALSE(rank.at("host").get<std::string>().empty());
      units += rank.at("units").get<long long>();
    }
    EXPECT_EQ(units, 4) << "16.3 MB in units of 4 MiB";
  }
}

// Statistics that strips gather are those of the whole image.
TEST_F(CliRanks, ResultsSayWhatOneProcessSays) {
  ASSERT_EQ(run_tool({"sample", "polarised", folder_.path("p.npy"), "--size", "120x110",
                      "--channels", "48", "--sources", "5"})
                .code,
            0);
  const auto cube = [&](const char* part) { return folder_.path(std::string("p_") + part); };
  ASSERT_EQ(run_tool({"sample", "voltages", folder_.path("v.npy"), "--antennas", "5", "--channels",
                      "7", "--samples", "3000"})
                .code,
            0);
  const std::string bytes = folder_.path("bytes.npy");
  write_image(bytes, short_view(random_image({3000, 2100}, Type::u8, 3)));
  const Words commands[] = {
      {"noise", in_, "-o", folder_.path("n"), "--box", "32"},
      {"convolve", bytes, "sobel:x", out_},
      {"xengine", folder_.path("v.npy"), "-o", folder_.path("x.npy"), "--integrate", "700",
       "--output-type", "i32"},
      {"faraday", "synth", cube("Q.npy"), cube("U.npy"), cube("freqs.txt"), "-o",
       folder_.path("f_"), "-l", "300", "-d", "20", "--clean", "-c", "-5"}};
  for (Words words : commands) {
    words.insert(words.end(), {"--json", "--force"});
    const auto told = [](const Outcome& outcome) {
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      Json json = Json::parse(outcome.out);
      for (const char* measured : {"seconds", "pixels_per_second", "gigabits_per_second", "ranks"})
        json.erase(measured);
      return json.dump(1);
    };
    const std::string one = told(run_tool(words));
    words.insert(words.begin(), TESSERA_CLI);
    EXPECT_EQ(told(run_ranks(launchers_[0], 3, words)), one);
  }
}

TEST_F(CliRanks, OneOfThemSpeaks) {
  for (const Launcher& launcher : launchers_) {
    write_bytes(out_, "old");
    expect_refused(run_ranks(launcher, 3, convolve()), 2, "out.npy exists");
    EXPECT_EQ(read_bytes(out_), "old");
    std::filesystem::remove(out_);
    expect_refused(run_ranks(launcher, 3, {TESSERA_CLI, "erode", "nowhere.npy", "box:3x3", out_}),
                   3, "nowhere.npy: cannot be opened");
    expect_refused(run_ranks(launcher, 3, {TESSERA_CLI, "erode", in_, "box:3x", out_}), 2,
                   "'' is not an integer");
    expect_refused(run_ranks(launcher, 2, convolve({"--mpi", "yes"})), 2, "'yes' is not one of");
    const Outcome help = run_ranks(launcher, 3, {TESSERA_CLI, "erode", "--help"});
    EXPECT_EQ(help.out, run_tool({"erode", "--help"}).out);
    const std::string info = run_ranks(launcher, 3, {TESSERA_CLI, "info"}).out;
    EXPECT_EQ(info.find("tessera  "), info.rfind("tessera  "));
    EXPECT_EQ(files(), Words{"in.npy"});
  }
}

TEST_F(CliRanks, WithoutMpiEachIsOnItsOwn) {
  const Launcher& launcher = launchers_[0];
  const Outcome outcome = run_ranks(launcher, 2, convolve({"--mpi", "off", "--force", "--json"}));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find("\"ranks\""), std::string::npos);
  EXPECT_NE(outcome.out.find("\"ran\""), outcome.out.rfind("\"ran\"")) << "both of them spoke";
}

// N processes of rank 0 would all write the same file.
TEST_F(CliRanks, TheLibraryOfAnotherMpiIsRefused) {
  if (launchers_.size() < 2) GTEST_SKIP() << "one MPI";
  for (int i : {0, 1}) {
    const Outcome outcome = run_ranks(launchers_[i], 2, convolve({"--mpi", launchers_[1 - i].mpi}));
    expect_refused(outcome, 2, "the launcher has started 2 processes");
    EXPECT_EQ(files(), Words{"in.npy"});
  }
}

// As where a folder of that name is not shared.
TEST_F(CliRanks, ThatSeeOtherFilesAreRefused) {
  for (const char* name : {"a", "b"}) {
    std::filesystem::create_directory(folder_.path(name));
    write_image(folder_.path(name) + "/x.npy",
                short_view(random_image({*name == 'a' ? 50 : 60, 40}, Type::u8, 3)));
  }
  for (const Launcher& launcher : launchers_) {
    const std::string tool = TESSERA_CLI " erode x.npy box:3x3 ../out.npy";
    const auto shell = [&](const char* name) {
      return "cd " + folder_.path(name) + " && exec " + tool;
    };
    Words line = launcher.words(1);
    line.insert(line.end(), {"sh", "-c", shell("a"), ":", "-n", "1", "sh", "-c", shell("b")});
    const Outcome outcome = Process(line).wait();
    expect_refused(outcome, 3, "x.npy: rank 1 on ");
    EXPECT_EQ(files(), (Words{"a", "b", "in.npy"}));
  }
}

// Rank 1 may write files of 8 MiB only; the output has 43 MB.
TEST_F(CliRanks, AFullDiskOfOneRankEndsAll) {
  write_image(in_, short_view(random_image({1200, 9000}, Type::f32, 3)), {.force = true});
  for (const Launcher& launcher : launchers_) {
    const std::string command =
        std::string("[ \"${OMPI_COMM_WORLD_RANK:-$PMI_RANK}\" = 1 ] && ulimit -f 8192; exec ") +
        TESSERA_CLI + " convolve " + in_ + " gauss:2 " + out_;
    const auto begun = std::chrono::steady_clock::now();
    const Outcome outcome = run_ranks(launcher, 3, {"bash", "-c", command});
    EXPECT_NE(outcome.code, 0);
    const auto said = sentences_of_tool(outcome.err);
    ASSERT_EQ(said.size(), 1U) << outcome.err;
    EXPECT_NE(said[0].find("rank 1 of 3 on "), std::string::npos) << said[0];
    EXPECT_NE(said[0].find("out.npy"), std::string::npos) << said[0];
    EXPECT_EQ(files(), Words{"in.npy"});
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(30));
  }
}

TEST_F(CliRanks, MoreRanksThanUnits) {
  write_image(in_, short_view(random_image({30, 3}, Type::f32, 3)), {.force = true});
  for (const Launcher& launcher : launchers_) {
    EXPECT_EQ(run_ranks(launcher, 5, convolve({"--force"})).code, 0);
    const std::string many = read_bytes(out_);
    EXPECT_EQ(run_tool({"convolve", in_, "gauss:2", out_, "--force"}).code, 0);
    EXPECT_EQ(many, read_bytes(out_));
  }
}

TEST_F(CliRanks, ShareTheFilesOfABatch) {
  const std::string inputs = folder_.path("inputs");
  std::filesystem::create_directory(inputs);
  for (int i = 0; i < 9; ++i)
    write_image(inputs + "/" + std::to_string(i) + ".npy",
                short_view(random_image({40 + i, 30}, Type::u8, static_cast<unsigned>(i))));
  write_bytes(inputs + "/bad.npy", "not an image");
  const auto words = [&](const std::string& out) {
    return Words{"erode", inputs, "box:3x3", folder_.path(out), "--json"};
  };
  EXPECT_EQ(run_tool(words("one/")).code, 4);
  for (const Launcher& launcher : launchers_) {
    Words command = words(launcher.mpi + "/");
    command.insert(command.begin(), TESSERA_CLI);
    std::filesystem::remove_all(folder_.path("one/3.npy"));
    const Outcome first = run_ranks(launcher, 3, command);
    EXPECT_EQ(first.code, 4) << first.err;
    const Json made = Json::parse(first.out);
    EXPECT_EQ(made.at("done"), 9);
    EXPECT_EQ(made.at("failed"), 1);
    for (int i = 0; i < 9; ++i)
      if (i != 3) {
        EXPECT_EQ(read_bytes(folder_.path(launcher.mpi + "/" + std::to_string(i) + ".npy")),
                  read_bytes(folder_.path("one/" + std::to_string(i) + ".npy")));
      }
    // The manifest of rank 0 knows what the others made.
    std::filesystem::remove(folder_.path(launcher.mpi + "/5.npy"));
    const Json again = Json::parse(run_ranks(launcher, 3, command).out);
    EXPECT_EQ(again.at("had"), 8);
    EXPECT_EQ(again.at("done"), 1);
  }
}

/// A killed rank takes the others with it.
class CliRankKills : public CliRanks {
 protected:
  /// The command in a shell that notes its process number.
  Words noting(const Words& command) const {
    std::string line =
        "echo $$ > " + folder_.path("pid.") + "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; exec";
    for (const std::string& word : command) line += " " + word;
    return {"sh", "-c", line};
  }
  pid_t process_of(int rank) const {
    for (int i = 0; i < 500; ++i) {
      std::ifstream file(folder_.path("pid." + std::to_string(rank)));
      if (pid_t id = 0; file >> id) return id;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return 0;
  }
  /// Kills a rank after a while; returns the exit code of the launcher.
  int run_and_kill(const Launcher& launcher, const Words& command, int rank,
                   std::chrono::milliseconds after) {
    for (int i = 0; i < 3; ++i) std::filesystem::remove(folder_.path("pid." + std::to_string(i)));
    Words line = launcher.words(3);
    const Words noted = noting(command);
    line.insert(line.end(), noted.begin(), noted.end());
    Process process(line);
    const pid_t id = process_of(rank);
    EXPECT_NE(id, 0);
    std::this_thread::sleep_for(after);
    if (id > 0) ::kill(id, SIGKILL);
    return process.wait().code;
  }
};

TEST_F(CliRankKills, LeaveTheOldFileOrTheNewOne) {
  ASSERT_EQ(run_tool({"convolve", in_, "gauss:2", out_}).code, 0);
  const std::string whole = read_bytes(out_);
  const int kills = run_all() ? 60 : 4;
  int ended = 0;
  for (const Launcher& launcher : launchers_)
    for (int i = 0; i < kills; ++i) {
      write_bytes(out_, "old");
      const int code = run_and_kill(launcher, convolve({"--force"}), i % 3,
                                    std::chrono::milliseconds(900 * i / kills));
      ended += code != 0;
      const std::string bytes = read_bytes(out_);
      EXPECT_TRUE(bytes == "old" || bytes == whole) << launcher.mpi << ", kill " << i;
      EXPECT_TRUE(code != 0 || bytes == whole) << "it said that all went well";
    }
  EXPECT_GT(ended, 0) << "no kill came in time";
  EXPECT_EQ(run_tool({"convolve", in_, "gauss:2", out_, "--force"}).code, 0);
  for (const std::string& name : files()) EXPECT_FALSE(name.starts_with('.')) << name;
}

TEST_F(CliRankKills, EnsemblesGoOn) {
  for (int i = 0; i < 30; ++i)
    ASSERT_EQ(run_tool({"sample", "scene", folder_.path("scene" + std::to_string(10 + i) + ".npy"),
                        "--size", "160x120", "--seed", std::to_string(i)})
                  .code,
              0);
  const Words words{"correlate",   "'" + folder_.path("scene*.npy") + "'",
                    "-o",          folder_.path("c.npy"),
                    "--max-shift", "100"};
  ASSERT_EQ(run_tool({"correlate", folder_.path("scene*.npy"), "-o", folder_.path("c.npy"),
                      "--max-shift", "100"})
                .code,
            0);
  const std::string whole = read_bytes(folder_.path("c.npy"));
  Words command = words;
  command.insert(command.begin(), TESSERA_CLI);
  command.push_back("--force");
  const int kills = run_all() ? 20 : 2;
  for (const Launcher& launcher : launchers_)
    for (int i = 0; i < kills; ++i) {
      std::filesystem::remove(folder_.path("c.npy"));
      run_and_kill(launcher, command, i % 3, std::chrono::milliseconds(400 + 900 * i / kills));
      EXPECT_EQ(run_ranks(launcher, 2, noting(command)).code, 0);
      EXPECT_EQ(read_bytes(folder_.path("c.npy")), whole);
    }
}

TEST(CliMpiLibraries, TheToolIsLinkedWithNoMpi) {
  const std::string libraries = Process({"ldd", TESSERA_CLI}).wait().out;
  EXPECT_NE(libraries.find("libc.so"), std::string::npos);
  EXPECT_EQ(libraries.find("mpi"), std::string::npos) << libraries;
}

}  // namespace
}  // namespace tessera::testing
