// SPDX-License-Identifier: Apache-2.0
#include "core/team.hpp"

#ifdef _OPENMP
#include <omp.h>

#include "core/pinning.hpp"
#endif

namespace tessera {

void run_openmp_team(int threads, const std::function<void()>& work) {
#ifdef _OPENMP
  if (threads <= 1) return work();
  const std::vector<int>* const cpus = pinned_cpus();
#pragma omp parallel num_threads(threads)
  {
    bind_team_thread(cpus, static_cast<std::size_t>(omp_get_thread_num()));
    work();
  }
#else
  run_team(threads, work);
#endif
}

}  // namespace tessera
