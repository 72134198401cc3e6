// SPDX-License-Identifier: Apache-2.0
#include "tune/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/folder.hpp"
#include "core/regular_file.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

void write_text(const std::string& path, int flags, const std::string& text) {
  const int file = open_regular(path, O_WRONLY | O_CREAT | flags, 0644);
  const auto bytes = static_cast<ssize_t>(text.size());
  const bool written = file >= 0 && ::write(file, text.data(), text.size()) == bytes;
  const int error = errno;
  if (file >= 0) ::close(file);
  if (!written)
    throw Error(ErrorKind::resources, fmt::format("{}: what was measured cannot be kept: {}", path,
                                                  std::strerror(error)));
}

}  // namespace

Journal::Journal(std::string path, std::string settings)
    : path_(std::move(path)), first_line_("# " + std::move(settings) + "\n") {
  if (!path_.empty() && !go_on()) begin();
}

bool Journal::go_on() {
  std::string text = read_own(path_).value_or("");
  if (!text.starts_with(first_line_)) return false;
  text.resize(text.rfind('\n') + 1);
  try {
    lines_ = parse_table(text, path_);
  } catch (const Error&) {
    return false;
  }
  // Without the truncated line, to which the next one would be appended.
  return ::truncate(path_.c_str(), static_cast<off_t>(text.size())) == 0;
}

void Journal::begin() {
  std::error_code ignored;
  std::filesystem::create_directories(folder_of(path_), ignored);
  write_text(path_, O_TRUNC, first_line_);
}

void Journal::add(const std::vector<TuningLine>& lines) {
  if (path_.empty() || lines.empty()) return;
  std::string text;
  for (const TuningLine& line : lines) text += line_text(line) + "\n";
  write_text(path_, O_APPEND, text);
}

void Journal::remove() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

}  // namespace tessera
