// SPDX-License-Identifier: Apache-2.0
#include "io/output.hpp"

#include <utility>

#include "io/output_set.hpp"

namespace tessera {
Output::Output(const std::string& path, bool force)
    : force_(force), temporary_(find_place(path, force)) {}

// The contents are on disk before they get the name, and the name is on disk before success is
// reported. The folder is opened to be synced first: if that fails, the old file must still be
// there.
void Output::finish() {
  File folder = File::reopen_folder(temporary_.folder());
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
