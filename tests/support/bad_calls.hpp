// SPDX-License-Identifier: Apache-2.0
/// A table of bad calls: each must throw, with this sentence and this kind.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "tessera/error.hpp"

namespace tessera::testing {

struct BadCall {
  std::function<void()> call;
  const char* message;
  ErrorKind kind = ErrorKind::usage;
};

inline void expect_refused(const std::vector<BadCall>& calls) {
  for (const BadCall& bad : calls) {
    try {
      bad.call();
      ADD_FAILURE() << "not refused: " << bad.message;
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), bad.message);
      EXPECT_EQ(error.kind(), bad.kind);
    }
  }
}

}  // namespace tessera::testing
