// SPDX-License-Identifier: Apache-2.0
#include "core/memory.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>

#include "core/cgroup.hpp"
#include "core/node_share.hpp"

namespace tessera {
namespace {

constexpr std::size_t kUnlimited = SIZE_MAX;

std::size_t memory_of_machine() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::size_t kibibytes = 0;
  while (file >> name) {
    if (name == "MemAvailable:" && file >> kibibytes) return kibibytes * 1024;
    std::getline(file, name);
  }
  return kUnlimited;
}

}  // namespace

std::size_t available_memory() {
  std::size_t least = memory_of_machine();
  for (const CgroupMemory& group : cgroup_memory("/proc/self/cgroup", "/sys/fs/cgroup"))
    least = std::min(least, group.free());
  return least / static_cast<std::size_t>(node_share().processes);
}

// Threads that ask at the same time may both look, and both are right.
std::size_t recently_available_memory() {
  using Clock = std::chrono::steady_clock;
  static std::atomic<std::size_t> bytes{0};
  static std::atomic<Clock::duration> asked{};
  const Clock::duration now = Clock::now().time_since_epoch();
  if (bytes == 0 || now - asked.load() > std::chrono::milliseconds(50)) {
    bytes = available_memory();
    asked = now;
  }
  return bytes;
}

}  // namespace tessera
