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
#include "io/file_tree.hpp"
#include "io/unfinished.hpp"

namespace tessera {
namespace {

// The temporaries of this process, for abandon_outputs: descriptors of folders, and names in them.
struct Unfinished {
  ForkMutex mutex;
  std::set<std::pair<int, std::string>> names;
};

// Never destroyed: a thread may abandon outputs while the process is ending. It allocates nothing,
// because outputs are also abandoned when memory has run out.
Unfinished& unfinished() {
  alignas(Unfinished) static unsigned char place[sizeof(Unfinished)];
  static Unfinished& all = *new (place) Unfinished;
  return all;
}

}  // namespace

// ".NAME.tessera-": the beginning of the names of a target's temporaries. File names have at most
// 255 bytes; a character of several bytes is not split, because some file systems refuse that.
std::string temporary_prefix(const std::string& name) {
  std::size_t length = std::min<std::size_t>(name.size(), 180);
  while (length > 0 && length < name.size() && (name[length] & 0xC0) == 0x80) --length;
  return fmt::format(".{}.tessera-", name.substr(0, length));
}

std::string temporary_name(const std::string& name) {
  std::random_device random;
  return fmt::format("{}{}-{:08x}", temporary_prefix(name), ::getpid(), random());
}

namespace {

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
void remove_if_abandoned(int folder, const std::string& temporary, const std::string& ending) {
  if (!is_own_ending(ending)) return;
  const File file(open_in(folder, temporary, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK),
                  temporary);
  if (file.descriptor() < 0) return;
  const bool locked = ::flock(file.descriptor(), LOCK_EX | LOCK_NB) == 0;
  if (locked || (errno != EWOULDBLOCK && process_is_gone(ending)))
    ::unlinkat(folder, temporary.c_str(), 0);
}

void remove_abandoned(const OutputPlace& target) {
  const int folder = target.folder.descriptor();
  const std::string prefix = temporary_prefix(target.name);
  for (const std::string& name : names_in(folder))
    if (name.starts_with(prefix)) remove_if_abandoned(folder, name, name.substr(prefix.size()));
}

// The file of that name itself: a link that appears later is replaced, never followed.
bool examine(const OutputPlace& target, struct stat& status) {
  return ::fstatat(target.folder.descriptor(), target.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) ==
         0;
}

// The group keeps its rights only if it remains the same group. If no file is replaced, the
// process's umask applies.
void keep_permissions(const File& file, const OutputPlace& target) {
  struct stat old {};
  struct stat own {};
  if (!examine(target, old) || !S_ISREG(old.st_mode) || ::fstat(file.descriptor(), &own) != 0)
    return;
  const bool group_kept = ::fchown(file.descriptor(), old.st_uid, old.st_gid) == 0 ||
                          ::fchown(file.descriptor(), own.st_uid, old.st_gid) == 0 ||
                          own.st_gid == old.st_gid;
  mode_t mode = old.st_mode & 0777;
  if (!group_kept) mode = (mode & 0707) | (mode & 0007) << 3;
  if (mode != (own.st_mode & 0777) && ::fchmod(file.descriptor(), mode) != 0)
    throw system_error(ErrorKind::usage, target.path, "its permissions cannot be kept", errno);
}

}  // namespace

// Folders come after the files in them. A library may still add files to a folder that it fills:
// it ends with the order that it works on, five seconds at most.
void abandon_outputs() {
  constexpr int kTries = 100;
  unfinished().mutex.lock();  // and never unlocked: no output begins after this
  for (const auto& [folder, name] : unfinished().names) ::unlinkat(folder, name.c_str(), 0);
  for (const auto& [folder, name] : unfinished().names)
    for (int k = 0; k < kTries; ++k) {
      if (::unlinkat(folder, name.c_str(), AT_REMOVEDIR) == 0 || errno != ENOTEMPTY) break;
      remove_tree(folder, name);
      ::usleep(static_cast<useconds_t>(1000 * k));
    }
}

void note_unfinished(int folder, const std::string& name) {
  const std::lock_guard lock(unfinished().mutex);
  unfinished().names.emplace(folder, name);
}

void place_unfinished(const std::vector<std::pair<int, std::string>>& noted,
                      const std::function<void()>& place) {
  const std::lock_guard lock(unfinished().mutex);
  place();
  for (const auto& one : noted) unfinished().names.erase(one);
}

void forget_unfinished(int folder, const std::string& name) {
  const std::lock_guard lock(unfinished().mutex);
  unfinished().names.erase({folder, name});
}

// Delegating: after this constructor the object exists, so a later failure removes the file.
Temporary::Temporary(OutputPlace target, Opened)
    : target_(std::move(target)), file_(-1, target_.path) {
  remove_abandoned(target_);
  while (!open()) {
  }
}

Temporary::Temporary(OutputPlace target) : Temporary(std::move(target), Opened{}) {
  keep_permissions(file_, target_);
}

// The name is noted, and all memory allocated, before the file exists: nothing can fail between the
// two. Others can read the file only after it gets the target's permissions. False if another
// process took it for abandoned before it was locked.
bool Temporary::open() {
  name_ = temporary_name(target_.name);
  struct stat status {};
  const mode_t mode = examine(target_, status) ? 0600 : 0666;
  std::string path = target_.path;
  const int folder = target_.folder.descriptor();
  const std::lock_guard lock(unfinished().mutex);
  const auto note = unfinished().names.emplace(folder, name_).first;
  const int descriptor =
      open_in(folder, name_, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (descriptor < 0) {
    const int error = errno;
    unfinished().names.erase(note);
    throw system_error(error == EIO ? ErrorKind::failure : ErrorKind::usage, target_.path,
                       "cannot be made", error);
  }
  file_ = File(descriptor, std::move(path));
  const bool lost = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!lost && (::fstat(descriptor, &status) != 0 || status.st_nlink > 0)) return true;
  ::unlinkat(folder, name_.c_str(), 0);
  unfinished().names.erase(note);
  return false;
}

Temporary::Temporary(Temporary&& other) noexcept
    : target_(std::move(other.target_)),
      name_(std::exchange(other.name_, {})),
      file_(std::move(other.file_)) {}

Temporary::~Temporary() {
  if (name_.empty()) return;
  ::unlinkat(target_.folder.descriptor(), name_.c_str(), 0);
  const std::lock_guard lock(unfinished().mutex);
  forget();
}

bool Temporary::rename_by(unsigned how) const {
  const int folder = target_.folder.descriptor();
  return ::renameat2(folder, name_.c_str(), folder, target_.name.c_str(), how) == 0;
}

void Temporary::rename_over() const {
  const int folder = target_.folder.descriptor();
  if (::renameat(folder, name_.c_str(), folder, target_.name.c_str()) != 0)
    throw system_error(ErrorKind::failure, target_.path, "cannot be put in place", errno);
}

// For file systems that cannot rename without replacing: creating a hard link never replaces a
// file. If there are no hard links either, only a check before the rename is possible.
void Temporary::link_or_rename() const {
  const int folder = target_.folder.descriptor();
  if (::linkat(folder, name_.c_str(), folder, target_.name.c_str(), 0) == 0) {
    ::unlinkat(folder, name_.c_str(), 0);
    return;
  }
  struct stat status {};
  if (errno == EEXIST || examine(target_, status)) throw exists_error(target_.path);
  rename_over();
}

void Temporary::place(bool replace) {
  if (replace) {
    rename_over();
  } else if (!rename_by(RENAME_NOREPLACE)) {
    if (errno == EEXIST) throw exists_error(target_.path);
    if (errno != EINVAL && errno != ENOSYS)
      throw system_error(ErrorKind::failure, target_.path, "cannot be put in place", errno);
    link_or_rename();
  }
  const std::lock_guard lock(unfinished().mutex);
  forget();
}

// Allocates nothing: it is also called when memory has run out.
void Temporary::forget() {
  auto& names = unfinished().names;
  const int folder = target_.folder.descriptor();
  const auto note = std::ranges::find_if(
      names, [&](const auto& one) { return one.first == folder && one.second == name_; });
  if (note != names.end()) names.erase(note);
  name_.clear();
}

// The replaced file is kept under the temporary's name, so that this can be undone.
Temporary::Placed Temporary::put(bool replace) {
  if (rename_by(RENAME_NOREPLACE)) return Placed::as_new;
  if (errno == EEXIST && !replace) throw exists_error(target_.path);
  if (errno == EEXIST && rename_by(RENAME_EXCHANGE)) return Placed::in_exchange;
  if (errno != EINVAL && errno != ENOSYS)
    throw system_error(ErrorKind::failure, target_.path, "cannot be put in place", errno);
  replace ? rename_over() : link_or_rename();
  return Placed::for_good;
}

void Temporary::take_back(Placed how) {
  const int folder = target_.folder.descriptor();
  if (how == Placed::as_new)
    ::renameat2(folder, target_.name.c_str(), folder, name_.c_str(), RENAME_NOREPLACE);
  if (how == Placed::in_exchange) rename_by(RENAME_EXCHANGE);
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
    if (how == Temporary::Placed::in_exchange)
      ::unlinkat(file.folder().descriptor(), file.name_.c_str(), 0);
    file.forget();
  }
}

}  // namespace tessera
