// SPDX-License-Identifier: Apache-2.0
#include "io/output_set.hpp"

#include <utility>

#include "core/ranks.hpp"

namespace tessera {
namespace {

thread_local OutputSet* innermost = nullptr;

}  // namespace

OutputSet::OutputSet() : outer_(std::exchange(innermost, this)) {}
OutputSet::~OutputSet() { end(); }
OutputSet* OutputSet::current() { return innermost; }

void OutputSet::add(Temporary temporary, bool force, File folder) {
  files_.push_back({std::move(temporary), force});
  folders_.push_back(std::move(folder));
}

void OutputSet::end() {
  if (innermost == this) innermost = outer_;
}

void OutputSet::place() {
  end();
  place_together(files_);
  for (const File& folder : folders_)
    if (folder.descriptor() >= 0) folder.sync();
  files_.clear();
  folders_.clear();
  ranks().wait();
}

}  // namespace tessera
