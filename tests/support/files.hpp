// SPDX-License-Identifier: Apache-2.0
/// Files for tests, and errors with what they say.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "io/formats.hpp"
#include "tessera/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace tessera::testing {

/// Whether this build writes files with this ending: ".tif".
inline bool can_write(const std::string& ending) {
  for (const Format& format : formats())
    if (format.can_write() && std::ranges::count(format.extensions, ending) > 0) return true;
  return false;
}

/// The value of one detail of a file, "" if it has no such detail.
inline std::string detail(const ImageSource& source, const std::string& name) {
  for (const FileDetail& one : source.details())
    if (one.name == name) return one.value;
  return "";
}

/// Expects an Error of a kind whose message has a part.
inline void expect_error(const std::function<void()>& call, ErrorKind kind,
                         const std::string& part) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.kind()), static_cast<int>(kind)) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos)
        << "got:    " << error.what() << "\nwanted: " << part;
    return;
  }
  ADD_FAILURE() << "no error; wanted: " << part;
}

}  // namespace tessera::testing
