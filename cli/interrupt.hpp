// SPDX-License-Identifier: Apache-2.0
/// No half-written files, whatever ends the process.
#pragma once

namespace tessera {

/// Says in one sentence that memory ran out, without taking any; returns the exit code.
int report_no_memory();

/// From now on a lack of memory where no exception may pass (destructors of libraries: nlohmann's
/// JSON takes memory in its own) ends the process by that sentence, not by a crash.
void survive_terminate();

/// While it lives, whatever ends the process removes unfinished outputs first:
/// * SIGINT, SIGTERM and SIGHUP, which then end it as if nothing had caught them (130 in the shell
///   after Ctrl-C);
/// * exit() of a library that cannot go on, as libgomp without memory: exit code 5.
/// A file past the limit of its size (ulimit -f) is an error of the write, not a signal. Make it
/// before any thread is started, once: threads inherit the mask.
class CleanEnd {
 public:
  CleanEnd();
  CleanEnd(const CleanEnd&) = delete;
  CleanEnd& operator=(const CleanEnd&) = delete;
  ~CleanEnd();
};

}  // namespace tessera
