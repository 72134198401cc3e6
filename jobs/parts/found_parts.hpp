// SPDX-License-Identifier: Apache-2.0
/// The parts of a run that lie next to its output, checked before they are joined.
#pragma once

#include <string>
#include <vector>

#include "jobs/parts/part_record.hpp"

namespace tessera {

/// All parts of a run, the first one first.
struct FoundParts {
  std::vector<std::string> folders;  ///< absolute
  std::vector<PartRecord> records;

  const PartRecord& first() const { return records.front(); }
};

/// Throws Error(input) that says which are missing, or which do not belong together or are damaged.
FoundParts find_parts(const std::string& output);

/// Throws Error(input) if a file that the parts were made of is another one now. The current folder
/// is that of the run.
void check_inputs_now(const FoundParts& parts);

/// The folder in which the recorded command names `output` as it did: that in which it ran, or the
/// current one. Throws Error(input) if it is neither.
std::string folder_of_run(const FoundParts& parts, const std::string& output);

}  // namespace tessera
