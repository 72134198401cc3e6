// SPDX-License-Identifier: Apache-2.0
/// Runs programs and keeps what they say.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace tessera::testing {

struct Outcome {
  int code = -1;  ///< exit code, or 128 + the signal as in shells
  std::string out, err;
};

/// A program under way, its output going to files in a folder of its own.
class Process {
 public:
  /// `input` is what it reads on standard input. argv[0] is looked up on PATH.
  Process(const std::vector<std::string>& argv, const std::string& input = "");
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  pid_t id() const { return id_; }
  Outcome wait();

 private:
  std::string folder_;
  pid_t id_ = -1;
};

}  // namespace tessera::testing
