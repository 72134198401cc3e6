// SPDX-License-Identifier: Apache-2.0
/// Runs another program over pipes: without a shell, without a signal when it stops reading, and
/// without a process left behind.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "io/file.hpp"

namespace tessera {

/// The path of a program: the value of the environment variable `variable`, otherwise the first of
/// that name on PATH; "" if none can be run.
std::string find_program(const char* name, const char* variable);

struct ChildPlan {
  std::string subject;                 ///< the beginning of messages: the file being processed
  std::vector<std::string> arguments;  ///< the first is the program's path
  bool takes_input = false;  ///< `write` goes to its standard input, which is otherwise empty
  int descriptor = -1;       ///< an open file; descriptor 3 is the same file, opened again
  std::optional<std::chrono::seconds> limit;  ///< the time it may take
};

/// The name of descriptor 3 inside the child, for programs that need a name of a seekable file.
inline constexpr const char* kChildFile = "/proc/self/fd/3";

class ChildProcess {
 public:
  /// Throws Error(failure) when it cannot be started.
  explicit ChildProcess(const ChildPlan& plan);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  ///< kills it if it is still running

  /// Reads the available bytes of its standard output, at most `count`. Throws Error(input) after
  /// the time limit.
  long long read(void* to, long long count);
  /// False if it stopped reading before everything was written.
  bool write(const void* from, long long count);
  /// Closes its input and waits for its end. Returns its exit code, or 128 + the signal as shells
  /// do.
  int finish();
  /// The last line it has written to standard error so far, or "".
  std::string last_line() const;

 private:
  void start(const ChildPlan& plan, int input, int output, int error);
  void wait_for(const File& file, short events);
  void read_errors();
  void kill_and_reap();

  std::string subject_;
  std::string program_;
  pid_t id_ = -1;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::chrono::seconds limit_{0};
  File input_, output_, errors_;
  std::string said_;  ///< the end of its messages
};

}  // namespace tessera
