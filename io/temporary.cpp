// SPDX-License-Identifier: Apache-2.0
#include "io/temporary.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <mutex>
#include <new>
#include <random>
#include <set>

#include "core/folder.hpp"
#include "core/fork.hpp"

namespace tessera {
namespace {

// The temporaries of this process, for abandon_outputs.
struct Unfinished {
  ForkMutex mutex;
  std::set<std::string> names;
};

// Never destroyed: a thread may abandon outputs while the process is ending. It allocates nothing,
// because outputs are also abandoned when memory has run out.
Unfinished& unfinished() {
  alignas(Unfinished) static unsigned char place[sizeof(Unfinished)];
  static Unfinished& all = *new (place) Unfinished;
  return all;
}

// ".NAME.tessera-": the beginning of the names of a target's temporaries. File names have at most
// 255 bytes; a character of several bytes is not split, because some file systems refuse that.
std::string temporary_prefix(const std::string& target) {
  const std::string name = name_in_folder(target);
  std::size_t length = std::min<std::size_t>(name.size(), 180);
  while (length > 0 && length < name.size() && (name[length] & 0xC0) == 0x80) --length;
  return fmt::format(".{}.tessera-", name.substr(0, length));
}

std::string temporary_name(const std::string& target) {
  std::random_device random;
  return fmt::format("{}/{}{}-{:08x}", folder_of(target), temporary_prefix(target), ::getpid(),
                     random());
}

bool process_is_gone(const std::string& text) {
  int id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  return error == std::errc() && id > 0 && ::kill(id, 0) != 0 && errno == ESRCH;
}

// "PROCESS-RANDOM"
bool is_own_ending(const std::string& text) {
  const std::size_t dash = text.find('-');
  return dash != std::string::npos && dash > 0 && text.size() == dash + 9 &&
         text.find_first_not_of("0123456789") == dash &&
         text.find_first_not_of("0123456789abcdef", dash + 1) == std::string::npos;
}

// The writer of a temporary holds its lock. That also works across containers and machines, where
// process numbers mean nothing; the number is used only if a file system has no locks. The file is
// removed while the lock is held: a process that has just made it and waits for the lock then sees
// that it is gone.
void remove_if_abandoned(const std::string& temporary, const std::string& ending) {
  if (!is_own_ending(ending)) return;
  const File file(::open(temporary.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK),
                  temporary);
  if (file.descriptor() < 0) return;
  const bool locked = ::flock(file.descriptor(), LOCK_EX | LOCK_NB) == 0;
  if (locked || (errno != EWOULDBLOCK && process_is_gone(ending))) ::unlink(temporary.c_str());
}

void remove_abandoned(const std::string& target) {
  const std::string folder = folder_of(target), prefix = temporary_prefix(target);
  for (const std::string& name : names_in(folder))
    if (name.starts_with(prefix))
      remove_if_abandoned(joined(folder, name), name.substr(prefix.size()));
}

// The group keeps its rights only if it remains the same group. If no file is replaced, the
// process's umask applies.
void keep_permissions(const File& file, const std::string& target) {
  struct stat old {};
  struct stat own {};
  if (::stat(target.c_str(), &old) != 0 || ::fstat(file.descriptor(), &own) != 0) return;
  const bool group_kept = ::fchown(file.descriptor(), old.st_uid, old.st_gid) == 0 ||
                          ::fchown(file.descriptor(), own.st_uid, old.st_gid) == 0 ||
                          own.st_gid == old.st_gid;
  mode_t mode = old.st_mode & 0777;
  if (!group_kept) mode = (mode & 0707) | (mode & 0007) << 3;
  if (mode != (own.st_mode & 0777) && ::fchmod(file.descriptor(), mode) != 0)
    throw system_error(ErrorKind::usage, target, "its permissions cannot be kept", errno);
}

bool rename_by(const std::string& name, const std::string& target, unsigned how) {
  return ::renameat2(AT_FDCWD, name.c_str(), AT_FDCWD, target.c_str(), how) == 0;
}

void rename_over(const std::string& name, const std::string& target) {
  if (::rename(name.c_str(), target.c_str()) != 0)
    throw system_error(ErrorKind::failure, target, "cannot be put in place", errno);
}

// For file systems that cannot rename without replacing: creating a hard link never replaces a
// file. If there are no hard links either, only a check before the rename is possible.
void link_to(const std::string& name, const std::string& target) {
  if (::link(name.c_str(), target.c_str()) == 0) {
    ::unlink(name.c_str());
    return;
  }
  struct stat status {};
  if (errno == EEXIST || ::lstat(target.c_str(), &status) == 0) throw exists_error(target);
  rename_over(name, target);
}

}  // namespace

Error exists_error(const std::string& path) {
  return {ErrorKind::usage, path + " exists; give the option force to replace it"};
}

void abandon_outputs() {
  unfinished().mutex.lock();  // and never unlocked: no output begins after this
  for (const std::string& name : unfinished().names) ::unlink(name.c_str());
}

// Delegating: after this constructor the object exists, so a later failure removes the file.
Temporary::Temporary(const std::string& target, Opened) : target_(target), file_(-1, target) {
  remove_abandoned(target);
  while (!open()) {
  }
}

Temporary::Temporary(const std::string& target) : Temporary(target, Opened{}) {
  keep_permissions(file_, target);
}

// The name is noted, and all memory allocated, before the file exists: nothing can fail between the
// two. Others can read the file only after it gets the target's permissions. False if another
// process took it for abandoned before it was locked.
bool Temporary::open() {
  name_ = temporary_name(target_);
  struct stat status {};
  const mode_t mode = ::stat(target_.c_str(), &status) == 0 ? 0600 : 0666;
  std::string path = target_;
  const std::lock_guard lock(unfinished().mutex);
  const auto note = unfinished().names.insert(name_).first;
  const int descriptor = open_file(name_, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor < 0) {
    const int error = errno;
    unfinished().names.erase(note);
    throw system_error(error == EIO ? ErrorKind::failure : ErrorKind::usage, target_,
                       "cannot be made", error);
  }
  file_ = File(descriptor, std::move(path));
  const bool lost = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!lost && (::fstat(descriptor, &status) != 0 || status.st_nlink > 0)) return true;
  ::unlink(name_.c_str());
  unfinished().names.erase(note);
  return false;
}

Temporary::Temporary(Temporary&& other) noexcept
    : target_(std::move(other.target_)),
      name_(std::exchange(other.name_, {})),
      file_(std::move(other.file_)) {}

Temporary::~Temporary() {
  if (name_.empty()) return;
  ::unlink(name_.c_str());
  const std::lock_guard lock(unfinished().mutex);
  unfinished().names.erase(name_);
}

void Temporary::place(bool replace) {
  if (replace) {
    rename_over(name_, target_);
  } else if (!rename_by(name_, target_, RENAME_NOREPLACE)) {
    if (errno == EEXIST) throw exists_error(target_);
    if (errno != EINVAL && errno != ENOSYS)
      throw system_error(ErrorKind::failure, target_, "cannot be put in place", errno);
    link_to(name_, target_);
  }
  const std::lock_guard lock(unfinished().mutex);
  forget();
}

void Temporary::forget() {
  unfinished().names.erase(name_);
  name_.clear();
}

// The replaced file is kept under the temporary's name, so that this can be undone.
Temporary::Placed Temporary::put(bool replace) {
  if (rename_by(name_, target_, RENAME_NOREPLACE)) return Placed::as_new;
  if (errno == EEXIST && !replace) throw exists_error(target_);
  if (errno == EEXIST && rename_by(name_, target_, RENAME_EXCHANGE)) return Placed::in_exchange;
  if (errno != EINVAL && errno != ENOSYS)
    throw system_error(ErrorKind::failure, target_, "cannot be put in place", errno);
  replace ? rename_over(name_, target_) : link_to(name_, target_);
  return Placed::for_good;
}

void Temporary::take_back(Placed how) {
  if (how == Placed::as_new) rename_by(target_, name_, RENAME_NOREPLACE);
  if (how == Placed::in_exchange) rename_by(name_, target_, RENAME_EXCHANGE);
}

// Locked until all are placed or none: abandon_outputs waits for it.
void place_together(std::span<ToPlace> all) {
  const std::lock_guard lock(unfinished().mutex);
  std::size_t placed = 0;
  try {
    for (; placed < all.size(); ++placed)
      all[placed].placed = all[placed].temporary.put(all[placed].replace);
  } catch (...) {
    for (; placed > 0; --placed) all[placed - 1].temporary.take_back(all[placed - 1].placed);
    throw;
  }
  for (auto& [file, replace, how] : all) {
    if (how == Temporary::Placed::in_exchange) ::unlink(file.name_.c_str());
    file.forget();
  }
}

}  // namespace tessera
