// SPDX-License-Identifier: Apache-2.0
/// XML written element by element, indented; names and values in UTF-8.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "jobs/cells/cells_text.hpp"

namespace tessera {

class XmlElements {
 public:
  using Attributes = std::vector<std::pair<const char*, std::string>>;

  /// Begins the document.
  explicit XmlElements(TextFile& file);

  void open(const char* name, const Attributes& attributes = {});
  void empty(const char* name, const Attributes& attributes = {});
  /// An element that holds only a text, which is escaped.
  void text(const char* name, const Attributes& attributes, const std::string& inside);
  /// Ends the element that was opened last.
  void close();

 private:
  void begin(const char* name, const Attributes& attributes);

  TextFile& file_;
  std::vector<const char*> opened_;
};

/// A text escaped for use in quotes. Bytes that XML does not allow, or that are not UTF-8, become
/// replacement characters.
std::string xml_escaped(const std::string& text);

}  // namespace tessera
