// SPDX-License-Identifier: Apache-2.0
#include "io/output.hpp"

#include <fmt/format.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "core/folder.hpp"
#include "io/output_set.hpp"

namespace tessera {
namespace {

// Replacing a link would leave the file it names unchanged. A link to a file that does not exist
// yet is followed too: the file is made where it points.
std::string follow_links(const std::string& named) {
  constexpr int kMostLinks = 40;  // the kernel's limit
  std::string path = named, target(PATH_MAX, '\0');
  for (int links = 0; links <= kMostLinks; ++links) {
    const auto length = ::readlink(path.c_str(), target.data(), target.size());
    if (length < 0) return path;
    path = joined(folder_of(path), target.substr(0, static_cast<std::size_t>(length)));
  }
  throw Error(ErrorKind::usage, named + ": its symbolic links lead in a circle; fix them");
}

void check_target(const std::string& path, bool force) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return;
  if (S_ISDIR(status.st_mode))
    throw Error(ErrorKind::usage, path + ": it is a folder; give the name of a file in it");
  if (!S_ISREG(status.st_mode))
    throw Error(ErrorKind::usage, path + ": it is not a regular file; give the name of one");
  if (!force) throw exists_error(path);
}

void check_folder(const std::string& path) {
  const std::string folder = folder_of(path);
  struct stat status {};
  if (::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return;
  throw Error(ErrorKind::usage,
              fmt::format("{}: there is no folder {}; create it first", path, folder));
}

std::string checked_target(const std::string& named, bool force) {
  if (named.empty()) throw Error(ErrorKind::usage, "the output has no name; give one");
  std::string path = follow_links(named);
  check_target(path, force);
  check_folder(path);
  return path;
}

}  // namespace

Output::Output(const std::string& path, bool force)
    : path_(checked_target(path, force)), force_(force), temporary_(path_) {}

// The contents are on disk before they get the name, and the name is on disk before success is
// reported. The folder is opened first: if that fails, the old file must still be there.
void Output::finish() {
  File folder = File::open_folder(folder_of(path_));
  temporary_.file().sync();
  if (OutputSet* set = OutputSet::current())
    return set->add(std::move(temporary_), force_, std::move(folder));
  temporary_.place(force_);
  if (folder.descriptor() >= 0) folder.sync();
}

void write_text(const std::string& path, const std::string& text, bool force) {
  Output output(path, force);
  output.file().write_all(0, text.data(), static_cast<long long>(text.size()));
  output.finish();
}

}  // namespace tessera
