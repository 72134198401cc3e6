// SPDX-License-Identifier: Apache-2.0
/// OUT/tessera-batch.jsonl: what a batch has made, one JSON line per file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/file.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/batch_outputs.hpp"

namespace tessera {

/// JSON is UTF-8, file names are bytes: names that are not UTF-8 become "bytes:" and hexadecimal
/// digits.
std::string storable(const std::string& name);

/// All texts can be stored (see above).
struct ManifestLine {
  std::string input;   ///< absolute
  FileStamp stamp;     ///< of the input
  std::string output;  ///< its name in the folder
  std::string parameters;
  double seconds = 0;
  std::string state;        ///< "planned", "ok", "failed", or "foreign": not ours
  std::string kind, error;  ///< of a failure
  std::vector<std::string> warnings;
  std::vector<MadeFile> files;  ///< if it is "ok"; lines of Tessera 0.1.0 have none
};

/// Locked during its lifetime. Lines are appended whole and are on disk when `append` returns; a
/// torn last line, left by a process that was killed, is dropped.
class Manifest {
 public:
  /// Throws Error(resources) while another batch holds it, Error(input) if it is not a regular
  /// file, and Error(usage) if it belongs to another user, whose lines would decide what is
  /// replaced.
  explicit Manifest(const std::string& folder, const std::string& name = kManifestName);

  const std::string& path() const { return file_.path(); }
  /// The last line of an output; null if there is none.
  const ManifestLine* find(const std::string& output) const;
  /// Lines written during this run are not found by find().
  void append(const std::vector<ManifestLine>& lines);

 private:
  void read();

  File file_;
  long long end_ = 0;  ///< of the last whole line
  std::map<std::string, ManifestLine> lines_;
};

}  // namespace tessera
