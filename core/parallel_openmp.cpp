// SPDX-License-Identifier: Apache-2.0
#include "core/team.hpp"

namespace tessera {

void run_team(int threads, const std::function<void()>& work) {
  if (threads <= 1) return work();
#pragma omp parallel num_threads(threads)
  work();
}

}  // namespace tessera
