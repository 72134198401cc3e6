// SPDX-License-Identifier: Apache-2.0
/// A file that is old or whole: never half written, whatever happens.
#pragma once

#include <string>

#include "io/file.hpp"

namespace tessera {

/// Writes go to a temporary name in the same folder; `finish` puts the result in its place.
/// Unfinished, it is removed; what a killed process left behind is removed by the next run.
class Output {
 public:
  /// Throws Error(usage) when the file exists and `force` is not given, or cannot be made.
  Output(const std::string& path, bool force);
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();

  const File& file() const { return file_; }
  void finish();

 private:
  std::string path_;  ///< what the user named, symbolic links followed
  bool force_;
  std::string temporary_;
  File file_;
};

/// Removes what every unfinished Output of this process has written, and lets no new one begin: for
/// a process that is about to end without unwinding, as on Ctrl-C. From any thread, not from a
/// signal handler.
void abandon_outputs();

}  // namespace tessera
