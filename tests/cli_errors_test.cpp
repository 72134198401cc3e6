// SPDX-License-Identifier: Apache-2.0
// Whatever is wrong gives one sentence and the right exit code, and leaves every file as it was.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "io/formats.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

struct Case {
  std::vector<std::string> arguments;  ///< @ stands for the folder
  int code;
  std::string part;  ///< of the message
};

void PrintTo(const Case& c, std::ostream* out) {
  for (const std::string& word : c.arguments) *out << word << ' ';
}

const std::vector<Case>& cases() {
  static const std::vector<Case> table{
      // Words that do not exist.
      {{"convovle", "@/in.png", "gauss:1", "@/out.npy"}, 2, "did you mean convolve?"},
      {{"xyzzy"}, 2, "there is no command 'xyzzy'"},
      {{"sample", "scenes"}, 2, "did you mean scene?"},
      {{"convolve", "@/in.png", "gauss:1", "@/out.npy", "--bordr", "wrap"},
       2,
       "did you mean --border?"},
      {{"convolve", "--bordr", "wrap", "@/in.png", "gauss:1", "@/out.npy"},
       2,
       "did you mean --border?"},
      {{"convolve", "@/in.png", "gauss:1", "@/out.npy", "--bordr=wrap"},
       2,
       "did you mean --border?"},
      {{"convolve", "@/in.png", "gauss:1", "@/out.npy", "more"},
       2,
       "'more' is one argument too many"},
      {{"--force"}, 2, "there is no option --force"},
      // Arguments and values that are missing or wrong.
      {{"convolve", "@/in.png"}, 2, "FILTER and OUTPUT are missing"},
      {{"convolve", "@/in.png", "gauss:1", "@/out.npy", "--border"}, 2, "--border needs a value"},
      {{"convolve", "@/in.png", "gauss:1", "@/out.npy", "--border", "reflekt"},
       2,
       "did you mean reflect?"},
      {{"convolve", "@/in.png", "gauss:1", "@/out.npy", "--scale", "two"},
       2,
       "'two' is not a number"},
      {{"convolve", "@/in.png", "gauss:1", "@/out.npy", "--anchor", "1"}, 2, "X,Y"},
      {{"convolve", "@/in.png", "gauss:1", "@/out.npy", "--anchor", "99,0"},
       2,
       "anchor is column 99, row 0"},
      {{"convolve", "@/in.png", "gauss:1", "@/out.npy", "--method", "magic"}, 2, "direct"},
      {{"convolve", "@/in.png", "gauss:1", "@/out.npy", "--backend", "gpu"}, 2, "cuda"},
      {{"convolve", "@/in.png", "gauss:1", "@/out.npy", "--output-type", "u16"},
       2,
       "output type u16 of input u8"},
      {{"convolve", "@/in.png", "gauss:1", "@/out.npy", "--threads", "-1"},
       2,
       "threads is -1; it can be 0 or more"},
      {{"convolve", "@/in.png", "gauss:1", "@/out.npy", "--memory-limit", "lots"},
       2,
       "not a number of bytes"},
      {{"convolve", "@/in.png", "gauss:1", "@/out.npy", "--memory-limit", "-5"},
       2,
       "not a number of bytes"},
      {{"convolve", "@/in.png", "gauss:1", "-", "--json"}, 2, "standard output"},
      {{"convolve", "@/in.png", "gauss:1", "-", "--check"}, 2, "--check"},
      {{"convert", "@/in.png", "@/out.npy", "--crop", "60,0,10x10"}, 2, "not inside the image"},
      {{"convert", "@/in.png", "@/out.npy", "--crop", "0,0,-3x4"}, 2, "has no pixels"},
      {{"convert", "@/in.png", "@/out.npy", "--crop", "1,2,3"}, 2, "X,Y,WIDTHxHEIGHT"},
      {{"convert", "@/in.png", "@/out.npy", "--crop", "7,5,20,11"},
       2,
       "--crop: '7,5,20,11' is no longer read; write 7,5,20x11"},
      {{"convert", "@/in.png", "@/out.npy", "--range", "3,3"}, 2, "must differ"},
      {{"convert", "@/in.png", "@/out.npy", "--plane", "1"}, 2, "no plane 1"},
      {{"convert", "@/in.png", "@/out.npy", "--channel", "-1"}, 2, "no channel -1"},
      {{"sample", "scene", "@/new.png", "--size", "-4x5"}, 2, "-4x5"},
      {{"sample", "scene", "@/new.png", "--size", "12"}, 2, "WIDTHxHEIGHT"},
      {{"completion", "tcsh"}, 2, "it can be bash, zsh or fish"},
      {{"info", "@/in.png", "--measure"}, 2, "--measure"},
      {{"enhance", "@/in.png", "@/out.npy", "--steps", "grey,kontrast"}, 2, "contrast"},
      {{"enhance", "@/in.png", "@/out.npy", "--steps", ""}, 2, "enhance: "},
      {{"enhance", "@/in.png", "@/out.npy", "--grey", "1,2"}, 2, "1,2"},
      {{"enhance", "@/in.png", "@/out.npy", "--low", "101"}, 2, "101"},
      {{"enhance", "@/in.png", "@/out.npy", "--tiles", "0,4"}, 2, "0"},
      {{"enhance", "@/in.png", "@/out.npy", "--smooth", "triangle:0"}, 2, "a triangle of 0"},
      {{"enhance", "@/in.png", "@/out.npy", "--histogram", "@/h.txt"}, 2, ".csv, .json"},
      {{"enhance", "@/in.png", "@/out.npy", "--before-after", "@/old.npy"},
       2,
       "give the option force"},
      {{"enhance", "@/in.png", "-", "--check"}, 2, "--check"},
      // Filters.
      {{"convolve", "@/in.png", "box:0x5", "@/out.npy"}, 2, "0x5"},
      {{"convolve", "@/in.png", "@/empty.npy", "@/out.npy"}, 3, "width is 0"},
      {{"convolve", "@/in.png", "gaus:1", "@/out.npy"}, 2, "gauss:SIGMA"},
      {{"convolve", "@/in.png", "@/in.png", "@/out.npy"}, 3, "a filter must have one of each"},
      // Inputs.
      {{"convolve", "@/missing.png", "gauss:1", "@/out.npy"}, 3, "missing.png"},
      {{"convolve", "@/in.png", "@/missing.npy", "@/out.npy"}, 3, "missing.npy"},
      {{"convolve", "@/two.npy", "gauss:1", "@/out.npy"}, 3, "two.npy"},
      {{"info", "@/two.npy"}, 3, "two.npy"},
      {{"convert", "@", "@/out.npy"}, 3, "folder"},
      {{"convolve", "-", "gauss:1", "@/out.npy"}, 3, "standard input"},
      // Outputs.
      {{"convolve", "@/in.png", "gauss:1", "@/old.npy"}, 2, "give the option force"},
      {{"convert", "@/in.png", "@/old.npy"}, 2, "give the option force"},
      {{"convolve", "@/in.png", "gauss:1", "@/out.txt"}, 2, ".npy"},
      {{"convolve", "@/in.png", "gauss:1", "@/nowhere/out.npy"}, 2, "nowhere"},
      {{"convolve", "@/in.png", "gauss:1", "@/out.png", "--output-type", "f32"}, 2, "f32"},
      {{"convert", "@/in.png", "/proc/out.npy"}, 2, "/proc/out.npy"},
      // Resources.
      {{"convolve", "@/in.png", "gauss:1", "@/out.npy", "--memory-limit", "64"}, 5, "too little"},
  };
  return table;
}

std::string with_folder(std::string word, const std::string& folder) {
  const std::size_t place = word.find('@');
  return place == std::string::npos ? word : word.replace(place, 1, folder);
}

class CliErrors : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    write_image(folder_.path("in.png"),
                testing::short_view(random_image({64, 48, 3}, Type::u8, 1)));
    write_bytes(folder_.path("two.npy"), "\x93N");
    write_bytes(folder_.path("old.npy"), "precious");
    std::string empty("\x93NUMPY\x01\x00v\x00", 10);
    empty += "{'descr': '<f8', 'fortran_order': False, 'shape': (5, 0), }";
    empty.resize(127, ' ');
    write_bytes(folder_.path("empty.npy"), empty + "\n");
  }
  std::vector<std::string> listing() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  TemporaryFolder folder_;
};

TEST_P(CliErrors, OneSentenceRightCodeNothingTouched) {
  const std::vector<std::string> before = listing();
  std::vector<std::string> arguments;
  for (const std::string& word : GetParam().arguments)
    arguments.push_back(with_folder(word, folder_.path()));
  const Outcome outcome = run_tool(arguments);
  EXPECT_EQ(outcome.code, GetParam().code) << outcome.err;
  EXPECT_NE(outcome.err.find(GetParam().part), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.rfind("tessera", 0), 0U) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(listing(), before);
  EXPECT_EQ(read_bytes(folder_.path("old.npy")), "precious");
}

INSTANTIATE_TEST_SUITE_P(Table, CliErrors, ::testing::ValuesIn(cases()));

TEST(CliErrors, UnwritableFolder) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  const TemporaryFolder folder;
  write_image(folder.path("in.npy"), testing::short_view(random_image({8, 8}, Type::f32, 1)));
  std::filesystem::create_directory(folder.path("locked"));
  std::filesystem::permissions(folder.path("locked"), std::filesystem::perms::owner_read |
                                                          std::filesystem::perms::owner_exec);
  const Outcome outcome =
      run_tool({"convert", folder.path("in.npy"), folder.path("locked/out.npy")});
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("Permission denied"), std::string::npos) << outcome.err;
}

TEST(CliErrors, BareCommandsPrintTheirUsage) {
  for (const std::vector<std::string>& bare :
       {std::vector<std::string>{}, {"convolve"}, {"sample"}, {"convert"}, {"completion"}}) {
    const Outcome outcome = run_tool(bare);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err.rfind("Usage: tessera", 0), 0U) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
}

TEST(CliErrors, FullStandardOutputIsAnError) {
  const Outcome outcome =
      Process({"sh", "-c", std::string(TESSERA_CLI) + " info > /dev/full"}).wait();
  EXPECT_EQ(outcome.code, 5) << outcome.err;
  EXPECT_NE(outcome.err.find("standard output"), std::string::npos) << outcome.err;
}

TEST(CliErrors, UnknownNamesInTheEnvironment) {
  const TemporaryFolder folder;
  write_image(folder.path("in.npy"), testing::short_view(random_image({8, 8}, Type::f32, 1)));
  for (const std::string setting : {"TESSERA_BACKEND=quantum", "TESSERA_ISA=mmx"}) {
    const Outcome outcome = Process({"env", setting, TESSERA_CLI, "convolve", folder.path("in.npy"),
                                     "box:3x3", folder.path("out.npy")})
                                .wait();
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(setting.substr(setting.find('=') + 1)), std::string::npos)
        << outcome.err;
  }
}

}  // namespace
}  // namespace tessera::testing
