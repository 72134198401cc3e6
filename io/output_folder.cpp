// SPDX-License-Identifier: Apache-2.0
#include "io/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/folder.hpp"
#include "io/file_tree.hpp"
#include "io/output_place.hpp"
#include "io/temporary.hpp"
#include "io/unfinished.hpp"

namespace tessera {
namespace {

File opened_folder(int parent, const std::string& name, const std::string& path) {
  return {open_in(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW), path};
}

File opened_parent(const std::string& path) {
  File parent(open_file(folder_of(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC), path);
  if (parent.descriptor() < 0)
    throw Error(ErrorKind::usage,
                fmt::format("{}: there is no folder {}; create it first", path, folder_of(path)));
  return parent;
}

bool is_there(int parent, const std::string& name) {
  struct stat status {};
  return ::fstatat(parent, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

/// Those that nobody fills any more: their process held a lock.
void remove_abandoned_folders(int parent, const std::string& name) {
  for (const std::string& other : names_in(parent)) {
    if (!other.starts_with(temporary_prefix(name))) continue;
    const File folder = opened_folder(parent, other, other);
    if (folder.descriptor() >= 0 && ::flock(folder.descriptor(), LOCK_EX | LOCK_NB) == 0)
      remove_tree(parent, other);
  }
}

}  // namespace

OutputFolder::OutputFolder(const std::string& path, bool force)
    : path_(path),
      name_(name_in_folder(path)),
      hidden_(temporary_name(name_)),
      force_(force),
      parent_(opened_parent(path)),
      folder_(-1, path) {
  const int parent = parent_.descriptor();
  if (!force && is_there(parent, name_)) throw exists_error(path);
  remove_abandoned_folders(parent, name_);
  note_unfinished(parent, hidden_);
  if (::mkdirat(parent, hidden_.c_str(), 0777) == 0) folder_ = opened_folder(parent, hidden_, path);
  if (folder_.descriptor() >= 0) {
    ::flock(folder_.descriptor(), LOCK_EX | LOCK_NB);
    return;
  }
  const int error = errno;
  forget_unfinished(parent, hidden_);
  ::unlinkat(parent, hidden_.c_str(), AT_REMOVEDIR);
  throw system_error(ErrorKind::usage, path, "cannot be made", error);
}

OutputFolder::~OutputFolder() { remove_files(); }

void OutputFolder::remove_files() noexcept {
  if (hidden_.empty()) return;
  for (const std::string& name : files_) {
    ::unlinkat(folder_.descriptor(), name.c_str(), 0);
    forget_unfinished(folder_.descriptor(), name);
  }
  remove_tree(parent_.descriptor(), hidden_);
  forget_unfinished(parent_.descriptor(), hidden_);
}

File OutputFolder::create(const std::string& name) {
  files_.push_back(name);
  note_unfinished(folder_.descriptor(), name);
  const int descriptor =
      open_in(folder_.descriptor(), name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0)
    throw system_error(ErrorKind::usage, joined(path_, name), "cannot be made", errno);
  return {descriptor, joined(path_, name)};
}

std::string OutputFolder::hidden_path() const { return joined(folder_of(path_), hidden_); }

std::string OutputFolder::path_of(const std::string& name) const {
  return joined(hidden_path(), name);
}

void OutputFolder::sync_all() const { sync_tree(folder_); }

// A signal that comes between the rename and the end of the notes would empty the new folder.
void OutputFolder::finish() {
  folder_.sync();
  std::vector<std::pair<int, std::string>> noted{{parent_.descriptor(), hidden_}};
  for (const std::string& name : files_) noted.emplace_back(folder_.descriptor(), name);
  bool replaced = false;
  place_unfinished(noted, [&] { replaced = place(); });
  const std::string old = std::exchange(hidden_, {});
  if (replaced && !remove_tree(parent_.descriptor(), old))
    left_behind_ = joined(folder_of(path_), old);
  parent_.sync();
}

// Renaming never replaces a folder that holds files: an old one changes places with the new one.
// True if it has the hidden name now.
bool OutputFolder::place() const {
  const int parent = parent_.descriptor();
  const auto rename_by = [&](unsigned how) {
    return ::renameat2(parent, hidden_.c_str(), parent, name_.c_str(), how) == 0;
  };
  if (rename_by(RENAME_NOREPLACE)) return false;
  if (errno == EEXIST) {
    if (!force_) throw exists_error(path_);
    if (rename_by(RENAME_EXCHANGE)) return true;
    remove_tree(parent, name_);
  }
  if (::renameat(parent, hidden_.c_str(), parent, name_.c_str()) != 0)
    throw system_error(ErrorKind::failure, path_, "cannot be put in place", errno);
  return false;
}

}  // namespace tessera
