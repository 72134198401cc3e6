// SPDX-License-Identifier: Apache-2.0
#include "io/output.hpp"

#include <fcntl.h>

#include <cerrno>
#include <utility>

#include "core/ranks.hpp"
#include "io/output_set.hpp"

namespace tessera {
namespace {

/// The file of rank 0, which is in the same folder for all.
File joined_file(const std::string& path, const std::string& name) {
  const OutputPlace place = find_place(path, true);
  const int descriptor = open_in(place.folder.descriptor(), name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0)
    throw system_error(ErrorKind::usage, place.path,
                       "this rank does not see the file that rank 0 has begun", errno);
  return {descriptor, place.path};
}

}  // namespace

Output::Output(const std::string& path, bool force, Writers writers)
    : force_(force),
      by_all_(ranks().count() > 1 && !ranks().apart() && writers == Writers::all_ranks) {
  const auto make = [&] {
    temporary_.emplace(find_place(path, force));
    return temporary_->name();
  };
  if (by_all_) {
    const std::string name = told_by_first(make);
    if (!temporary_) other_.emplace(joined_file(path, name));
  } else if (ranks().first()) {
    make();
  } else {
    if (is_part()) find_place(path, force);  // what join would refuse is refused now
    other_.emplace(anonymous_file(path));
  }
}

void Output::begin(const std::function<void()>& lay_out) const {
  if (is_part()) return;
  if (!by_all_ || ranks().first()) lay_out();
  if (by_all_) ranks().wait();
}

void Output::share() const {
  if (!by_all_) return;
  file().sync();  // other machines see it then
  ranks().wait();
}

// The contents are on disk before they get the name, and the name is on disk before success is
// reported. The folder is opened to be synced first: if that fails, the old file must still be
// there.
void Output::finish() {
  share();
  if (temporary_) {
    File folder = File::reopen_folder(temporary_->folder());
    temporary_->file().sync();
    if (OutputSet* set = OutputSet::current())
      return set->add(std::move(*temporary_), force_, std::move(folder));
    temporary_->place(force_);
    if (folder.descriptor() >= 0) folder.sync();
  }
  if (by_all_ && !OutputSet::current()) ranks().wait();
}

void write_text(const std::string& path, const std::string& text, bool force) {
  Output output(path, force);
  output.file().write_all(0, text.data(), static_cast<long long>(text.size()));
  output.finish();
}

}  // namespace tessera
