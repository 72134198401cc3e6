// SPDX-License-Identifier: Apache-2.0
#include "jobs/batch_files.hpp"

#include <fmt/format.h>
#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <new>

#include "core/folder.hpp"
#include "io/file.hpp"
#include "io/formats.hpp"
#include "io/hdu_name.hpp"
#include "jobs/job_files.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;

bool is_manifest(const std::string& path) { return name_in_folder(path) == kManifestName; }

// Hidden files are not inputs: temporary files of a current run are among them.
std::vector<std::string> images_in(const std::string& folder) {
  int error = 0;
  std::vector<std::string> names;
  for (const std::string& name : names_in(folder, &error)) {
    const Format* format = format_of_name(name);
    if (!name.starts_with('.') && format && format->can_read() &&
        stamp_of(joined(folder, name)).bytes >= 0)
      names.push_back(joined(folder, name));
  }
  if (error != 0) throw system_error(ErrorKind::input, folder, "cannot be listed", error);
  if (names.empty())
    throw Error(ErrorKind::input,
                fmt::format("{}: the folder contains no image file; formats are {}", folder,
                            format_names()));
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
    const std::string path = found.list.gl_pathv[i];
    if (!fs::is_directory(path, gone) && !is_manifest(path)) names.push_back(path);
  }
  if (names.empty())
    throw Error(ErrorKind::input, pattern + ": no file matches; check the name or list the folder");
  return names;
}

std::string ending_of(const std::string& to) {
  if (to.empty()) return to;
  const std::string ending = to.starts_with('.') ? to : "." + to;
  const Format* format = format_of_name("x" + ending);
  if (!format || !format->can_write() || ending.find('/') != std::string::npos)
    throw Error(
        ErrorKind::usage,
        fmt::format("--to: '{}' is not the ending of a format that can be written; endings are {}",
                    to, format_names()));
  return ending;
}

std::string name_made_of(const std::string& input, const std::string& ending, bool is_folder) {
  const std::string name = name_in_folder(input);
  const std::size_t dot = name.rfind('.');
  if (ending.empty() && !is_folder) return name;
  return (dot == std::string::npos || dot == 0 ? name : name.substr(0, dot)) + ending;
}

}  // namespace

std::vector<std::string> files_of(const std::string& input) {
  std::error_code ignored;
  if (fs::is_directory(input, ignored)) return images_in(input);
  return names_many(input) ? matches_of(input) : std::vector{input};
}

bool names_many(const std::string& input) {
  std::error_code ignored;
  if (fs::is_directory(input, ignored)) return true;
  return !fs::exists(input, ignored) && split_hdu(input).hdu.empty() &&
         input.find_first_of("*?[") != std::string::npos;
}

std::vector<BatchItem> batch_items(const Batch& batch) {
  const std::string ending = ending_of(batch.to);
  std::error_code ignored;
  if (fs::is_directory(batch.input, ignored) && fs::equivalent(batch.input, batch.folder, ignored))
    throw Error(ErrorKind::usage,
                fmt::format("{} is both the input and the output; give another folder, or a "
                            "pattern such as '{}/*.png'",
                            batch.input, batch.input));
  if (batch.input == "-")
    throw Error(
        ErrorKind::usage,
        "standard input has no name for a file in the output folder; give the output's name");
  std::vector<std::string> inputs = files_of(batch.input);
  std::ranges::sort(inputs);
  std::map<std::string, std::string> made_of;
  std::vector<BatchItem> items;
  for (const std::string& input : inputs) {
    const std::string name =
        batch.name ? batch.name(input) : name_made_of(input, ending, !batch.proof.empty());
    const BatchItem item{input, joined(batch.folder, name)};
    const auto [other, is_new] = made_of.emplace(item.output, input);
    if (!is_new)
      throw Error(ErrorKind::usage,
                  fmt::format("{} and {} would both become {}; process them separately",
                              other->second, input, item.output));
    check_apart(item.input, item.output, "another folder");
    items.push_back(item);
  }
  return items;
}

const std::string& made_folder(const std::string& folder) {
  for (std::size_t slash = 1; slash != std::string::npos;) {
    slash = folder.find('/', slash);
    ::mkdir(folder.substr(0, slash).c_str(), 0777);
    if (slash != std::string::npos) ++slash;
  }
  const int error = errno;
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
    throw system_error(ErrorKind::usage, folder, "the folder cannot be made", error);
  return folder;
}

std::string absolute_name(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), std::free);
  return real ? real.get() : path;
}

FileStamp stamp_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return {status.st_size, 1'000'000'000LL * status.st_mtim.tv_sec + status.st_mtim.tv_nsec};
}

}  // namespace tessera
