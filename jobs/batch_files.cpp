// SPDX-License-Identifier: Apache-2.0
#include "jobs/batch_files.hpp"

#include <fmt/format.h>
#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <new>

#include "io/formats.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

bool is_manifest(const fs::path& path) { return path.filename() == kManifestName; }

// Hidden files are no inputs: temporaries of a run under way are among them.
std::vector<std::string> images_in(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const Format* format = format_of_name(name);
    std::error_code gone;
    if (!name.starts_with('.') && format && format->can_read() && entry->is_regular_file(gone))
      names.push_back(entry->path().string());
  }
  if (error)
    throw Error(ErrorKind::input, fmt::format("{}: cannot be listed: {}", folder, error.message()));
  if (names.empty())
    throw Error(ErrorKind::input, fmt::format("{}: there is no image file in it; formats are {}",
                                              folder, format_names()));
  return names;
}

std::vector<std::string> matches_of(const std::string& pattern) {
  struct Found {
    glob_t list{};
    ~Found() { ::globfree(&list); }
  } found;
  const int result = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found.list);
  if (result == GLOB_NOSPACE) throw std::bad_alloc();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < found.list.gl_pathc; ++i) {
    std::error_code gone;
    const fs::path path = found.list.gl_pathv[i];
    if (!fs::is_directory(path, gone) && !is_manifest(path)) names.push_back(path.string());
  }
  if (names.empty())
    throw Error(ErrorKind::input, pattern + ": no file has such a name; see the folder's list");
  return names;
}

std::vector<std::string> inputs_of(const std::string& input) {
  std::error_code ignored;
  if (input == "-")
    throw Error(ErrorKind::usage,
                "standard input has no name to give a file in the output "
                "folder; give the output's name");
  if (fs::is_directory(input, ignored)) return images_in(input);
  // A file may have the signs of a pattern in its name.
  if (fs::exists(input, ignored) || input.find_first_of("*?[") == std::string::npos) return {input};
  return matches_of(input);
}

std::string ending_of(const std::string& to) {
  if (to.empty()) return to;
  const std::string ending = to.starts_with('.') ? to : "." + to;
  const Format* format = format_of_name("x" + ending);
  if (!format || !format->can_write() || ending.find('/') != std::string::npos)
    throw Error(ErrorKind::usage,
                fmt::format("--to: '{}' is no ending of a format that can be written; there are {}",
                            to, format_names()));
  return ending;
}

void check_apart(const BatchItem& item) {
  std::error_code ignored;
  if (fs::equivalent(item.input, item.output, ignored))
    throw Error(
        ErrorKind::usage,
        fmt::format("{} would be replaced by what is made of it; give another folder", item.input));
}

}  // namespace

std::vector<BatchItem> batch_items(const Batch& batch) {
  const std::string ending = ending_of(batch.to);
  std::vector<std::string> inputs = inputs_of(batch.input);
  std::ranges::sort(inputs);
  std::map<std::string, std::string> made_of;
  std::vector<BatchItem> items;
  for (const std::string& input : inputs) {
    fs::path name = fs::path(input).filename();
    if (!ending.empty()) name.replace_extension(ending);
    const BatchItem item{input, (fs::path(batch.folder) / name).string()};
    const auto [other, is_new] = made_of.emplace(item.output, input);
    if (!is_new)
      throw Error(ErrorKind::usage, fmt::format("{} and {} would both become {}; give them apart",
                                                other->second, input, item.output));
    check_apart(item);
    items.push_back(item);
  }
  return items;
}

FileStamp stamp_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return {status.st_size, 1'000'000'000LL * status.st_mtim.tv_sec + status.st_mtim.tv_nsec};
}

}  // namespace tessera
