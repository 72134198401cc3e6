// SPDX-License-Identifier: Apache-2.0
/// Texts in a file, each after its length.
#pragma once

#include <optional>
#include <string>

#include "io/file.hpp"

namespace tessera {

/// Adds texts to a file.
class KeptTexts {
 public:
  explicit KeptTexts(File file) : file_(std::move(file)) {}
  void add(const std::string& text);
  const File& file() const { return file_; }

 private:
  File file_;
  long long end_ = 0;
};

/// Reads them in their order. The file is open only while one is read: there may be more parts than
/// a process may have files open.
class TextReader {
 public:
  explicit TextReader(std::string path) : path_(std::move(path)) {}
  std::optional<std::string> next();

 private:
  std::string path_;
  long long at_ = 0;
};

}  // namespace tessera
