// SPDX-License-Identifier: Apache-2.0
/// The files of a batch.
#pragma once

#include <string>
#include <vector>

#include "jobs/batch.hpp"

namespace tessera {

inline constexpr const char* kManifestName = "tessera-batch.jsonl";

/// The files that a word stands for, in no particular order: a file, the images of a folder, or the
/// matches of a glob(3) pattern. Throws Error(input) if there are none.
std::vector<std::string> files_of(const std::string& input);

/// Whether an input stands for several files: a folder, or a pattern. The name of a single file may
/// contain the characters of a pattern.
bool names_many(const std::string& input);

/// Every input with its output, by name. Throws Error(input) if nothing matches, Error(usage) if
/// two inputs would make the same output or an output would replace its input.
std::vector<BatchItem> batch_items(const Batch& batch);

/// The same file has the same name, whatever the current folder.
std::string absolute_name(const std::string& path);

/// Makes a folder and its parents if they are missing; throws Error(usage).
const std::string& made_folder(const std::string& folder);

/// Shows whether a file changed; bytes is -1 if the file does not exist.
struct FileStamp {
  long long bytes = -1, modified_ns = 0;
  bool operator==(const FileStamp&) const = default;
};
FileStamp stamp_of(const std::string& path);

}  // namespace tessera
