// SPDX-License-Identifier: Apache-2.0
#include "jobs/batch_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/digest.hpp"
#include "core/folder.hpp"
#include "io/file.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/batch_manifest.hpp"

namespace tessera {
namespace {

constexpr std::size_t kPartBytes = 1 << 20;

// If the output is a folder, all files in it belong to it.
std::vector<std::string> paths_of(const BatchItem& item, const Batch& batch) {
  if (batch.files) return batch.files(item);
  if (batch.proof.empty()) return {item.output};
  std::vector<std::string> paths;
  for (const std::string& name : names_in(item.output))
    if (stamp_of(joined(item.output, name)).bytes >= 0) paths.push_back(joined(item.output, name));
  std::ranges::sort(paths);
  return paths;
}

std::string stored_name(const std::string& path) { return storable(name_in_folder(path)); }

std::string difference_of(const std::string& path, const MadeFile& before) {
  const long long bytes = stamp_of(path).bytes;
  if (bytes < 0) return fmt::format("{} is not a file any more", path);
  if (bytes != before.bytes)
    return fmt::format("{} has {} bytes, and {} were written", path, bytes, before.bytes);
  try {
    if (digest_of_file(path) == before.digest) return "";
  } catch (const Error& error) {
    return error.what();
  }
  return fmt::format("the contents of {} are not those that were written", path);
}

}  // namespace

std::string digest_of_file(const std::string& path) {
  const File file = File::open_to_read(path);
  Digest digest;
  std::vector<char> part(kPartBytes);
  for (long long at = 0;;) {
    const long long got = file.read_some(at, part.data(), kPartBytes);
    if (got == 0) return digest.text();
    digest.add(part.data(), static_cast<std::size_t>(got));
    at += got;
  }
}

std::vector<MadeFile> made_files(const BatchItem& item, const Batch& batch) {
  std::vector<MadeFile> made;
  try {
    for (const std::string& path : paths_of(item, batch))
      made.push_back({stored_name(path), stamp_of(path).bytes, digest_of_file(path)});
  } catch (const Error&) {
    return {};  // the next run makes it again
  }
  return made;
}

std::string difference_from(const std::vector<MadeFile>& before, const BatchItem& item,
                            const Batch& batch) {
  const std::vector<std::string> paths = paths_of(item, batch);
  for (const MadeFile& file : before) {
    const auto path = std::ranges::find(paths, file.name, stored_name);
    if (path == paths.end()) return fmt::format("{} of {} is missing", file.name, item.output);
    if (const std::string what = difference_of(*path, file); !what.empty()) return what;
  }
  // Files that others put into the folder of an output are not its own.
  const bool complete = batch.proof.empty()
                            ? before.size() == paths.size() && !paths.empty()
                            : std::ranges::count(before, batch.proof, &MadeFile::name) > 0;
  return complete ? "" : fmt::format("{} is not complete", item.output);
}

}  // namespace tessera
