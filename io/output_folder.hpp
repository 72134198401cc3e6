// SPDX-License-Identifier: Apache-2.0
/// A folder as an output: it is filled under a hidden name, and appears when it is complete.
#pragma once

#include <string>
#include <vector>

#include "io/file.hpp"

namespace tessera {

class OutputFolder {
 public:
  /// Throws Error(usage) if the name exists and `force` is not given, or if no folder can be made
  /// there. Folders that a killed process has left of this one are removed.
  OutputFolder(const std::string& path, bool force);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();

  /// A new file in it.
  File create(const std::string& name);
  /// The path of a file in it, until it is finished.
  std::string path_of(const std::string& name) const;
  /// Its own path until it is finished, for libraries that make files and folders in it themselves;
  /// call sync_all when they are done.
  std::string hidden_path() const;
  void sync_all() const;
  /// Gives it its name; the files in it are on disk already. An old folder is removed: if it cannot
  /// be, left_behind() is its path.
  void finish();
  const std::string& left_behind() const { return left_behind_; }

 private:
  void remove_files() noexcept;
  bool place() const;

  std::string path_, name_, hidden_, left_behind_;
  bool force_;
  File parent_;
  File folder_;  ///< locked while it is filled
  std::vector<std::string> files_;
};

}  // namespace tessera
