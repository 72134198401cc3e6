// SPDX-License-Identifier: Apache-2.0
/// Outputs of a job that makes several: all appear, or none (docs/robustness.md).
#pragma once

#include <vector>

#include "io/temporary.hpp"

namespace tessera {

/// Outputs that this thread finishes from now on are on disk then, but without their names; `place`
/// gives all of them theirs, and those after it have theirs at once. Those that still wait at the
/// end of its life are removed.
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

  /// Throws Error and leaves all old files when one cannot have its name. Only when a folder cannot
  /// be synced are the new files in place all the same.
  void place();

  /// Of this thread; null: outputs are placed when they are finished.
  static OutputSet* current();
  void add(Temporary temporary, bool force, File folder);

 private:
  void end();

  std::vector<ToPlace> files_;
  std::vector<File> folders_;
  OutputSet* outer_;
};

}  // namespace tessera
