// SPDX-License-Identifier: Apache-2.0
/// Teams of threads: the one place where threads for computing start.
#pragma once

#include <functional>

namespace tessera {

/// Runs `work` on up to `threads` threads, the caller's among them, and waits for those that began
/// it. `work` does not throw and takes what is left of a shared list: threads that have not begun
/// when the caller has finished do not begin at all. Inside a team it runs on the caller alone.
void run_team(int threads, const std::function<void()>& work);

/// The same on OpenMP's threads, for studies of papers that used them; run_team where OpenMP is
/// left out.
void run_openmp_team(int threads, const std::function<void()>& work);

/// The same on threads that start now and end with the work; they may have teams of their own.
void run_plain_threads(int threads, const std::function<void()>& work);

}  // namespace tessera
