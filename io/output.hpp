// SPDX-License-Identifier: Apache-2.0
/// An output file: the old file stays until the new one is complete, whatever happens
/// (docs/robustness.md).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "io/file.hpp"
#include "io/temporary.hpp"

namespace tessera {

/// Writes go to a temporary name in the same folder; `finish` puts the result in place. An
/// unfinished output is removed.
///
/// Where ranks share a run (core/ranks.hpp), rank 0 makes the file. The bytes of the others are
/// lost, unless all are its writers: they then write to the same file, each its own bytes, and it
/// is placed when all have called `finish`. A part of a run has no output at all.
class Output {
 public:
  enum class Writers : unsigned char { first_rank, all_ranks };

  /// Throws Error(usage) if the file exists and `force` is not given, or if it cannot be created;
  /// find_place says which symbolic links are followed.
  Output(const std::string& path, bool force, Writers writers = Writers::first_rank);

  const File& file() const { return temporary_ ? temporary_->file() : *other_; }
  /// One rank lays the file out before any other writes: reserves space, for example.
  void begin(const std::function<void()>& lay_out) const;
  /// Returns when all bytes of all writers can be read.
  void share() const;
  /// Throws Error and keeps the old file if anything could not be written. The new file is in place
  /// despite an error only if the folder cannot be synced. While there is an OutputSet, the file
  /// waits there for its name.
  void finish();

 private:
  bool force_, by_all_;
  std::optional<Temporary> temporary_;
  std::optional<File> other_;  ///< of a rank that does not make the file
};

/// Writes a complete text file; the old one stays if that fails.
void write_text(const std::string& path, const std::string& text, bool force);

}  // namespace tessera
