// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "core/pinning.hpp"
#include "core/team.hpp"

namespace tessera {

void run_plain_threads(int threads, const std::function<void()>& work) {
  std::vector<std::thread> others;
  try {
    for (int i = 1; i < threads; ++i)
      others.emplace_back([&work, cpus = pinned_cpus(), i] {
        bind_team_thread(cpus, static_cast<std::size_t>(i));
        work();
      });
  } catch (const std::exception&) {  // no more threads available: these share the work
  }
  work();
  for (std::thread& thread : others) thread.join();
}

}  // namespace tessera
