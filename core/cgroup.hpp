// SPDX-License-Identifier: Apache-2.0
/// Limits of the control groups this process is in, versions 1 and 2. `membership` is
/// /proc/self/cgroup, `mount` /sys/fs/cgroup; tests pass their own folders.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tessera {

struct CgroupMemory {
  std::size_t limit = 0;
  std::size_t used = 0;  ///< file cache that the kernel can drop is not counted

  std::size_t free() const { return limit > used ? limit - used : 0; }
};

/// Every group with a limit, from the process's own to the root.
std::vector<CgroupMemory> cgroup_memory(const std::string& membership, const std::string& mount);

/// CPU time, in CPUs, that the tightest group grants; infinite if none limits it.
double cgroup_cpus(const std::string& membership, const std::string& mount);

}  // namespace tessera
