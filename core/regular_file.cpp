// SPDX-License-Identifier: Apache-2.0
#include "core/regular_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/folder.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

const char* kind_of(mode_t mode) {
  if (S_ISLNK(mode)) return "a symbolic link";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

[[noreturn]] void refuse_kind(const std::string& path, mode_t mode) {
  throw Error(ErrorKind::input,
              fmt::format("{}: it is {}, and only a regular file is accepted there; remove it",
                          path, kind_of(mode)));
}

struct Closed {
  int descriptor;
  ~Closed() {
    if (descriptor >= 0) ::close(descriptor);
  }
  int release() { return std::exchange(descriptor, -1); }
};

std::optional<std::string> read_whole(int descriptor) {
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::read(descriptor, bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;  // it was made shorter meanwhile
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

bool is_trusted(uid_t owner) { return owner == ::geteuid() || owner == 0; }

void check_own(const std::string& path, const struct stat& status) {
  if (!is_trusted(status.st_uid))
    throw Error(ErrorKind::input,
                fmt::format("{}: it belongs to user {}, and this is user {}; only what this user "
                            "or root made is used",
                            path, status.st_uid, ::geteuid()));
  if (status.st_mode & (S_IWGRP | S_IWOTH))
    throw Error(ErrorKind::input,
                fmt::format("{}: others may write to it (mode {:o}); chmod go-w makes it safe",
                            path, status.st_mode & 07777));
}

[[noreturn]] void throw_unwritten(const std::string& path, int error) {
  throw Error(ErrorKind::resources,
              fmt::format("{}: the table cannot be written: {}", path, std::strerror(error)));
}

void write_grown(const std::string& path, int flags, const std::string& text) {
  const int file = open_regular(path, O_WRONLY | O_CREAT | flags, 0644);
  const auto bytes = static_cast<ssize_t>(text.size());
  const bool written = file >= 0 && ::write(file, text.data(), text.size()) == bytes;
  const int error = errno;
  if (file >= 0) ::close(file);
  if (!written)
    throw Error(ErrorKind::resources, fmt::format("{}: what was measured cannot be kept: {}", path,
                                                  std::strerror(error)));
}

}  // namespace

int open_regular(const std::string& path, int flags, unsigned mode) {
  int opened = -1;
  do {
    opened = ::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode);
  } while (opened < 0 && errno == EINTR);
  Closed file{opened};
  struct stat status {};
  if (opened < 0) {
    // Links, folders, sockets and pipes without a reader fail here, each with its own errno.
    const int error = errno;
    if (error != ENOENT && ::lstat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
      refuse_kind(path, status.st_mode);
    errno = error;
    return -1;
  }
  if (::fstat(opened, &status) != 0) return -1;
  if (!S_ISREG(status.st_mode)) refuse_kind(path, status.st_mode);
  return file.release();
}

std::optional<std::string> read_regular(const std::string& path) {
  const Closed file{open_regular(path, O_RDONLY)};
  return read_whole(file.descriptor);
}

std::optional<std::string> read_own(const std::string& path) {
  const Closed file{open_regular(path, O_RDONLY)};
  struct stat status {};
  if (file.descriptor < 0 || ::fstat(file.descriptor, &status) != 0) return std::nullopt;
  check_own(path, status);
  return read_whole(file.descriptor);
}

bool is_own_folder(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return false;
  check_own(path, status);
  return true;
}

bool is_owned_here(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && is_trusted(status.st_uid);
}

void write_regular(const std::string& path, const std::string& text) {
  std::error_code ignored;
  std::filesystem::create_directories(folder_of(path), ignored);
  std::string temporary = path + ".XXXXXX";
  const int file = ::mkstemp(temporary.data());
  if (file < 0) throw_unwritten(path, errno);
  bool good = write_all(file, text) && ::fchmod(file, 0644) == 0 && ::fsync(file) == 0;
  int error = good ? 0 : errno;
  good = ::close(file) == 0 && good;
  if (good && ::rename(temporary.c_str(), path.c_str()) == 0) return;
  if (error == 0) error = errno;
  ::unlink(temporary.c_str());
  throw_unwritten(path, error);
}

void begin_grown(const std::string& path, const std::string& text) {
  std::error_code ignored;
  std::filesystem::create_directories(folder_of(path), ignored);
  write_grown(path, O_TRUNC, text);
}

void add_to_grown(const std::string& path, const std::string& lines) {
  write_grown(path, O_APPEND, lines);
}

bool cut_to_whole_lines(const std::string& path, std::string& text) {
  const std::size_t whole = text.rfind('\n') + 1;
  if (whole == text.size()) return true;
  text.resize(whole);
  return ::truncate(path.c_str(), static_cast<off_t>(whole)) == 0;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace tessera
