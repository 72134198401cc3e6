// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdio>
#include <exception>
#include <string>

#include "tests/support/test_files.hpp"

namespace {

// Looking for leaks takes a program seconds at its end. Test programs do; the tools they start
// would only look at the same code again.
void let_children_leak() {
  const char* options = ::getenv("ASAN_OPTIONS");
  if (options) ::setenv("ASAN_OPTIONS", (std::string(options) + ":detect_leaks=0").c_str(), 1);
}

// Processes of one program that run at once would take the same report for theirs.
void name_report_after(const std::string& file) {
  const std::string folder = GTEST_FLAG_GET(output);
  if (folder.ends_with('/')) GTEST_FLAG_SET(output, folder + file + ".xml");
}

// The NAME of --file=NAME, or nothing.
std::string file_of(int argc, char** argv) {
  const std::string option = "--file=", given = argc > 1 ? argv[1] : "";
  return given.starts_with(option) ? given.substr(option.size()) : "";
}

}  // namespace

int main(int argc, char** argv) try {
  let_children_leak();
  const std::string file = file_of(argc, argv);
  if (!file.empty()) name_report_after(file);
  testing::InitGoogleTest(&argc, argv);
  if (!file.empty()) GTEST_FLAG_SET(filter, tessera::filter_for_file(GTEST_FLAG_GET(filter), file));
  return RUN_ALL_TESTS();
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 2;
}
