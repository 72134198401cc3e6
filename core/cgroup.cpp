// SPDX-License-Identifier: Apache-2.0
#include "core/cgroup.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>

#include "core/folder.hpp"

namespace tessera {
namespace {

/// Names of the files of one version.
struct Version {
  const char* limit;
  const char* used;
  const char* droppable;  ///< in memory.stat
};
constexpr Version kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes",
                            "total_inactive_file"};
constexpr Version kVersion2{"memory.max", "memory.current", "inactive_file"};

/// None for a missing file and for "max".
std::optional<std::size_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::size_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

std::size_t named_number_in(const std::string& path, const std::string& wanted) {
  std::ifstream file(path);
  std::string name;
  std::size_t number = 0;
  while (file >> name >> number)
    if (name == wanted) return number;
  return 0;
}

std::optional<CgroupMemory> memory_of(const std::string& group, const Version& version) {
  const auto limit = number_in(joined(group, version.limit));
  if (!limit) return std::nullopt;
  const std::size_t used = number_in(joined(group, version.used)).value_or(0);
  const std::size_t droppable = named_number_in(joined(group, "memory.stat"), version.droppable);
  return CgroupMemory{*limit, used > droppable ? used - droppable : 0};
}

/// A group's folder, and which version's files are in it.
struct Group {
  std::string folder;
  int version;
};

/// A container may see the path its host uses, which does not exist inside; its own group is then
/// the root.
void add_group_and_parents(const std::string& root, std::string group, int version,
                           std::vector<Group>& found) {
  for (;;) {
    while (group.ends_with('/')) group.pop_back();
    found.push_back({root + group, version});
    if (group.empty()) return;
    group.resize(group.rfind('/') + 1);
  }
}

/// The groups that limit a resource, "memory" or "cpu", from the process's own to the root.
std::vector<Group> groups_of(const std::string& membership, const std::string& mount,
                             const std::string& resource) {
  std::vector<Group> found;
  std::ifstream file(membership);
  // Lines are "hierarchy:controllers:path"; version 2 has hierarchy 0 and no controllers.
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    // Commas on both sides, so that a name is found whole.
    line[first] = line[second] = ',';
    const std::string_view controllers(line.data() + first, second - first + 1);
    const std::string group = line.substr(second + 1);  // "/" or "/a/b"
    if (controllers == ",,") add_group_and_parents(mount, group, 2, found);
    if (controllers.find("," + resource + ",") != std::string_view::npos)
      add_group_and_parents(joined(mount, resource), group, 1, found);
  }
  return found;
}

/// Quota over period: "150000 100000" in one file, or one number each in two. 0: no limit.
double cpus_of(const Group& group) {
  double quota = 0, period = 0;
  if (group.version == 2) {
    std::ifstream(joined(group.folder, "cpu.max")) >> quota >> period;
  } else {
    std::ifstream(joined(group.folder, "cpu.cfs_quota_us")) >> quota;
    std::ifstream(joined(group.folder, "cpu.cfs_period_us")) >> period;
  }
  return quota > 0 && period > 0 ? quota / period : 0;
}

}  // namespace

std::vector<CgroupMemory> cgroup_memory(const std::string& membership, const std::string& mount) {
  std::vector<CgroupMemory> found;
  for (const Group& group : groups_of(membership, mount, "memory"))
    if (const auto memory = memory_of(group.folder, group.version == 2 ? kVersion2 : kVersion1))
      found.push_back(*memory);
  return found;
}

double cgroup_cpus(const std::string& membership, const std::string& mount) {
  double least = std::numeric_limits<double>::infinity();
  for (const Group& group : groups_of(membership, mount, "cpu"))
    if (const double cpus = cpus_of(group); cpus > 0) least = std::min(least, cpus);
  return least;
}

}  // namespace tessera
