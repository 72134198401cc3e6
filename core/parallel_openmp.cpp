// SPDX-License-Identifier: Apache-2.0
#include "core/fork.hpp"
#include "core/team.hpp"

namespace tessera {

// The threads that libgomp keeps for the next team are not in a forked child, which would wait for
// them forever, whichever library started them: a child has plain threads.
void run_team(int threads, const std::function<void()>& work) {
  if (threads <= 1) return work();
  if (fork_depth() > 0) return run_plain_threads(threads, work);
#pragma omp parallel num_threads(threads)
  work();
}

}  // namespace tessera
