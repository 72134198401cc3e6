// SPDX-License-Identifier: Apache-2.0
/// Commands from file to file, and the judgement of what a run leaves that did not go well.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "io/formats.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/process.hpp"

namespace tessera::testing {

using Words = std::vector<std::string>;

/// What is run on folder/in.EXT to make folder/out.EXT. A new format is one more line where these
/// tables are.
struct FileCommand {
  std::string name;
  std::string ending;  ///< of input and output
  Type type;
  Size size;
  Words words;  ///< IN and OUT stand for the files
  Words more = {};
  bool always_force = false;  ///< for files that keep the command line, to be the same bytes
  int outputs = 1;            ///< files made, OUT among them

  friend void PrintTo(const FileCommand& command, std::ostream* out) { *out << command.name; }
};

/// A folder with an input and, where it is to be replaced, an old output.
class FileScene {
 public:
  explicit FileScene(const FileCommand& command) : command_(command) {
    try {
      write_image(in(), random_image(command.size, command.type, 5).view());
    } catch (const Error& error) {
      lacking_ = error.what();
    }
  }

  /// Whether this build and machine have the format.
  bool built() const { return lacking_.empty(); }
  std::string in() const { return folder_.path("in" + command_.ending); }
  std::string out() const { return folder_.path("out" + command_.ending); }
  const std::string& folder() const { return folder_.path(); }

  /// The words of the command, "--force" among them where an old output is there.
  Words arguments(bool old) const {
    Words words{TESSERA_CLI};
    for (const std::string& word : command_.words)
      words.push_back(word == "IN" ? in() : word == "OUT" ? out() : word);
    words.insert(words.end(), command_.more.begin(), command_.more.end());
    if ((old || command_.always_force) && makes_output()) words.push_back("--force");
    return words;
  }
  bool makes_output() const { return std::ranges::count(command_.words, "OUT") > 0; }

  /// Before a run: an output of the user's own, or none.
  void reset(bool old) const {
    std::filesystem::remove(out());
    std::filesystem::remove(out() + ".partial");  // an ensemble would go on from it
    if (old) write_bytes(out(), kOld);
  }
  /// The whole file that a run without faults makes.
  const std::string& expected() {
    if (expected_.empty() && makes_output()) {
      reset(false);
      const Outcome outcome = Process(arguments(false)).wait();
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      expected_ = read_bytes(out());
    }
    return expected_;
  }
  std::vector<std::string> hidden() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder()))
      if (entry.path().filename().string().starts_with('.')) names.push_back(entry.path());
    return names;
  }
  /// "old", "new", "none", or "broken".
  std::string output_state() {
    if (!std::filesystem::exists(out())) return "none";
    const std::string bytes = read_bytes(out());
    return bytes == kOld ? "old" : bytes == expected() ? "new" : "broken";
  }
  /// Whatever happened: success with the right bytes, or one sentence and the old state.
  void expect_sound(const Outcome& outcome, bool old, const std::string& what) {
    const std::string state = output_state(), before = old ? "old" : "none";
    EXPECT_EQ(hidden(), Words{}) << what;
    if (outcome.code == 0) {
      EXPECT_EQ(state, makes_output() ? "new" : before) << what;
      EXPECT_EQ(outcome.err, "") << what;
      return;
    }
    EXPECT_TRUE(state == before || state == "new") << what << ": output is " << state;
    // libgomp ends the process by a sentence of its own, after an empty line.
    const auto lines = std::ranges::count(outcome.err, '\n');
    EXPECT_EQ(lines, outcome.err.starts_with("\nlibgomp: ") ? 2 : 1) << what << outcome.err;
  }

 private:
  static constexpr const char* kOld = "an old file";
  FileCommand command_;
  std::string lacking_;
  TemporaryFolder folder_;
  std::string expected_;
};

}  // namespace tessera::testing
