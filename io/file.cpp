// SPDX-License-Identifier: Apache-2.0
#include "io/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "core/counted.hpp"
#include "core/folder.hpp"
#include "core/stop.hpp"
#include "io/confine.hpp"
#include "io/file_errors.hpp"

namespace tessera {
namespace {

bool is_shortage(int error) {
  return error == ENOSPC || error == EDQUOT || error == EFBIG || error == ENOMEM ||
         error == EMFILE || error == ENFILE;
}

/// Set once by a process that decodes a single file.
struct {
  std::string path;
  int descriptor = -1;
} already_open;

std::atomic<double> all_sync_seconds{0};

// Linux moves at most 2 GiB per call.
constexpr long long kMostBytesACall = 1LL << 30;
/// 20 ms on a disk of 400 MB/s, so that a caller who wants to stop need not wait.
constexpr long long kMostBytesBetweenPolls = 8LL << 20;

// Not every file system can open folders.
File folder_in(int from, const std::string& name, const std::string& path) {
  std::string named = path;
  File folder(open_in(from, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC), std::move(named));
  if (folder.descriptor() < 0 && is_shortage(errno))
    throw system_error(ErrorKind::resources, path, "cannot be opened", errno);
  return folder;
}

}  // namespace

Error system_error(ErrorKind kind, const std::string& path, const std::string& what, int error) {
  return {is_shortage(error) ? ErrorKind::resources : kind,
          fmt::format("{}: {}: {}", path, what, std::strerror(error))};
}

int open_file(const std::string& path, int flags, unsigned mode) {
  return open_in(AT_FDCWD, path, flags, mode);
}

int open_in(int folder, const std::string& name, int flags, unsigned mode) {
  for (;;) {
    const int descriptor = ::openat(folder, name.c_str(), flags, mode);
    if (descriptor >= 0 || errno != EINTR) return descriptor;
  }
}

File File::open_to_read(const std::string& path) {
  // Non-blocking: a pipe without a writer would otherwise hang here instead of being refused.
  File file(-1, path);
  file.descriptor_ = already_open.descriptor >= 0 && path == already_open.path
                         ? ::fcntl(already_open.descriptor, F_DUPFD_CLOEXEC, 0)
                         : open_file(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (const int reason = errno; file.descriptor_ < 0) {
    if (reason == ENOENT)
      throw MissingFile(system_error(ErrorKind::input, path, "cannot be opened", reason).what());
    throw system_error(ErrorKind::input, path, "cannot be opened", reason);
  }
  struct stat status {};
  if (::fstat(file.descriptor_, &status) != 0)
    throw system_error(ErrorKind::input, path, "cannot be examined", errno);
  if (S_ISDIR(status.st_mode) && is_regular_file(joined(path, "table.info")))
    throw Error(ErrorKind::input,
                path +
                    ": it is a Measurement Set, a folder, which Tessera writes but does not read; "
                    "read it with casacore, or give the name of a file");
  if (S_ISDIR(status.st_mode))
    throw Error(ErrorKind::input, path + ": it is a folder; give the name of a file");
  if (!S_ISREG(status.st_mode))
    throw Error(ErrorKind::input, path + ": it is not a regular file; save it to one first");
  return file;
}

void File::use_open_file(const std::string& path, int descriptor) {
  already_open = {path, descriptor};
}

File File::open_folder(const std::string& path) { return folder_in(AT_FDCWD, path, path); }

File File::reopen_folder(const File& held) {
  return folder_in(held.descriptor(), ".", held.path());
}

File& File::operator=(File&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(path_, other.path_);
  return *this;
}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

long long File::bytes() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0)
    throw system_error(ErrorKind::input, path_, "cannot be examined", errno);
  return status.st_size;
}

long long File::try_read(long long offset, void* to, long long count) const noexcept {
  long long done = 0;
  while (done < count) {
    const auto part = static_cast<size_t>(std::min(count - done, kMostBytesACall));
    const auto got = ::pread(descriptor_, static_cast<char*>(to) + done, part, offset + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    done += got;
  }
  return done;
}

long long File::read_some(long long offset, void* to, long long count) const {
  long long done = 0;
  while (done < count) {
    poll_stop();
    const long long part = std::min(count - done, kMostBytesBetweenPolls);
    const long long got = try_read(offset + done, static_cast<char*>(to) + done, part);
    if (got < 0) throw system_error(ErrorKind::input, path_, "cannot be read", errno);
    done += got;
    if (got < part) break;
  }
  return done;
}

void File::read_all(long long offset, void* to, long long count) const {
  const long long got = read_some(offset, to, count);
  if (got < count)
    throw Error(ErrorKind::input, fmt::format("{}: it ends at byte {}; {} from byte {} {} needed",
                                              path_, offset + got, counted(count, "byte"), offset,
                                              count == 1 ? "is" : "are"));
}

bool File::try_write(long long offset, const void* from, long long count) const noexcept {
  long long done = 0;
  while (done < count) {
    const auto part = static_cast<size_t>(std::min(count - done, kMostBytesACall));
    const auto put =
        ::pwrite(descriptor_, static_cast<const char*>(from) + done, part, offset + done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    if (put == 0) {  // nothing written and no error: a retry might never end
      errno = EIO;
      return false;
    }
    done += put;
  }
  return true;
}

void File::write_all(long long offset, const void* from, long long count) const {
  for (long long done = 0; done < count; done += kMostBytesBetweenPolls) {
    poll_stop();
    const long long part = std::min(count - done, kMostBytesBetweenPolls);
    if (!try_write(offset + done, static_cast<const char*>(from) + done, part))
      throw system_error(ErrorKind::failure, path_, "cannot be written", errno);
  }
}

void File::write_around_zeros(long long offset, const void* from, long long count) const {
  constexpr long long kBlock = 4096;  // file systems store holes in units of this
  static const char zeros[kBlock] = {};
  const auto* const bytes = static_cast<const char*>(from);
  long long begin = 0, done = 0;  // [begin, done) has to be written
  while (done < count) {
    const long long end = std::min(count, (offset + done) / kBlock * kBlock + kBlock - offset);
    if (std::memcmp(bytes + done, zeros, static_cast<std::size_t>(end - done)) == 0) {
      if (done > begin) write_all(offset + begin, bytes + begin, done - begin);
      begin = end;
    }
    done = end;
  }
  if (done > begin) write_all(offset + begin, bytes + begin, done - begin);
}

void File::extend(long long bytes) const {
  if (this->bytes() >= bytes) return;
  int result = 0;
  do result = ::ftruncate(descriptor_, bytes);
  while (result != 0 && errno == EINTR);
  if (result != 0)
    throw system_error(ErrorKind::failure, path_,
                       fmt::format("cannot be {} long", counted(bytes, "byte")), errno);
}

void File::reserve(long long count) const {
  int result = 0;
  do result = ::fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, 0, count);
  while (result != 0 && errno == EINTR);
  // Only a full disk is reported: not every file system can reserve space.
  if (result != 0 && is_shortage(errno))
    throw system_error(ErrorKind::resources, path_, "no room for " + counted(count, "byte"), errno);
}

double sync_seconds() { return all_sync_seconds; }

void File::sync() const {
  const auto begun = std::chrono::steady_clock::now();
  int result = 0;
  do result = ::fsync(descriptor_);
  while (result != 0 && errno == EINTR);
  all_sync_seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  // EINVAL: the file system has no sync, as is the case for some network file systems.
  if (result != 0 && errno != EINVAL)
    throw system_error(ErrorKind::failure, path_, "cannot be written", errno);
  // A network file system reports some failed writes only when a descriptor is closed. A duplicate
  // is closed, because closing the file's own descriptor would release its lock.
  const int another = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (another >= 0 && ::close(another) != 0 && errno != EINTR)
    throw system_error(ErrorKind::failure, path_, "cannot be written", errno);
}

File anonymous_file(const std::string& name) {
  if (is_confined()) {  // without a folder
    File file(::memfd_create("tessera", MFD_CLOEXEC), name);
    if (file.descriptor() < 0) throw system_error(ErrorKind::resources, name, "no memory", errno);
    return file;
  }
  const char* folder = std::getenv("TMPDIR");
  std::string path = joined(folder && *folder ? folder : "/tmp", "tessera-XXXXXX");
  std::string named = name;  // nothing may fail between the file and its removal
  File file(::mkostemp(path.data(), O_CLOEXEC), std::move(named));
  if (file.descriptor() < 0)
    throw system_error(ErrorKind::resources, path, "cannot be made", errno);
  ::unlink(path.c_str());
  return file;
}

std::string name_by_descriptor(const File& file) {
  return fmt::format("/proc/self/fd/{}", file.descriptor());
}

void File::close() {
  const int descriptor = std::exchange(descriptor_, -1);
  if (descriptor >= 0 && ::close(descriptor) != 0 && errno != EINTR)
    throw system_error(ErrorKind::failure, path_, "cannot be closed", errno);
}

}  // namespace tessera
