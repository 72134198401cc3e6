// SPDX-License-Identifier: Apache-2.0
// Calls on files that fail, for files under one folder:
//   TESSERA_FAULT_IO=CALL:K:ERROR      the K-th CALL fails: pwrite:3:ENOSPC; ERROR may be "short"
//   TESSERA_FAULT_IO=CALL:K+:ERROR     the K-th and all after it
//   TESSERA_FAULT_FOLDER=FOLDER        where
//   TESSERA_FAULT_REPORT=FILE          one line per call
#include <sys/uio.h>

#include <atomic>
#include <cstdarg>

#include "tests/faults/fault_start.hpp"

namespace {

using tessera::faults::next;

struct Named {
  const char* name;
  int error;
};
constexpr int kShort = -1;
constexpr Named kErrors[] = {
    {"ENOSPC", ENOSPC}, {"EDQUOT", EDQUOT}, {"EIO", EIO},     {"EINTR", EINTR},
    {"EINVAL", EINVAL}, {"ENOSYS", ENOSYS}, {"EPERM", EPERM}, {"EROFS", EROFS},
    {"EACCES", EACCES}, {"EMFILE", EMFILE}, {"EFBIG", EFBIG}, {"EOPNOTSUPP", EOPNOTSUPP},
    {"short", kShort},
};

/// A name seen from an open folder.
struct Entry {
  int folder;
  const char* name;
};

struct Settings {
  char call[24] = "";
  long long number = 0;
  bool on = false;  // all after it too
  int error = 0;
  char folder[4096] = "";

  Settings() {
    if (!tessera::faults::in_the_tool()) return;
    const char* where = getenv("TESSERA_FAULT_FOLDER");
    if (where) snprintf(folder, sizeof folder, "%s/", where);
    const char* text = getenv("TESSERA_FAULT_IO");
    char sign[2] = "", name[16] = "";
    if (!text) return;
    if (sscanf(text, "%23[^:]:%lld%1[+]:%15s", call, &number, sign, name) != 4)
      sscanf(text, "%23[^:]:%lld:%15s", call, &number, name);
    on = sign[0] == '+';
    for (const Named& known : kErrors)
      if (strcmp(known.name, name) == 0) error = known.error;
  }
  bool holds(const char* path) const {
    const size_t length = strlen(folder);
    return length > 0 && (strncmp(path, folder, length) == 0 ||
                          (strncmp(path, folder, length - 1) == 0 && path[length - 1] == 0));
  }
  bool holds(int descriptor) const {
    if (folder[0] == 0) return false;
    char link[40], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    const auto length = readlink(link, path, sizeof path - 1);
    if (length < 0) return false;
    path[length] = 0;
    return holds(path);
  }
  bool holds(Entry entry) const {
    return entry.folder == AT_FDCWD || entry.name[0] == '/' ? holds(entry.name)
                                                            : holds(entry.folder);
  }
};

const Settings& settings() {
  static const Settings all;
  return all;
}

std::atomic<long long> met{0};

/// 0, or the error this call is to fail with (kShort: do half of it).
template <class Place>
int fault(const char* call, Place place) {
  if (!settings().holds(place)) return 0;
  tessera::faults::report("TESSERA_FAULT_REPORT", call, 0);
  if (strcmp(call, settings().call) != 0) return 0;
  const long long number = ++met;
  return number == settings().number || (settings().on && number > settings().number)
             ? settings().error
             : 0;
}

long failed(int error) {
  errno = error;
  return -1;
}

size_t part(int error, size_t count) { return error == kShort && count > 1 ? count / 2 : count; }

}  // namespace

// Every name under which libc offers the call, the large-file twins included.
#define TESSERA_LIBC(name) static const auto libc = next(&::name, #name)

extern "C" {
#pragma GCC visibility push(default)

ssize_t pwrite(int file, const void* from, size_t count, off_t offset) {
  TESSERA_LIBC(pwrite);
  const int error = fault("pwrite", file);
  return error > 0 ? failed(error) : libc(file, from, part(error, count), offset);
}
ssize_t pwrite64(int file, const void* from, size_t count, off64_t offset) {
  return pwrite(file, from, count, offset);
}
ssize_t write(int file, const void* from, size_t count) {
  TESSERA_LIBC(write);
  const int error = fault("write", file);
  return error > 0 ? failed(error) : libc(file, from, part(error, count));
}
ssize_t pwritev(int file, const iovec* list, int count, off_t offset) {
  TESSERA_LIBC(pwritev);
  const int error = fault("pwritev", file);
  return error > 0 ? failed(error) : libc(file, list, error == kShort ? 1 : count, offset);
}
ssize_t pread(int file, void* to, size_t count, off_t offset) {
  TESSERA_LIBC(pread);
  const int error = fault("pread", file);
  return error > 0 ? failed(error) : libc(file, to, part(error, count), offset);
}
ssize_t pread64(int file, void* to, size_t count, off64_t offset) {
  return pread(file, to, count, offset);
}
ssize_t read(int file, void* to, size_t count) {
  TESSERA_LIBC(read);
  const int error = fault("read", file);
  return error > 0 ? failed(error) : libc(file, to, part(error, count));
}
int fsync(int file) {
  TESSERA_LIBC(fsync);
  const int error = fault("fsync", file);
  return error > 0 ? static_cast<int>(failed(error)) : libc(file);
}
int fallocate(int file, int mode, off_t offset, off_t length) {
  TESSERA_LIBC(fallocate);
  const int error = fault("fallocate", file);
  return error > 0 ? static_cast<int>(failed(error)) : libc(file, mode, offset, length);
}
int fallocate64(int file, int mode, off64_t offset, off64_t length) {
  return fallocate(file, mode, offset, length);
}
int ftruncate(int file, off_t length) noexcept {
  TESSERA_LIBC(ftruncate);
  const int error = fault("ftruncate", file);
  return error > 0 ? static_cast<int>(failed(error)) : libc(file, length);
}
int close(int file) {
  TESSERA_LIBC(close);
  const int error = fault("close", file);
  const int result = libc(file);  // Linux closes even where it reports an error
  return error > 0 ? static_cast<int>(failed(error)) : result;
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  TESSERA_LIBC(renameat);
  const int error = fault("renameat", Entry{to_folder, to});
  return error > 0 ? static_cast<int>(failed(error)) : libc(from_folder, from, to_folder, to);
}
int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned flags) noexcept {
  TESSERA_LIBC(renameat2);
  const int error = fault("renameat2", Entry{to_folder, to});
  return error > 0 ? static_cast<int>(failed(error))
                   : libc(from_folder, from, to_folder, to, flags);
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  TESSERA_LIBC(linkat);
  const int error = fault("linkat", Entry{to_folder, to});
  return error > 0 ? static_cast<int>(failed(error))
                   : libc(from_folder, from, to_folder, to, flags);
}
int openat(int folder, const char* name, int flags, ...) {
  TESSERA_LIBC(openat);
  va_list arguments;
  va_start(arguments, flags);
  const auto mode = va_arg(arguments, unsigned);  // there only with O_CREAT, harmless otherwise
  va_end(arguments);
  const char* const call = flags & O_CREAT       ? "create"
                           : flags & O_PATH      ? "place"
                           : flags & O_DIRECTORY ? "folder"
                                                 : "open";
  const int error = fault(call, Entry{folder, name});
  return error > 0 ? static_cast<int>(failed(error)) : libc(folder, name, flags, mode);
}
int openat64(int folder, const char* name, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const auto mode = va_arg(arguments, unsigned);
  va_end(arguments);
  return openat(folder, name, flags, mode);
}
int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const auto mode = va_arg(arguments, unsigned);
  va_end(arguments);
  return openat(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const auto mode = va_arg(arguments, unsigned);
  va_end(arguments);
  return openat(AT_FDCWD, path, flags, mode);
}

#pragma GCC visibility pop
}
