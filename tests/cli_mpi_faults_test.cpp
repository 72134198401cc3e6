// SPDX-License-Identifier: Apache-2.0
// Ranks of one run: who speaks, what they agree on, and what is left when one of them fails or is
// killed.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "report/json.hpp"
#include "tests/support/cli_ranks.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

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
                      "--channels", "48", "--sources", "5", "--flags", "0.01"})
                .code,
            0);
  const auto cube = [&](const char* part) { return folder_.path(std::string("p_") + part); };
  ASSERT_EQ(run_tool({"sample", "voltages", folder_.path("v.npy"), "--antennas", "5", "--channels",
                      "7", "--samples", "3000"})
                .code,
            0);
  const std::string bytes = folder_.path("bytes.npy");
  write_image(bytes, short_view(random_image({3000, 2100}, Type::u8, 3)));
  const std::string patch = folder_.path("patch.npy");
  write_image(patch, short_view(random_image({9, 7}, Type::u8, 3)));
  const Words commands[] = {
      {"noise", in_, "-o", folder_.path("n"), "--box", "32"},
      {"noise", in_, "-o", folder_.path("n"), "--box", "32", "--mode", "grid"},
      {"convolve", bytes, "sobel:x", out_},
      {"match", bytes, patch, out_, "--peaks", "5"},
      {"xengine", folder_.path("v.npy"), "-o", folder_.path("x.npy"), "--integrate", "700",
       "--output-type", "i32"},
      {"faraday", "synth", cube("Q.npy"), cube("U.npy"), cube("freqs.txt"), "-o",
       folder_.path("f_"), "-l", "300", "-d", "20", "--clean", "-c", "-5"},
      {"faraday", "synth", cube("Q.npy"), cube("U.npy"), cube("freqs.txt"), "-o",
       folder_.path("f_"), "-l", "300", "-d", "20", "--maps-only", "-i", cube("Q.npy"), "--fit-i",
       "1"}};
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
  const Words outputs{out_, folder_.path("out.tif"),
                      folder_.path("out.tif") + " --compression lzw"};
  for (std::size_t i = 0; i < launchers_.size() * outputs.size(); ++i) {
    const Launcher& launcher = launchers_[i / outputs.size()];
    const std::string& output = outputs[i % outputs.size()];
    const std::string command =
        std::string("[ \"${OMPI_COMM_WORLD_RANK:-$PMI_RANK}\" = 1 ] && ulimit -f 8192; exec ") +
        TESSERA_CLI + " convolve " + in_ + " gauss:2 " + output;
    const auto begun = std::chrono::steady_clock::now();
    const Outcome outcome = run_ranks(launcher, 3, {"bash", "-c", command});
    EXPECT_NE(outcome.code, 0);
    const auto said = sentences_of_tool(outcome.err);
    ASSERT_EQ(said.size(), 1U) << outcome.err;
    EXPECT_NE(said[0].find("rank 1 of 3 on "), std::string::npos) << said[0];
    EXPECT_NE(said[0].find("/out."), std::string::npos) << said[0];
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

// Maps of the noise of several images, and tracks of several films with their table.
TEST_F(CliRanks, ShareBatchesOfImagesAndFilms) {
  for (const char* name : {"fields", "films"})
    std::filesystem::create_directory(folder_.path(name));
  for (const std::string seed : {"1", "2", "3"}) {
    const Words words[] = {{"sample", "points", folder_.path("fields/s" + seed + ".npy"), "--size",
                            "120x100", "--seed", seed},
                           {"sample", "cells", folder_.path("films/f" + seed + ".npy"), "--size",
                            "160x120", "--frames", "12", "--cells", "2", "--seed", seed}};
    for (const Words& one : words) ASSERT_EQ(run_tool(one).code, 0);
    std::filesystem::remove(folder_.path("films/f" + seed + ".csv"));
  }
  const auto commands = [&](const std::string& out) {
    return std::vector<Words>{
        {TESSERA_CLI, "noise", folder_.path("fields"), "-o", folder_.path(out + "n/"), "--box",
         "16"},
        {TESSERA_CLI, "cells", "track", folder_.path("films"), "-o", folder_.path(out + "c/")}};
  };
  for (const Words& words : commands("one_")) ASSERT_NE(Process(words).wait().code, 1);
  for (const Launcher& launcher : launchers_) {
    for (const Words& words : commands(launcher.mpi + "_")) {
      const Outcome outcome = run_ranks(launcher, 3, words);
      EXPECT_EQ(outcome.err.find("does this alone"), std::string::npos) << outcome.err;
    }
    for (const std::string file :
         {"n/s1_rms.npy", "n/s2_bkg.npy", "n/s3_snr.npy", "c/f1/tracks.csv", "c/f3/tracks.csv"})
      EXPECT_EQ(read_bytes(folder_.path(launcher.mpi + "_" + file)),
                read_bytes(folder_.path("one_" + file)))
          << file;
    const std::string table = read_bytes(folder_.path(launcher.mpi + "_c/films.csv"));
    EXPECT_EQ(std::ranges::count(table, '\n'), 4) << table;
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
  void leave_the_old_file_or_the_new_one(const Words& more);
};

void CliRankKills::leave_the_old_file_or_the_new_one(const Words& more) {
  Words alone = convolve(more);
  ASSERT_EQ(Process(alone).wait().code, 0);
  alone.push_back("--force");
  const std::string whole = read_bytes(out_);
  const int kills = run_all() ? 60 : 4;
  int ended = 0;
  for (const Launcher& launcher : launchers_)
    for (int i = 0; i < kills; ++i) {
      write_bytes(out_, "old");
      const int code =
          run_and_kill(launcher, alone, i % 3, std::chrono::milliseconds(900 * i / kills));
      ended += code != 0;
      const std::string bytes = read_bytes(out_);
      EXPECT_TRUE(bytes == "old" || bytes == whole) << launcher.mpi << ", kill " << i;
      EXPECT_TRUE(code != 0 || bytes == whole) << "it said that all went well";
    }
  EXPECT_GT(ended, 0) << "no kill came in time";
  EXPECT_EQ(Process(alone).wait().code, 0);
  for (const std::string& name : files()) EXPECT_FALSE(name.starts_with('.')) << name;
}

TEST_F(CliRankKills, LeaveTheOldFileOrTheNewOne) { leave_the_old_file_or_the_new_one({}); }

// Strips that the ranks compress, and rank 0 puts in order.
TEST_F(CliRankKills, LeaveTheOldTiffOrTheNewOne) {
  out_ = folder_.path("out.tif");
  leave_the_old_file_or_the_new_one({"--compression", "deflate"});
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
