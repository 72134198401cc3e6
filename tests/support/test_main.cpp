// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>

// Looking for leaks takes a program seconds at its end. Test programs do; the tools they start
// would only look at the same code again.
static void let_children_leak() {
  const char* options = ::getenv("ASAN_OPTIONS");
  if (options) ::setenv("ASAN_OPTIONS", (std::string(options) + ":detect_leaks=0").c_str(), 1);
}

int main(int argc, char** argv) {
  let_children_leak();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
