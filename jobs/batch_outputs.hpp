// SPDX-License-Identifier: Apache-2.0
/// The files of an output of a batch: whether they are still as they were made.
#pragma once

#include <string>
#include <vector>

#include "jobs/batch.hpp"

namespace tessera {

/// A file as it was made.
struct MadeFile {
  std::string name;  ///< in its folder
  long long bytes = 0;
  std::string digest;
};

/// Throws Error(input).
std::string digest_of_file(const std::string& path);

/// The files of an item's output, with their digests. Empty if one cannot be read.
std::vector<MadeFile> made_files(const BatchItem& item, const Batch& batch);

/// How the files of an item's output differ from those made before; "" if they do not.
std::string difference_from(const std::vector<MadeFile>& before, const BatchItem& item,
                            const Batch& batch);

}  // namespace tessera
