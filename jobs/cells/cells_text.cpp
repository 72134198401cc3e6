// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_text.hpp"

namespace tessera {
namespace {

constexpr std::size_t kAtOnce = 1 << 20;

}  // namespace

void TextFile::add(std::string_view text) {
  waiting_ += text;
  if (waiting_.size() >= kAtOnce) flush();
}

void TextFile::flush() {
  output_.file().write_all(offset_, waiting_.data(), static_cast<long long>(waiting_.size()));
  offset_ += static_cast<long long>(waiting_.size());
  waiting_.clear();
}

void TextFile::finish() {
  flush();
  output_.finish();
}

}  // namespace tessera
