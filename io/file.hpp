// SPDX-License-Identifier: Apache-2.0
/// A file descriptor that closes itself and whose errors name the file.
#pragma once

#include <string>
#include <utility>

#include "tessera/error.hpp"

namespace tessera {

/// Error "path: what: reason of errno". Running out of disk, memory or descriptors is of kind
/// resources whatever `kind` says.
Error system_error(ErrorKind kind, const std::string& path, const std::string& what, int error);

/// open(2) that goes on after signals; -1 and errno when it fails.
int open_file(const std::string& path, int flags, unsigned mode = 0);

class File {
 public:
  /// Opens a regular file for reading; throws Error(input).
  static File open_to_read(const std::string& path);
  /// A folder, to sync it. Not every file system lets one be opened: its descriptor is then -1.
  static File open_folder(const std::string& path);

  File(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  File(File&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}
  File& operator=(File&& other) noexcept;
  ~File();

  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  long long bytes() const;

  /// As many bytes as there are from `offset`, at most `count`; throws Error(input).
  long long read_some(long long offset, void* to, long long count) const;
  /// Exactly `count` bytes; throws Error(input) naming the byte where the file ends.
  void read_all(long long offset, void* to, long long count) const;
  void write_all(long long offset, const void* from, long long count) const;
  /// The same, but blocks of the file that are all zeros are left out: where nothing else was
  /// written they are holes, which take no disk. Make the file as long as it has to be (`extend`).
  void write_around_zeros(long long offset, const void* from, long long count) const;
  /// Makes the file at least so long; what was never written reads as zeros.
  void extend(long long bytes) const;
  /// The same for callbacks of C libraries, through which no exception may pass: bytes read, or -1
  /// with errno.
  long long try_read(long long offset, void* to, long long count) const noexcept;
  /// False, with errno, when not all was written.
  bool try_write(long long offset, const void* from, long long count) const noexcept;
  /// Asks the file system for room before anything is written, where it can tell.
  void reserve(long long count) const;
  /// Everything written is on disk, and no error of it was missed; throws Error(failure).
  void sync() const;
  /// For pipes, whose other end waits for it; throws Error(failure).
  void close();

 private:
  int descriptor_ = -1;
  std::string path_;
};

/// A file without a name in the folder for temporary files: gone with the process, whatever ends
/// it. `name` is what messages call it.
File anonymous_file(const std::string& name);

/// Another way to the same open file, for code that takes names.
std::string name_by_descriptor(const File& file);

}  // namespace tessera
