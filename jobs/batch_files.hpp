// SPDX-License-Identifier: Apache-2.0
/// Which files a batch is of.
#pragma once

#include <string>
#include <vector>

#include "jobs/batch.hpp"

namespace tessera {

inline constexpr const char* kManifestName = "tessera-batch.jsonl";

/// The files that a word stands for, in no order: a file, the images of a folder, what a pattern of
/// glob(3) matches. Throws Error(input) where nothing does.
std::vector<std::string> files_of(const std::string& input);

/// Whether an input stands for several files: a folder, or a pattern. The name of a single file may
/// contain the characters of a pattern.
bool names_many(const std::string& input);

/// Every input with its output, by name. Throws Error(input) where nothing matches, Error(usage)
/// where two inputs would make one output or an output would replace its input.
std::vector<BatchItem> batch_items(const Batch& batch);

/// The same file has the same name, wherever the tool is run.
std::string absolute_name(const std::string& path);

/// Makes a folder, with those it lies in, where it is missing; throws Error(usage).
const std::string& made_folder(const std::string& folder);

/// What tells whether a file changed; bytes is -1 where there is none.
struct FileStamp {
  long long bytes = -1, modified_ns = 0;
  bool operator==(const FileStamp&) const = default;
};
FileStamp stamp_of(const std::string& path);

}  // namespace tessera
