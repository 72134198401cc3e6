// SPDX-License-Identifier: Apache-2.0
/// The hidden file an output is written to before it has its name.
#pragma once

#include <string>

#include "io/file.hpp"

namespace tessera {

/// ".NAME.tessera-PROCESS-RANDOM" beside its target, locked while it is written. It is removed with
/// the object unless it was placed; what a killed process left behind is removed by the next one
/// for the same target.
class Temporary {
 public:
  /// Throws Error(usage) when the folder takes no new file.
  explicit Temporary(const std::string& target);
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary();

  const File& file() const { return file_; }
  /// Gives it the target's name. Unless `replace`, a file of that name stays and Error(usage) is
  /// thrown.
  void place(bool replace);

 private:
  struct Opened {};
  Temporary(const std::string& target, Opened);
  bool open();

  std::string target_, name_;
  File file_;
};

/// Removes what every unfinished Temporary of this process has written, and lets no new one begin:
/// for a process that is about to end without unwinding, as on Ctrl-C. From any thread, not from a
/// signal handler.
void abandon_outputs();

/// The target exists and may not be replaced.
Error exists_error(const std::string& path);

}  // namespace tessera
