// SPDX-License-Identifier: Apache-2.0
/// An output file: the old file stays until the new one is complete, whatever happens
/// (docs/robustness.md).
#pragma once

#include <string>

#include "io/file.hpp"
#include "io/temporary.hpp"

namespace tessera {

/// Writes go to a temporary name in the same folder; `finish` puts the result in place. An
/// unfinished output is removed.
class Output {
 public:
  /// Throws Error(usage) if the file exists and `force` is not given, or if it cannot be created;
  /// find_place says which symbolic links are followed.
  Output(const std::string& path, bool force);

  const File& file() const { return temporary_.file(); }
  /// Throws Error and keeps the old file if anything could not be written. The new file is in place
  /// despite an error only if the folder cannot be synced. While there is an OutputSet, the file
  /// waits there for its name.
  void finish();

 private:
  bool force_;
  Temporary temporary_;
};

/// Writes a complete text file; the old one stays if that fails.
void write_text(const std::string& path, const std::string& text, bool force);

}  // namespace tessera
