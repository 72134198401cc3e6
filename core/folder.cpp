// SPDX-License-Identifier: Apache-2.0
#include "core/folder.hpp"

#include <dirent.h>

#include <cerrno>
#include <memory>

namespace tessera {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

}  // namespace

std::vector<std::string> names_in(const std::string& folder, int* error) {
  std::vector<std::string> names;
  errno = 0;
  const std::unique_ptr<DIR, CloseFolder> opened(::opendir(folder.c_str()));
  while (opened) {
    errno = 0;
    const dirent* entry = ::readdir(opened.get());
    if (!entry) break;
    std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(std::move(name));
  }
  if (error) *error = errno;
  return names;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string name_in_folder(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string joined(const std::string& folder, const std::string& name) {
  if (name.starts_with('/') || folder.empty()) return name;
  return folder + (folder.ends_with('/') ? "" : "/") + name;
}

}  // namespace tessera
