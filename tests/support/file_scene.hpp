// SPDX-License-Identifier: Apache-2.0
/// Commands from file to file, and the judgement of what a run leaves that did not go well.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "io/formats.hpp"
#include "tests/support/files.hpp"
#include "tests/support/poison.hpp"
#include "tests/support/process.hpp"
#include "tests/support/short_view.hpp"

namespace tessera::testing {

using Words = std::vector<std::string>;

/// A command that makes folder/out.EXT of folder/in.EXT. A new format is one more line in the
/// tables of file_commands.hpp.
struct FileCommand {
  std::string name;
  std::string ending = ".npy";  ///< of input and output
  Type type = Type::u8;
  Size size = {4, 4};
  /// IN and OUT stand for the files (OUT.npy: with this ending), STEM for what names of inputs
  /// begin with.
  Words words;
  Words more = {};
  bool always_force = false;       ///< for files that keep the command line, to be the same bytes
  int outputs = 1;                 ///< files made, OUT among them
  bool many = false;               ///< all of them count, and OUT is what their names begin with
  std::string last = {};           ///< of many: comes after the others, and says that all are there
  std::vector<Words> before = {};  ///< commands that make further inputs
  bool goes_on = false;  ///< with what could be read of an input: exit code 4, and other outputs
  int spare = 0;         ///< files begun that are only kept where they are needed

  friend void PrintTo(const FileCommand& command, std::ostream* out) { *out << command.name; }
};

/// A folder with an input and, where it is to be replaced, an old output.
class FileScene {
 public:
  explicit FileScene(const FileCommand& command) : command_(command) {
    try {
      write_image(in(), testing::short_view(random_image(command.size, command.type, 5)));
    } catch (const Error& error) {
      lacking_ = error.what();
    }
    if (!built()) return;
    for (const Words& words : command.before) {
      const Outcome outcome = Process(with_names(words)).wait();
      EXPECT_EQ(outcome.code, 0) << outcome.err;
    }
  }

  /// Whether this build and machine have the format.
  bool built() const { return lacking_.empty(); }
  std::string in() const { return folder_.path("in" + command_.ending); }
  std::string out() const { return folder_.path(command_.many ? "out_" : "out" + command_.ending); }
  const std::string& folder() const { return folder_.path(); }

  /// The words of the command, "--force" among them where an old output is there.
  Words arguments(bool old) const {
    Words words = with_names(command_.words);
    words.insert(words.end(), command_.more.begin(), command_.more.end());
    if ((old || command_.always_force) && makes_output()) words.push_back("--force");
    return words;
  }
  bool makes_output() const { return has_word("OUT"); }
  bool reads_input() const { return has_word("IN") || has_word("STEM"); }

  /// Before a run: an output of the user's own, or none.
  void reset(bool old) const {
    for (const std::string& name : made()) std::filesystem::remove(name);
    std::filesystem::remove(out() + ".partial");  // an ensemble would go on from it
    if (!old) return;
    if (!command_.many) write_bytes(out(), kOld);
    for (const auto& [name, bytes] : expected_) write_bytes(name, kOld);
  }
  /// The whole files that a run without faults makes.
  const std::map<std::string, std::string>& expected() {
    if (expected_.empty() && makes_output()) {
      reset(false);
      const Outcome outcome = Process(arguments(false)).wait();
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      for (const std::string& name : made()) expected_[name] = read_bytes(name);
      EXPECT_EQ(std::ssize(expected_), command_.many ? command_.outputs : 1);
    }
    return expected_;
  }
  std::vector<std::string> hidden() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder()))
      if (entry.path().filename().string().starts_with('.')) names.push_back(entry.path());
    return names;
  }
  /// "old", "new", "none", or "broken"; of many also "mixed", and "begun" where the last is not
  /// there and says so.
  std::string output_state() {
    std::set<std::string> states;
    if (!command_.many) return state_of(out());
    for (const auto& [name, bytes] : expected()) states.insert(state_of(name));
    if (states.size() == 1) return *states.begin();
    if (states.contains("broken")) return "broken";
    return !command_.last.empty() && state_of(out() + command_.last) == "none" ? "begun" : "mixed";
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
    EXPECT_TRUE(state == before || state == "new" || state == "begun")
        << what << ": output is " << state;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1)
        << what << ": exit code " << outcome.code << ": " << outcome.err;
  }

 private:
  bool has_word(const char* beginning) const {
    return std::ranges::any_of(command_.words,
                               [&](const auto& word) { return word.starts_with(beginning); });
  }
  Words with_names(const Words& from) const {
    Words words{TESSERA_CLI};
    for (const std::string& word : from)
      words.push_back(word == "IN"               ? in()
                      : word.starts_with("OUT")  ? out() + word.substr(3)
                      : word.starts_with("STEM") ? folder_.path("in" + word.substr(4))
                                                 : word);
    return words;
  }
  /// The outputs that exist.
  Words made() const {
    Words names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder()))
      if (const std::string name = entry.path();
          entry.is_regular_file() && (command_.many ? name.starts_with(out()) : name == out()))
        names.push_back(name);
    return names;
  }
  std::string state_of(const std::string& name) const {
    if (!std::filesystem::exists(name)) return "none";
    const std::string bytes = read_bytes(name);
    const auto whole = expected_.find(name);
    if (bytes == kOld) return "old";
    return whole != expected_.end() && bytes == whole->second ? "new" : "broken";
  }

  static constexpr const char* kOld = "an old file";
  FileCommand command_;
  std::string lacking_;
  TemporaryFolder folder_;
  std::map<std::string, std::string> expected_;
};

}  // namespace tessera::testing
