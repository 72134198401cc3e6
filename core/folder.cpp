// SPDX-License-Identifier: Apache-2.0
#include "core/folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

namespace tessera {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

std::vector<std::string> names_from(int descriptor, int* error) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, CloseFolder> opened(descriptor < 0 ? nullptr
                                                                : ::fdopendir(descriptor));
  if (!opened && error) *error = errno;
  if (!opened && descriptor >= 0) ::close(descriptor);
  if (!opened) return names;
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(opened.get());
    if (!entry) break;
    std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(std::move(name));
  }
  if (error) *error = errno;
  return names;
}

constexpr int kToList = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

}  // namespace

std::vector<std::string> names_in(const std::string& folder, int* error) {
  return names_from(::open(folder.c_str(), kToList), error);
}

std::vector<std::string> names_in(int folder, int* error) {
  return names_from(::openat(folder, ".", kToList), error);
}

bool path_exists(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0;
}

bool is_regular_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

bool is_link(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
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
