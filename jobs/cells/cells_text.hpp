// SPDX-License-Identifier: Apache-2.0
/// A file of text that may be longer than memory should hold, old or whole.
#pragma once

#include <string>
#include <string_view>

#include "io/output.hpp"

namespace tessera {

/// Lines go to a temporary name; `finish` puts the file in its place. Unfinished, it is removed.
class TextFile {
 public:
  /// Throws Error(usage) when the file exists and `force` is not given, or cannot be made.
  TextFile(const std::string& path, bool force) : output_(path, force) {}

  void add(std::string_view text);
  /// Everything is written, nothing is in place yet: a disk that is full is known by now.
  void flush();
  void finish();

 private:
  Output output_;
  std::string waiting_;
  long long offset_ = 0;
};

}  // namespace tessera
