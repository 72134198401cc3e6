// SPDX-License-Identifier: Apache-2.0
// Every file of the corpora, and what the fuzzers ever found, goes through its target again.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/fuzz/fuzz_targets.hpp"
#include "tests/support/files.hpp"

namespace tessera::testing {
namespace {

// The seeds of a target and what was found with them.
std::vector<std::string> corpus(const FuzzTarget& target) {
  std::vector<std::string> files;
  for (const std::string& folder : {target.seeds, "found/" + target.name}) {
    std::error_code missing;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             TESSERA_SOURCE_DIR "/tests/" + folder, missing))
      if (entry.is_regular_file()) files.push_back(entry.path().string());
  }
  return files;
}

TEST(FuzzReplay, NoFileOfTheCorporaBreaksItsTarget) {
  for (const FuzzTarget& target : fuzz_targets()) {
    const std::vector<std::string> files = corpus(target);
    EXPECT_FALSE(files.empty()) << target.name << " has no seeds";
    for (const std::string& file : files) {
      SCOPED_TRACE(file);
      target.run(read_bytes(file));
    }
  }
}

// Files that are cut or changed anywhere must be noticed or harmless, too.
TEST(FuzzReplay, NorDoesAnyBeginningOrChangeOfTheShortestSeed) {
  for (const FuzzTarget& target : fuzz_targets()) {
    std::string shortest;
    for (const std::string& file : corpus(target)) {
      const std::string bytes = read_bytes(file);
      if (!bytes.empty() && (shortest.empty() || bytes.size() < shortest.size())) shortest = bytes;
    }
    const std::size_t step = 1 + shortest.size() / 400;
    for (std::size_t at = 0; at < shortest.size(); at += step) {
      target.run(std::string_view(shortest).substr(0, at));
      std::string changed = shortest;
      changed[at] = static_cast<char>(~changed[at]);
      target.run(changed);
    }
  }
}

}  // namespace
}  // namespace tessera::testing
