// SPDX-License-Identifier: Apache-2.0
#include <thread>
#include <vector>

#include "core/team.hpp"

namespace tessera {

void run_team(int threads, const std::function<void()>& work) {
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
}

}  // namespace tessera
