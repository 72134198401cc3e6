// SPDX-License-Identifier: Apache-2.0
#include "core/memory.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

#include "core/cgroup.hpp"

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
  return least;
}

}  // namespace tessera
