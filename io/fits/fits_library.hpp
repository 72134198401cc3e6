// SPDX-License-Identifier: Apache-2.0
/// A safe way to use cfitsio: it gets only files that Tessera opened, by descriptor, so that its
/// syntax of names (networks, pipes, filters in brackets, other files) never sees a user's file
/// name.
#pragma once

#include <fitsio.h>

#include <functional>
#include <string>

#include "io/file.hpp"

namespace tessera {

/// One open file of cfitsio.
class FitsLibrary {
 public:
  /// `file` must stay open. Throws Error(`kind`) naming its path.
  FitsLibrary(const File& file, int mode, ErrorKind kind);
  FitsLibrary(const FitsLibrary&) = delete;
  FitsLibrary& operator=(const FitsLibrary&) = delete;
  ~FitsLibrary();

  /// cfitsio's message about what went wrong in `use`; "" if nothing did.
  std::string try_to(const std::function<void(fitsfile*, int*)>& use) const;
  /// Throws Error of the kind given to the constructor.
  void must(const std::function<void(fitsfile*, int*)>& use) const;
  /// Writes what remains in its buffers.
  void close();

 private:
  const File& output_;
  std::string path_;
  ErrorKind kind_;
  void* memory_ = nullptr;  ///< the file, in a process that may not open it by name
  std::size_t memory_bytes_ = 0;
  fitsfile* file_ = nullptr;
};

}  // namespace tessera
