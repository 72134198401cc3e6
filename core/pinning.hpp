// SPDX-License-Identifier: Apache-2.0
/// Threads bound to cores, so that a measurement on some threads uses as many cores.
#pragma once

#include <sched.h>

#include <cstddef>
#include <string>
#include <vector>

namespace tessera {

/// The CPUs that this thread's teams may use: its own, or those it had before it was bound.
bool allowed_cpus(cpu_set_t& set);

/// Groups CPUs by core, given the text that names the CPUs of each one's core ("0,4"): one CPU of
/// every core comes first, then the others. An empty text is a core of its own.
std::vector<int> order_by_core(const std::vector<int>& cpus,
                               const std::vector<std::string>& siblings);

/// While it lives, thread k of the teams of this thread runs on the k-th CPU only, in that order;
/// with more threads than CPUs it begins again. Throws Error(resources) if the system refuses.
class ScopedPinning {
 public:
  ScopedPinning();
  ScopedPinning(const ScopedPinning&) = delete;
  ScopedPinning& operator=(const ScopedPinning&) = delete;
  ~ScopedPinning();
};

/// While it lives, this thread may run on any CPU: a library that starts threads of its own gives
/// them the CPUs of the thread that called it.
class ScopedRelease {
 public:
  ScopedRelease();
  ScopedRelease(const ScopedRelease&) = delete;
  ScopedRelease& operator=(const ScopedRelease&) = delete;
  ~ScopedRelease();

 private:
  bool bound_;
};

/// The order in which the teams of this thread are bound; null: they are not.
const std::vector<int>* pinned_cpus();

/// Binds this thread to the CPU of its place in a team, or releases it. Does nothing if it is
/// there.
void bind_team_thread(const std::vector<int>* cpus, std::size_t place);

}  // namespace tessera
