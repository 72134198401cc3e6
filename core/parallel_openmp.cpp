// SPDX-License-Identifier: Apache-2.0
#include "core/team.hpp"

namespace tessera {

void run_openmp_team(int threads, const std::function<void()>& work) {
#ifdef _OPENMP
  if (threads <= 1) return work();
#pragma omp parallel num_threads(threads)
  work();
#else
  run_team(threads, work);
#endif
}

}  // namespace tessera
