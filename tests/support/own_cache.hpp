// SPDX-License-Identifier: Apache-2.0
/// A cache folder for one test: what it compiles and tunes is not the user's, and goes with it.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

#include "tests/support/temporary_folder.hpp"

namespace tessera::testing {

class OwnCache {
 public:
  OwnCache() {
    if (const char* const before = std::getenv(kName)) before_ = before;
    ::setenv(kName, folder_.path().c_str(), 1);
  }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;
  ~OwnCache() {
    if (before_)
      ::setenv(kName, before_->c_str(), 1);
    else
      ::unsetenv(kName);
  }
  std::string path(const std::string& name) const { return folder_.path(name); }

 private:
  static constexpr const char* kName = "TESSERA_CACHE";
  TemporaryFolder folder_;
  std::optional<std::string> before_;
};

}  // namespace tessera::testing
