// SPDX-License-Identifier: Apache-2.0
/// Outputs of a job that makes several: either all appear or none (docs/robustness.md).
#pragma once

#include <vector>

#include "io/temporary.hpp"

namespace tessera {

/// Outputs that this thread finishes while the set exists are on disk, but wait for their names.
/// `place` gives all of them their names; later outputs get theirs at once. Outputs that still wait
/// when the set is destroyed are removed.
///
///     OutputSet together;
///     for (Output& output : outputs) output.finish();
///     together.place();
class OutputSet {
 public:
  OutputSet();
  OutputSet(const OutputSet&) = delete;
  OutputSet& operator=(const OutputSet&) = delete;
  ~OutputSet();

  /// Throws Error and keeps all old files if one output cannot get its name. The new files are in
  /// place despite an error only if a folder cannot be synced.
  void place();

  /// The set of this thread; null: outputs are placed when they are finished.
  static OutputSet* current();
  void add(Temporary temporary, bool force, File folder);

 private:
  void end();

  std::vector<ToPlace> files_;
  std::vector<File> folders_;
  OutputSet* outer_;
};

}  // namespace tessera
