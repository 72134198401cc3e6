// SPDX-License-Identifier: Apache-2.0
/// cfitsio, tamed: it is only given files of ours, by descriptor, so that no name of a user meets
/// its syntax of names (networks, pipes, filters in brackets, other files).
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

  /// cfitsio's sentence for what went wrong in `use`, "" where nothing did.
  std::string try_to(const std::function<void(fitsfile*, int*)>& use) const;
  /// Throws Error of the kind given above.
  void must(const std::function<void(fitsfile*, int*)>& use) const;
  /// Writes what is left.
  void close();

 private:
  const File& output_;
  std::string path_;
  ErrorKind kind_;
  fitsfile* file_ = nullptr;
};

}  // namespace tessera
