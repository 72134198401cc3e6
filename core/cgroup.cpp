// SPDX-License-Identifier: Apache-2.0
#include "core/cgroup.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

namespace tessera {
namespace {

namespace fs = std::filesystem;

/// What the files of one version are called.
struct Version {
  const char* limit;
  const char* used;
  const char* droppable;  ///< in memory.stat
};
constexpr Version kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes",
                            "total_inactive_file"};
constexpr Version kVersion2{"memory.max", "memory.current", "inactive_file"};

/// None for a missing file and for "max".
std::optional<std::size_t> number_in(const fs::path& path) {
  std::ifstream file(path);
  std::size_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

std::size_t named_number_in(const fs::path& path, const std::string& wanted) {
  std::ifstream file(path);
  std::string name;
  std::size_t number = 0;
  while (file >> name >> number)
    if (name == wanted) return number;
  return 0;
}

std::optional<CgroupMemory> memory_of(const fs::path& group, const Version& version) {
  const auto limit = number_in(group / version.limit);
  if (!limit) return std::nullopt;
  const std::size_t used = number_in(group / version.used).value_or(0);
  const std::size_t droppable = named_number_in(group / "memory.stat", version.droppable);
  return CgroupMemory{*limit, used > droppable ? used - droppable : 0};
}

/// A container may see the path its host uses, which is not there; its own group is then the root.
void add_group_and_parents(const fs::path& root, fs::path group, const Version& version,
                           std::vector<CgroupMemory>& found) {
  for (;; group = group.parent_path()) {
    if (const auto memory = memory_of(root / group.relative_path(), version))
      found.push_back(*memory);
    if (group.relative_path().empty()) return;
  }
}

}  // namespace

std::vector<CgroupMemory> cgroup_memory(const std::string& membership, const std::string& mount) {
  std::vector<CgroupMemory> found;
  std::ifstream file(membership);
  // Lines are "hierarchy:controllers:path"; version 2 has hierarchy 0 and no controllers.
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    // Commas on both sides, so that a name is found whole.
    line[first] = line[second] = ',';
    const std::string_view controllers(line.data() + first, second - first + 1);
    const fs::path group = line.substr(second + 1);
    if (controllers == ",,") add_group_and_parents(mount, group, kVersion2, found);
    if (controllers.find(",memory,") != std::string_view::npos)
      add_group_and_parents(fs::path(mount) / "memory", group, kVersion1, found);
  }
  return found;
}

}  // namespace tessera
