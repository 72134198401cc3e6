// SPDX-License-Identifier: Apache-2.0
/// No half-written files, whatever ends the process.
#pragma once

namespace tessera {

/// Prints one sentence that memory ran out, without allocating any; returns the exit code.
int report_no_memory();

/// From now on running out of memory where no exception may pass (destructors of libraries:
/// nlohmann's JSON allocates in its own) ends the process with that sentence instead of a crash.
void survive_terminate();

/// From now on the first of the signals that ask the process to end calls `ask`, on a thread of its
/// own, and the process goes on; a second one ends it as it would have done before. `ask` must
/// stay valid.
void ask_on_first_signal(void (*ask)());

/// During its lifetime, whatever ends the process removes unfinished outputs first:
/// * SIGINT, SIGTERM and SIGHUP, which then end it as if nothing had caught them (130 in the shell
///   after Ctrl-C);
/// * exit() by a library that cannot go on, such as libgomp without memory: exit code 5.
/// A file that exceeds the size limit (ulimit -f) is a write error, not a signal. Construct it
/// once, before any thread is started: threads inherit the mask.
class CleanEnd {
 public:
  CleanEnd();
  CleanEnd(const CleanEnd&) = delete;
  CleanEnd& operator=(const CleanEnd&) = delete;
  ~CleanEnd();
};

}  // namespace tessera
