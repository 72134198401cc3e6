// SPDX-License-Identifier: Apache-2.0
// Names that are not plain words: taken as they are, and never obeyed by a terminal.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "io/formats.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/short_view.hpp"
#include "tests/support/text_has.hpp"
#include "tests/support/tool.hpp"

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

class CliTerminal : public ::testing::Test {
 protected:
  CliTerminal() { make_image("in.npy"); }
  void make_image(const std::string& name) const {
    write_image(folder_.path(name), testing::short_view(random_image({40, 30}, Type::f32, 1)));
  }
  /// Runs the tool in the folder, so that names can begin with '-'.
  Outcome run(const Arguments& arguments) const {
    Arguments words{"env", "-C", folder_.path(), TESSERA_CLI};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return Process(words).wait();
  }
  bool made(const std::string& name) const { return fs::exists(folder_.path(name)); }
  void expect_done(const Arguments& arguments, const std::string& output) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(made(output)) << output;
    fs::remove(folder_.path(output));
  }
  void expect_refused(const Arguments& arguments, int code, const std::string& part) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_TRUE(has(outcome.err, part)) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  }

  TemporaryFolder folder_;
};

TEST_F(CliTerminal, TwoDashesEndTheOptions) {
  make_image("-in.npy");
  make_image("--force.npy");
  expect_done({"convert", "--", "-in.npy", "-out.npy"}, "-out.npy");
  expect_done({"convert", "in.npy", "--", "-out.npy"}, "-out.npy");
  expect_done({"convert", "--type", "u8", "--", "--force.npy", "--out.npy"}, "--out.npy");
  expect_done({"convolve", "in.npy", "--", "box:3x3", "-out.npy"}, "-out.npy");
  expect_done({"noise", "--box", "8", "-o", "n", "--", "-in.npy"}, "n_bkg.npy");
  expect_done({"correlate", "-o", "c.npy", "--max-shift", "5", "--", "-in.npy", "--force.npy"},
              "c.npy");
  expect_done({"convert", "--", "in.npy", "out.npy"}, "out.npy");
}

TEST_F(CliTerminal, AfterTwoDashesNothingIsAnOption) {
  write_bytes(folder_.path("out.npy"), "old");
  expect_refused({"convert", "in.npy", "out.npy", "--", "--force"}, 2, "one argument too many");
  EXPECT_EQ(read_bytes(folder_.path("out.npy")), "old");
  expect_refused({"convert", "--", "in.npy"}, 2, "OUTPUT is missing");
  expect_refused({"convert", "-in.npy", "out.npy"}, 2, "there is no option -in.npy");
}

TEST_F(CliTerminal, MessagesHoldNothingThatATerminalObeys) {
  const std::string control = "\xc2\x9b", backwards = "\xe2\x80\xae";
  const std::string names[] = {"\x1b]0;title\x07.npy", "two\nlines.npy", "\xff\xfe.npy",
                               control + "2J.npy", backwards + "gnp.npy"};
  for (const std::string& name : names)
    for (const Arguments& words :
         {Arguments{"info", name}, Arguments{"convert", name, "out.npy"},
          Arguments{"convert", "in.npy", "no/" + name}, Arguments{"convert", "in.npy", name + "x"},
          Arguments{"convert", "in.npy", "out.npy", "--" + name}, Arguments{name},
          Arguments{"convolve", "in.npy", name + ":1", "out.npy"},
          Arguments{"convert", "in.npy", "out.npy", "--type", name},
          Arguments{"noise", "in.npy", "-o", "x_", "--box", name},
          Arguments{"cells", "track", name, "-o", "out"}}) {
      const Outcome outcome = run(words);
      EXPECT_GT(outcome.code, 0) << words[0];
      EXPECT_TRUE(has(outcome.err, "\\x")) << outcome.err;
      EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
      for (const char* raw : {"\x1b", "\x07", "\xff", "\xc2\x9b", "\xe2\x80\xae"})
        EXPECT_FALSE(has(outcome.err + outcome.out, raw)) << words[0];
    }
}

TEST_F(CliTerminal, ResultsHoldNothingThatATerminalObeys) {
  const std::string name = "\x1b[31m\xff.npy";
  make_image(name);
  for (const Arguments& words :
       {Arguments{"info", name}, Arguments{"convert", name, name + ".npy"},
        Arguments{"noise", name, "-o", name, "--box", "8"}, Arguments{"info", name, "--json"},
        Arguments{"convert", name, "out/", "--force"}}) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_FALSE(has(outcome.out + outcome.err, "\x1b")) << words[0];
    EXPECT_FALSE(has(outcome.out + outcome.err, "\xff")) << words[0];
  }
}

// gnuplot puts titles into CDATA, which ends at the first "]]>".
TEST_F(CliTerminal, PicturesAreWellFormedWhateverTheNames) {
  const std::string name = "a]]><script>\x1b\xff&'.npy";
  make_image(name);
  const Outcome outcome =
      run({"correlate", name, "-o", "c.npy", "--max-shift", "5", "--picture", "c.svg"});
  if (has(outcome.err, "there is no option")) GTEST_SKIP() << outcome.err;
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* picture : {"c.svg", "c.gp"}) {
    const std::string text = read_bytes(folder_.path(picture));
    EXPECT_FALSE(has(text, "]]><")) << picture;
    EXPECT_FALSE(has(text, "\x1b") || has(text, "\xff")) << picture;
  }
}

// 300 weights are longer than any file name.
TEST_F(CliTerminal, ManyWeightsAreNotAFileName) {
  std::string weights = "1";
  for (int i = 0; i < 300; ++i) weights += ":1";
  expect_done({"convolve", "in.npy", "outer:" + weights + ",1", "out.npy"}, "out.npy");
  expect_done({"convolve", "in.npy", "outer:1," + weights, "out.npy"}, "out.npy");
  const std::string huge(70000, 'x');
  expect_refused({"convolve", "in.npy", huge, "out.npy"}, 2, "");
  expect_refused({"convert", huge, "out.npy"}, 3, "File name too long");
  expect_refused({"convert", "in.npy", huge + ".npy"}, 2, "File name too long");
  expect_refused({"noise", huge + "[0]", "-o", "x_", "--box", "8"}, 3, "File name too long");
}

// Exceptions of the C++ library have no words for users.
TEST_F(CliTerminal, NoMessageIsThatOfALibrary) {
  const Arguments calls[] = {
      {"convolve", "in.npy", "box:100000x100000", "out.npy"},
      {"convolve", "in.npy", "gauss:1,2000000000", "out.npy"},
      {"convolve", "in.npy", "triangle:2147483647", "out.npy"},
      {"erode", "in.npy", "disk:1000000", "out.npy"},
      {"sample", "scene", "out.npy", "--size", "2147483647x2147483647"},
      {"sample", "voltages", "out.npy", "--antennas", "2147483647", "--samples",
       "9223372036854775807"},
      {"noise", "in.npy", "-o", "x_", "--box", "2147483647x2147483647"},
      {"convert", "in.npy", "out.npy", "--force=maybe"},
      {"convert", "in.npy", "out.npy", "--type"},
      {"convert", "in.npy", "out.npy", "--threads", "1e30"},
      {"convert", "in.npy", "out.npy", "--memory-limit", "99999999999999999999G"},
      {"convert", "in.npy", "out.npy", "extra"},
      {"correlate", "in.npy", "-o"},
      {"info", "in.npy", "in.npy"},
      {"convert", "in.npy", folder_.path() + "/none/out.npy"},
      {"convert", "in.npy", "/proc/none/", "--to", ".npy"},
      {"cells", "track", "in.npy", "-o", "/proc/none"},
  };
  for (const Arguments& words : calls) {
    const Outcome outcome = run(words);
    EXPECT_TRUE(outcome.code == 2 || outcome.code == 3 || outcome.code == 5)
        << outcome.code << words[0] << " " << words.back() << ": " << outcome.err;
    for (const char* raw : {"std::", "vector", "basic_string", "filesystem error", "bad_alloc",
                            "max_size", "Could not convert", "terminate", "defect of Tessera"})
      EXPECT_FALSE(has(outcome.err, raw)) << words[0] << " " << words.back() << ": " << outcome.err;
  }
}

}  // namespace
}  // namespace tessera::testing
