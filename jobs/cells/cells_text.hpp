// SPDX-License-Identifier: Apache-2.0
/// A text file that may be too long for memory; it is either the old one or complete.
#pragma once

#include <string>
#include <string_view>

#include "io/output.hpp"

namespace tessera {

/// Lines go to a temporary file; `finish` renames it. An unfinished file is removed.
class TextFile {
 public:
  /// Throws Error(usage) if the file exists and `force` is not given, or if it cannot be made.
  TextFile(const std::string& path, bool force) : output_(path, force) {}

  void add(std::string_view text);
  /// Writes everything without renaming: a full disk is noticed here.
  void flush();
  void finish();

 private:
  Output output_;
  std::string waiting_;
  long long offset_ = 0;
};

}  // namespace tessera
