// SPDX-License-Identifier: Apache-2.0
/// A file that is old or whole: never half written, whatever happens (docs/robustness.md).
#pragma once

#include <string>

#include "io/file.hpp"
#include "io/temporary.hpp"

namespace tessera {

/// Writes go to a temporary name in the same folder; `finish` puts the result in its place.
/// Unfinished, it is removed.
class Output {
 public:
  /// Throws Error(usage) when the file exists and `force` is not given, or cannot be made.
  Output(const std::string& path, bool force);

  const File& file() const { return temporary_.file(); }
  /// Throws Error and leaves the old file when anything was not written. Only when the folder
  /// cannot be synced is the new file in place all the same. While there is an OutputSet the file
  /// waits there for its name.
  void finish();

 private:
  std::string path_;  ///< what the user named, symbolic links followed
  bool force_;
  Temporary temporary_;
};

/// A whole file of text, old or whole.
void write_text(const std::string& path, const std::string& text, bool force);

}  // namespace tessera
