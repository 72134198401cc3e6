// SPDX-License-Identifier: Apache-2.0
#include "io/file_tree.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <exception>

#include "core/folder.hpp"

namespace tessera {
namespace {

constexpr int kDeepest = 16;  // a Measurement Set has two levels

bool remove_below(int parent, const std::string& name, int depth) {
  const File folder(open_in(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW), name);
  if (folder.descriptor() < 0) return errno == ENOENT;
  for (const std::string& one : names_in(folder.descriptor())) {
    if (::unlinkat(folder.descriptor(), one.c_str(), 0) == 0 || errno != EISDIR) continue;
    if (depth > 0) remove_below(folder.descriptor(), one, depth - 1);
  }
  return ::unlinkat(parent, name.c_str(), AT_REMOVEDIR) == 0;
}

void sync_below(const File& folder, int depth) {
  for (const std::string& name : names_in(folder.descriptor())) {
    const std::string path = joined(folder.path(), name);
    const File folder_in(
        open_in(folder.descriptor(), name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW), path);
    if (folder_in.descriptor() >= 0 && depth > 0) {
      sync_below(folder_in, depth - 1);
      continue;
    }
    const File file(open_in(folder.descriptor(), name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), path);
    if (file.descriptor() < 0)
      throw system_error(ErrorKind::failure, path, "cannot be opened to be synced", errno);
    file.sync();
  }
  folder.sync();
}

}  // namespace

// Also called while the process ends for a lack of memory: then it leaves what it cannot list.
bool remove_tree(int parent, const std::string& name) noexcept try {
  return remove_below(parent, name, kDeepest);
} catch (const std::exception&) {
  return false;
}

void sync_tree(const File& folder) { sync_below(folder, kDeepest); }

}  // namespace tessera
