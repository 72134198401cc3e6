// SPDX-License-Identifier: Apache-2.0
/// A file descriptor that closes itself and whose errors name the file.
#pragma once

#include <string>
#include <utility>

#include "tessera/error.hpp"

namespace tessera {

/// Error "path: what: reason of errno". Running out of disk space, memory or descriptors has the
/// kind resources, whatever `kind` says.
Error system_error(ErrorKind kind, const std::string& path, const std::string& what, int error);

/// open(2), repeated if a signal interrupts it; -1 and errno when it fails.
int open_file(const std::string& path, int flags, unsigned mode = 0);
/// The same for a name seen from an open folder.
int open_in(int folder, const std::string& name, int flags, unsigned mode = 0);

class File {
 public:
  /// Opens a regular file for reading; throws Error(input).
  static File open_to_read(const std::string& path);
  /// For a process that may not open files: from now on open_to_read(path) gives this file.
  static void use_open_file(const std::string& path, int descriptor);
  /// A folder, to sync it. Not every file system can open folders: the descriptor is then -1.
  static File open_folder(const std::string& path);
  /// The same for a folder that is held open with O_PATH, which cannot be synced itself.
  static File reopen_folder(const File& held);

  File(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  File(File&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}
  File& operator=(File&& other) noexcept;
  ~File();

  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  long long bytes() const;

  /// Reads the bytes from `offset` on, at most `count`; returns how many there were. Throws
  /// Error(input).
  long long read_some(long long offset, void* to, long long count) const;
  /// Exactly `count` bytes; throws Error(input) naming the byte where the file ends.
  void read_all(long long offset, void* to, long long count) const;
  void write_all(long long offset, const void* from, long long count) const;
  /// The same, but skips blocks of the file that are all zeros: unless something else was written
  /// there they become holes, which take no disk space. Call `extend` to give the file its full
  /// length.
  void write_around_zeros(long long offset, const void* from, long long count) const;
  /// Makes the file at least `bytes` long; bytes that were never written read as zeros.
  void extend(long long bytes) const;
  /// For callbacks of C libraries, through which no exception may pass: the bytes read, or -1 with
  /// errno.
  long long try_read(long long offset, void* to, long long count) const noexcept;
  /// False, with errno, if not everything was written.
  bool try_write(long long offset, const void* from, long long count) const noexcept;
  /// Reserves space before anything is written, if the file system can.
  void reserve(long long count) const;
  /// Returns when everything written is on disk; throws Error(failure) if any write failed.
  void sync() const;
  /// For pipes, whose other end waits for the close; throws Error(failure).
  void close();

 private:
  int descriptor_ = -1;
  std::string path_;
};

/// How long this process has waited for syncs of its files.
double sync_seconds();

/// A file without a name in the folder for temporary files: it vanishes with the process, however
/// that ends. Messages call it `name`.
File anonymous_file(const std::string& name);

/// A path of the same open file, for code that takes names.
std::string name_by_descriptor(const File& file);

}  // namespace tessera
