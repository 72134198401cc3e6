// SPDX-License-Identifier: Apache-2.0
/// Teams of threads: the one place where threads for computing start.
#pragma once

#include <functional>

namespace tessera {

/// Runs `work` once on each of `threads` threads, the caller's among them, and waits. `work` does
/// not throw. Two implementations: OpenMP, and std::thread for the thread sanitizer, which reports
/// false races in libgomp.
void run_team(int threads, const std::function<void()>& work);

/// The same, always on plain threads: a team started inside an OpenMP team has one thread.
void run_plain_threads(int threads, const std::function<void()>& work);

}  // namespace tessera
