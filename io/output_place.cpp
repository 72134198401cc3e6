// SPDX-License-Identifier: Apache-2.0
#include "io/output_place.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/folder.hpp"

namespace tessera {
namespace {

[[noreturn]] void refuse_place(const std::string& path, const std::string& why) {
  throw Error(ErrorKind::usage, path + ": " + why);
}

// `name` is seen from the folder `from`.
OutputPlace place_of(int from, const std::string& name, std::string path) {
  std::string folder = folder_of(name);
  OutputPlace place{std::move(path), File(-1, ""), name_in_folder(name)};
  const int opened = open_in(from, folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0 && (errno == ENOENT || errno == ENOTDIR))
    refuse_place(place.path,
                 fmt::format("there is no folder {}; create it first", folder_of(place.path)));
  if (opened < 0)
    throw system_error(ErrorKind::usage, place.path, "its folder cannot be opened", errno);
  place.folder = File(opened, std::move(folder));
  if (place.name.empty()) refuse_place(place.path, "it is a folder; give the name of a file in it");
  return place;
}

// The rule of fs.protected_symlinks, which not every machine switches on, and more: a link that
// another user made never decides which file is replaced.
void check_link(const OutputPlace& place, uid_t owner) {
  struct stat folder {};
  const uid_t self = ::geteuid();
  const bool known = ::fstat(place.folder.descriptor(), &folder) == 0;
  const bool shared = !known || ((folder.st_mode & S_ISVTX) && (folder.st_mode & S_IWOTH));
  if (owner == self || (owner == 0 && (!shared || folder.st_uid == 0))) return;
  refuse_place(place.path, fmt::format("it is a symbolic link that belongs to user {}, and this is "
                                       "user {}; remove it or give another name",
                                       owner, self));
}

OutputPlace followed(const OutputPlace& link) {
  std::string target(PATH_MAX, '\0');
  const auto length =
      ::readlinkat(link.folder.descriptor(), link.name.c_str(), target.data(), target.size());
  if (length < 0)
    throw system_error(ErrorKind::usage, link.path, "the link cannot be followed", errno);
  target.resize(static_cast<std::size_t>(length));
  return place_of(link.folder.descriptor(), target, joined(folder_of(link.path), target));
}

void check_existing(const std::string& path, mode_t mode, bool force) {
  if (S_ISDIR(mode)) refuse_place(path, "it is a folder; give the name of a file in it");
  if (!S_ISREG(mode)) refuse_place(path, "it is not a regular file; give the name of one");
  if (!force) throw exists_error(path);
}

}  // namespace

OutputPlace find_place(const std::string& path, bool force) {
  constexpr int kMostLinks = 40;  // the kernel's limit
  if (path.empty()) throw Error(ErrorKind::usage, "the output has no name; give one");
  OutputPlace place = place_of(AT_FDCWD, path, path);
  for (int links = 0; links <= kMostLinks; ++links) {
    struct stat status {};
    if (::fstatat(place.folder.descriptor(), place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) !=
        0) {
      if (errno == ENAMETOOLONG)
        throw system_error(ErrorKind::usage, place.path, "cannot be made", errno);
      return place;
    }
    if (!S_ISLNK(status.st_mode)) {
      check_existing(place.path, status.st_mode, force);
      return place;
    }
    if (!force)
      refuse_place(place.path,
                   "it is a symbolic link; give the option force to follow it, or another name");
    check_link(place, status.st_uid);
    place = followed(place);
  }
  refuse_place(path, "its symbolic links lead in a circle; fix them");
}

ExistingOutput exists_error(const std::string& path) {
  return ExistingOutput(path + " exists; give the option force to replace it");
}

}  // namespace tessera
