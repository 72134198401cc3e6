// SPDX-License-Identifier: Apache-2.0
/// OUT/tessera-batch.jsonl: what a batch has made, one JSON line a file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/file.hpp"
#include "jobs/batch_files.hpp"

namespace tessera {

/// JSON is UTF-8, names of files are bytes: others become "bytes:" and their digits.
std::string storable(const std::string& name);

/// Texts are storable ones.
struct ManifestLine {
  std::string input;   ///< absolute
  FileStamp stamp;     ///< of the input
  std::string output;  ///< its name in the folder
  std::string parameters;
  double seconds = 0;
  std::string state;        ///< "planned", "ok", "failed", or "foreign": not ours
  std::string kind, error;  ///< of a failure
  std::vector<std::string> warnings;
};

/// Locked while it lives. Lines are appended whole and on disk when `append` returns; a torn last
/// line, of a process that was killed, is dropped.
class Manifest {
 public:
  /// Throws Error(resources) while another batch holds it.
  explicit Manifest(const std::string& folder);

  const std::string& path() const { return file_.path(); }
  /// The last line of an output; null where there is none.
  const ManifestLine* find(const std::string& output) const;
  /// What find() gives is from before.
  void append(const std::vector<ManifestLine>& lines);

 private:
  void read();

  File file_;
  long long end_ = 0;  ///< of the last whole line
  std::map<std::string, ManifestLine> lines_;
};

}  // namespace tessera
