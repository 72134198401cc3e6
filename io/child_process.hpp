// SPDX-License-Identifier: Apache-2.0
/// Another program at work for this one, over pipes: no shell, no signal when it stops reading, no
/// process left behind.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "io/file.hpp"

namespace tessera {

/// The path of a program: what the environment's `variable` says, else the first of that name on
/// PATH; "" when there is none that can be run.
std::string find_program(const char* name, const char* variable);

struct ChildPlan {
  std::string subject;                 ///< what messages begin with: the file worked on
  std::vector<std::string> arguments;  ///< the first is the program's path
  bool takes_input = false;            ///< `write` goes to its standard input, else that is empty
  int descriptor = -1;                 ///< an open file it shall have as its descriptor 3
  std::optional<std::chrono::seconds> limit;  ///< the time it may take
};

/// The name of descriptor 3 inside the child, for programs that want a name they can seek in.
inline constexpr const char* kChildFile = "/proc/self/fd/3";

class ChildProcess {
 public:
  /// Throws Error(failure) when it cannot be started.
  explicit ChildProcess(const ChildPlan& plan);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  ///< kills it if it is still at work

  /// As many bytes of its standard output as there are, at most `count`. Throws Error(input) past
  /// the limit of time.
  long long read(void* to, long long count);
  /// False when it has stopped reading before all was written.
  bool write(const void* from, long long count);
  /// Closes its input, waits for its end; its exit code, or 128 + the signal as shells have it.
  int finish();
  /// The last line it has said on standard error so far, or "".
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
  std::string said_;  ///< the end of it
};

}  // namespace tessera
