// SPDX-License-Identifier: Apache-2.0
#include "jobs/parts/kept_texts.hpp"

namespace tessera {

void KeptTexts::add(const std::string& text) {
  const long long length = std::ssize(text);
  file_.write_all(end_, &length, sizeof length);
  file_.write_all(end_ + static_cast<long long>(sizeof length), text.data(), length);
  end_ += static_cast<long long>(sizeof length) + length;
}

std::optional<std::string> TextReader::next() {
  const File file = File::open_to_read(path_);
  if (at_ >= file.bytes()) return std::nullopt;
  long long length = 0;
  file.read_all(at_, &length, sizeof length);
  at_ += static_cast<long long>(sizeof length);
  if (length < 0 || length > file.bytes() - at_)
    throw Error(ErrorKind::input, path_ + ": it is damaged; make this part again with --force");
  std::string text(static_cast<std::size_t>(length), '\0');
  file.read_all(at_, text.data(), length);
  at_ += length;
  return text;
}

}  // namespace tessera
