// SPDX-License-Identifier: Apache-2.0
// `tessera tune` as users run it, and tables that do not fit.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/machine.hpp"
#include "io/formats.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/text_has.hpp"
#include "tests/support/tool.hpp"
#include "tune/table.hpp"

namespace tessera::testing {
namespace {

class CliTune : public ::testing::Test {
 protected:
  std::vector<std::string> command(std::vector<std::string> arguments) const {
    // Elsewhere --install would find the project's own tables.
    arguments.insert(arguments.begin(),
                     {"env", "-C", folder_.path(), "TESSERA_CACHE=" + folder_.path(), TESSERA_CLI});
    return arguments;
  }
  Outcome run(const std::vector<std::string>& arguments) const {
    return Process(command(arguments)).wait();
  }
  std::string table() const { return folder_.path("tuning/" + cpu_table_name() + ".tsv"); }
  void write_lines(const std::string& text) const {
    std::filesystem::create_directories(folder_.path("tuning"));
    write_bytes(table(), text);
  }
  /// A small image filtered, which asks the tables.
  Outcome filter(const std::vector<std::string>& more = {}) const {
    const std::string in = folder_.path("in.npy");
    write_image(in, testing::short_view(random_image({16, 16}, Type::f32, 1)), {.force = true});
    std::vector<std::string> arguments{"convolve", in, "box:3x3", folder_.path("out.npy"),
                                       "--force"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  std::string time_line(int side, const char* method, int fs) const {
    return cpu_table_name() + " convolve.time@1 backend=cpu in=f32 method=" + method +
           " fw=" + std::to_string(side) + " fh=" + std::to_string(side) +
           " | fs=" + std::to_string(fs) + " | ms=1\n";
  }
  TemporaryFolder folder_;
};

TEST_F(CliTune, BadCallsAreOneSentence) {
  struct Bad {
    std::vector<std::string> arguments;
    int code;
    const char* part;
  };
  std::filesystem::create_directories(folder_.path("empty"));
  for (const Bad& bad :
       std::vector<Bad>{{{"tune", "--op", "convolv"}, 2, "did you mean convolve"},
                        {{"tune", "--sizes", "0x3"}, 2, "tune: sizes: '0x3'"},
                        {{"tune", "--sizes", "3,,5"}, 2, "tune: sizes: ''"},
                        {{"tune", "--sizes", "big"}, 2, "tune: sizes: 'big'"},
                        {{"tune", "--type", "f16"}, 2, "--type"},
                        {{"tune", "--budget", "-1"}, 2, "-1"},
                        {{"tune", "--backend", "cpu", "--check", "--install"}, 2, "--check"},
                        {{"tune", "--csv", folder_.path("none.tsv")}, 3, "none.tsv"},
                        {{"tune", "--op", "correlate", "--backend", "cpu"}, 2, "no knobs"},
                        {{"tune", "--op", "enhance", "--compile", "sm_90"}, 2, "give type u8"},
                        {{"tune", "--op", "morphology", "--sizes", "7x7"}, 2, "box:7x7"},
                        {{"tune", "extra"}, 2, "'extra' is one argument too many"}}) {
    const Outcome outcome = run(bad.arguments);
    EXPECT_EQ(outcome.code, bad.code) << outcome.err;
    EXPECT_TRUE(has(outcome.err, bad.part)) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
}

TEST_F(CliTune, NoDeviceIsSaid) {
  if (!this_machine().devices.empty()) GTEST_SKIP() << "there is a device";
  const Outcome outcome = run({"tune", "--backend", "cuda", "--sizes", "3"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(has(outcome.err, "cuda cannot be tuned")) << outcome.err;
}

TEST_F(CliTune, MakesATableInstallsItAndUsesIt) {
  std::filesystem::create_directories(folder_.path("shipped"));
  const Outcome outcome = run(
      {"tune", "--backend", "cpu", "--sizes", "3", "--json", "--install", folder_.path("shipped")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["table"], table());
  EXPECT_EQ(json["wrong"], 0);
  EXPECT_GE(json["measured"].get<int>(), 1);
  const std::string installed = json["installed"];
  EXPECT_EQ(read_bytes(installed), read_bytes(table()));
  EXPECT_FALSE(std::filesystem::exists(table() + ".journal"));
  EXPECT_TRUE(has(run({"info"}).out, "tuning table  " + table() + ", ")) << run({"info"}).out;
  EXPECT_EQ(filter().err, "");
  const Outcome csv = run({"tune", "--csv", table()});
  EXPECT_EQ(csv.code, 0) << csv.err;
  EXPECT_EQ(csv.out.rfind("fw,fh,", 0), 0U) << csv.out;
  EXPECT_TRUE(has(csv.out, "\n3,3,")) << csv.out;
  std::filesystem::create_directories(folder_.path("pictures"));
  const Outcome plot =
      run({"tune", "--plot", table(), "--output", folder_.path("pictures"), "--json"});
  EXPECT_EQ(plot.code, 0) << plot.err;
  EXPECT_TRUE(
      std::filesystem::exists(folder_.path("pictures/" + cpu_table_name() + "-gflops-direct.tsv")))
      << plot.out;
  EXPECT_EQ(run({"tune", "--plot", table(), "--output", folder_.path("pictures")}).code, 2);
}

// Tables of knobs alone: made, merged with those of other operations, printed.
TEST_F(CliTune, TunesOtherOperations) {
  ASSERT_EQ(run({"tune", "--backend", "cpu", "--sizes", "3"}).code, 0);
  const Outcome outcome = run(
      {"tune", "--op", "morphology", "--backend", "cpu", "--sizes", "box:7x7,disk:2", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["measured"], 2);
  EXPECT_EQ(json["wrong"], 0);
  const std::string text = read_bytes(table());
  EXPECT_TRUE(has(text, " convolve.time@1 ") && has(text, " morphology.cpu@1 ")) << text;
  EXPECT_EQ(filter().err, "") << "every line is known";
  const Outcome csv = run({"tune", "--op", "morphology", "--csv", table()});
  EXPECT_EQ(csv.code, 0) << csv.err;
  EXPECT_EQ(csv.out.rfind("fw,fh,morphology.cpu-block_kilobytes,morphology.cpu-gain", 0), 0U)
      << csv.out;
  EXPECT_TRUE(has(csv.out, "\n7,7,")) << csv.out;
  EXPECT_EQ(run({"tune", "--op", "enhance", "--csv", table()}).code, 3) << "it has none";
  const Outcome plot =
      run({"tune", "--op", "morphology", "--plot", table(), "--output", folder_.path()});
  EXPECT_EQ(plot.code, 0) << plot.err;
  EXPECT_TRUE(std::filesystem::exists(folder_.path(cpu_table_name() + "-blocks.tsv"))) << plot.out;
}

TEST_F(CliTune, InstallNeedsAFolder) {
  const Outcome missing =
      run({"tune", "--backend", "cpu", "--sizes", "3", "--install", folder_.path("none")});
  EXPECT_EQ(missing.code, 2) << missing.out;
  EXPECT_TRUE(has(missing.err, "none")) << missing.err;
}

TEST_F(CliTune, TablesThatDoNotFitAreIgnoredWithOneLine) {
  struct Bad {
    const char* name;
    std::string text;
    const char* part;
  };
  for (const Bad& bad : std::vector<Bad>{
           {"damaged", time_line(3, "direct", 1000).substr(0, 60), "line 1: "},
           {"binary", std::string("\0\x01\xff junk\n", 9), "line 1: "},
           {"foreign", "h300 convolve.time@1 backend=cuda in=f32 method=fft fw=3 fh=3 | fs=1 | \n",
            "made for h300"},
           {"older", cpu_table_name() + " convolve.time@0 fw=3 | fs=1 | \n",
            "made for convolve.time@0; this version has convolve.time@1"},
           {"knob", cpu_table_name() + " convolve.direct-cpu@2 fw=3 | piece_rows=0 | \n",
            "piece_rows=0; it can be 1 to"}}) {
    write_lines(bad.text);
    const Outcome outcome = filter();
    EXPECT_EQ(outcome.code, 0) << bad.name << outcome.err;
    EXPECT_TRUE(has(outcome.err, "tuning table ignored: ")) << bad.name << outcome.err;
    EXPECT_TRUE(has(outcome.err, bad.part)) << bad.name << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_EQ(filter({"--quiet"}).err, "");
    EXPECT_TRUE(has(run({"info"}).out, "ignored: ")) << bad.name;
  }
  const Outcome again = run({"tune", "--backend", "cpu", "--sizes", "3"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(filter().err, "");
}

// A pipe would be waited for, a device read forever, and a link leads to someone else's file.
TEST_F(CliTune, OnlyRegularFilesAreTables) {
  std::filesystem::create_directories(folder_.path("tuning"));
  const std::pair<const char*, std::function<void()>> cases[] = {
      {"it is a pipe", [&] { ASSERT_EQ(::mkfifo(table().c_str(), 0600), 0); }},
      {"it is a folder", [&] { std::filesystem::create_directory(table()); }},
      {"it is a symbolic link", [&] { std::filesystem::create_symlink("/dev/zero", table()); }}};
  for (const auto& [part, make] : cases) {
    make();
    const Outcome outcome = filter();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(has(outcome.err, "tuning table ignored: " + table() + ": " + part)) << outcome.err;
    EXPECT_EQ(run({"tune", "--csv", table()}).code, 3);
    std::filesystem::remove(table());
  }
  ASSERT_EQ(::mkfifo((table() + ".journal").c_str(), 0600), 0);
  const Outcome outcome = run({"tune", "--backend", "cpu", "--sizes", "3"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_TRUE(has(outcome.err, ".journal: it is a pipe")) << outcome.err;
}

// Others could make the tool slow, or fail, by what they write there.
TEST_F(CliTune, TablesOfOthersAreIgnored) {
  write_lines(time_line(3, "direct", 1000));
  EXPECT_EQ(filter().err, "");
  std::filesystem::permissions(table(), std::filesystem::perms{0666});
  EXPECT_TRUE(has(filter().err, "others may write to it (mode 666); chmod go-w makes it safe"));
  std::filesystem::permissions(table(), std::filesystem::perms{0644});
  if (::geteuid() != 0) return;  // only root may give files away
  ASSERT_EQ(::chown(table().c_str(), 1234, 1234), 0);
  EXPECT_TRUE(has(filter().err, "it belongs to user 1234, and this is user 0"));
}

// Machines of one kind choose alike for the parts of a run, whatever their users have tuned.
TEST_F(CliTune, PartsLeaveOutTablesOfUsers) {
  write_lines(time_line(3, "direct", 1) + time_line(3, "separable", 900'000'000));
  const Outcome whole = filter();
  EXPECT_TRUE(has(whole.out, "cpu direct")) << whole.out;
  const Outcome part = filter({"--part", "1/1"});
  EXPECT_EQ(part.code, 0) << part.err;
  EXPECT_TRUE(has(part.out, "cpu separable")) << part.out;
}

TEST_F(CliTune, ThatIsStoppedGoesOn) {
  Process process(command({"tune", "--backend", "cpu", "--sizes", "square"}));
  const std::string journal = table() + ".journal";
  const auto lines = [&] {
    const std::string text = read_bytes(journal);
    return std::count(text.begin(), text.end(), '\n');
  };
  for (int i = 0; i < 3000 && lines() < 3; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ::kill(process.id(), SIGINT);
  const Outcome stopped = process.wait();
  EXPECT_EQ(stopped.code, 128 + SIGINT) << stopped.err;
  ASSERT_GE(lines(), 3);
  EXPECT_FALSE(std::filesystem::exists(table()));
  const Outcome next = run({"tune", "--backend", "cpu", "--sizes", "3", "--json"});
  ASSERT_EQ(next.code, 0) << next.err;
  EXPECT_GE(nlohmann::json::parse(next.out)["resumed"].get<int>(), 1) << next.out;
  const Outcome anew = run({"tune", "--backend", "cpu", "--sizes", "3", "--json", "--again"});
  EXPECT_EQ(nlohmann::json::parse(anew.out)["resumed"], 0) << anew.out;
}

TEST_F(CliTune, ChecksChoicesOfOtherOperations) {
  // Whether they hold depends on what else the machine does: 0 or 1.
  const Outcome outcome =
      run({"tune", "--check", "--op", "morphology", "--budget", "0.001", "--json"});
  EXPECT_LE(outcome.code, 1) << outcome.err;
  EXPECT_NE(outcome.out.find("\"cases\": 1,"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("erode 512x512"), std::string::npos) << outcome.out;
}

TEST_F(CliTune, CheckJudgesTheChoice) {
  const Outcome outcome = run({"tune", "--check", "--backend", "cpu", "--sizes", "9", "--json"});
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["cases"], 3);  // filters of any kind, separable ones, boxes
  EXPECT_EQ(outcome.code, json["mean"] <= 1.05 && json["worst"] <= 1.15 ? 0 : 1) << outcome.out;
}

}  // namespace
}  // namespace tessera::testing
