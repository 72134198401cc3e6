// SPDX-License-Identifier: Apache-2.0
#include "io/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <random>
#include <set>

namespace tessera {
namespace {

namespace fs = std::filesystem;

Error exists_error(const std::string& path) {
  return {ErrorKind::usage, path + " exists; give --force to replace it"};
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// Replacing a link would leave the file it names as it was.
std::string follow_links(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  const fs::path target = fs::canonical(path, error);
  return error ? path : target.string();
}

void check_target(const std::string& path, bool force) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return;
  if (S_ISDIR(status.st_mode))
    throw Error(ErrorKind::usage, path + ": is a folder; give the name of a file in it");
  if (!S_ISREG(status.st_mode))
    throw Error(ErrorKind::usage, path + ": is not a regular file; give the name of one");
  if (!force) throw exists_error(path);
}

void check_folder(const std::string& path) {
  const std::string folder = folder_of(path);
  struct stat status {};
  if (::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return;
  throw Error(ErrorKind::usage,
              fmt::format("{}: there is no folder {}; make it first", path, folder));
}

// ".NAME.tessera-": what temporaries of a target begin with; file names end at 255 bytes.
std::string temporary_prefix(const std::string& path) {
  return fmt::format(".{}.tessera-", fs::path(path).filename().string().substr(0, 180));
}

// Left behind when its process is gone and, for processes of other machines and containers whose
// numbers mean nothing here, nobody holds its lock.
bool is_abandoned(const fs::path& temporary, const std::string& process) {
  int id = 0;
  const auto [end, error] = std::from_chars(process.data(), process.data() + process.size(), id);
  if (error != std::errc() || id <= 0 || *end != '-') return false;
  if (::kill(id, 0) == 0 || errno != ESRCH) return false;
  const File file(::open(temporary.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW), temporary);
  return file.descriptor() >= 0 && ::flock(file.descriptor(), LOCK_EX | LOCK_NB) == 0;
}

void remove_abandoned(const std::string& path) {
  const std::string prefix = temporary_prefix(path);
  std::error_code ignored;
  for (fs::directory_iterator entry(folder_of(path), ignored), end; entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(prefix) && is_abandoned(entry->path(), name.substr(prefix.size())))
      fs::remove(entry->path(), ignored);
    if (ignored) return;
  }
}

std::string temporary_name(const std::string& path) {
  std::random_device random;
  return fmt::format("{}/{}{}-{:08x}", folder_of(path), temporary_prefix(path), ::getpid(),
                     random());
}

File create_temporary(const std::string& path, const std::string& temporary) {
  File file(::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666), path);
  if (file.descriptor() < 0) throw system_error(ErrorKind::usage, path, "cannot be made", errno);
  ::flock(file.descriptor(), LOCK_EX | LOCK_NB);
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 &&
      ::fchmod(file.descriptor(), status.st_mode & 07777) != 0)
    throw system_error(ErrorKind::usage, path, "its permissions cannot be kept", errno);
  return file;
}

// Without force, a file that appeared meanwhile stays; where the file system cannot promise that,
// it was still checked at the start.
void rename_to(const std::string& temporary, const std::string& path, bool force) {
  if (!force) {
    if (::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0)
      return;
    if (errno == EEXIST) throw exists_error(path);
    if (errno != EINVAL && errno != ENOSYS)
      throw system_error(ErrorKind::failure, path, "cannot be put in place", errno);
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0)
    throw system_error(ErrorKind::failure, path, "cannot be put in place", errno);
}

// Without it the new name may be lost with the power, though the contents are not. Not every file
// system lets a folder be opened for this; then there is nothing more to do.
void sync_folder(const std::string& folder) {
  const File opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC), folder);
  if (opened.descriptor() >= 0) ::fsync(opened.descriptor());
}

// The temporaries of this process, for abandon_outputs.
struct Unfinished {
  std::mutex mutex;
  std::set<std::string> names;
};

// Never destroyed: a thread may abandon outputs while the process is ending.
Unfinished& unfinished() {
  static Unfinished& all = *new Unfinished;
  return all;
}

void forget(const std::string& temporary) {
  const std::lock_guard lock(unfinished().mutex);
  unfinished().names.erase(temporary);
}

}  // namespace

void abandon_outputs() {
  unfinished().mutex.lock();  // and never unlocked: nothing begins after this
  for (const std::string& name : unfinished().names) ::unlink(name.c_str());
}

Output::Output(const std::string& path, bool force)
    : path_(follow_links(path)), force_(force), file_(-1, path) {
  if (path.empty()) throw Error(ErrorKind::usage, "the output has no name; give one");
  check_target(path_, force);
  check_folder(path_);
  remove_abandoned(path_);
  const std::string temporary = temporary_name(path_);
  const std::lock_guard lock(unfinished().mutex);
  file_ = create_temporary(path_, temporary);
  unfinished().names.insert(temporary);
  temporary_ = temporary;
}

Output::~Output() {
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  forget(temporary_);
}

void Output::finish() {
  file_.sync();
  rename_to(temporary_, path_, force_);
  forget(temporary_);
  temporary_.clear();
  file_.close();
  sync_folder(folder_of(path_));
}

}  // namespace tessera
