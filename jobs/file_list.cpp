// SPDX-License-Identifier: Apache-2.0
#include "jobs/file_list.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/folder.hpp"
#include "core/text_parts.hpp"
#include "io/file.hpp"
#include "jobs/batch_files.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// A list of names; more is not one.
constexpr long long kMostListBytes = 1LL << 26;

bool is_list(const std::string& word) { return word.starts_with('@') && !path_exists(word); }

std::vector<std::string> files_of_list(const std::string& path) {
  const File file = File::open_to_read(path);
  if (file.bytes() > kMostListBytes)
    throw Error(ErrorKind::input, path + ": it is too long for a list of files, one per line");
  std::string text(static_cast<std::size_t>(file.bytes()), '\0');
  file.read_all(0, text.data(), std::ssize(text));
  std::vector<std::string> files;
  for (const std::string_view line : lines_of(text))
    if (const std::string name(trimmed(line.substr(0, line.find('#')))); !name.empty())
      files.push_back(joined(folder_of(path), name));
  if (files.empty()) throw Error(ErrorKind::input, path + ": it names no file; write one per line");
  return files;
}

}  // namespace

bool names_several(const std::string& word) { return is_list(word) || names_many(word); }

std::vector<std::string> files_in_word(const std::string& word) {
  if (is_list(word)) return files_of_list(word.substr(1));
  std::vector<std::string> files = files_of(word);
  std::ranges::sort(files);
  return files;
}

}  // namespace tessera
