// SPDX-License-Identifier: Apache-2.0
/// XML of other programs, with the line of every element for messages. Entities that a file defines
/// are not expanded, and elements are visited only at the depth where they belong.
#pragma once

#include <pugixml.hpp>
#include <string>

#include "jobs/cells/cell_track_file.hpp"

namespace tessera {

class TrackDocument {
 public:
  /// The text must outlive the document. Throws Error(input) if it is not XML.
  TrackDocument(const std::string& name, const std::string& text);

  const std::string& name() const { return name_; }
  pugi::xml_node root() const { return document_.document_element(); }

  /// Throw Error(input) naming the element's line: if the child is missing, or if an attribute is
  /// missing, not a finite number or not a whole one below 1e9.
  pugi::xml_node child(const pugi::xml_node& node, const char* name) const;
  double number(const pugi::xml_node& node, const char* name) const;
  int whole(const pugi::xml_node& node, const char* name) const;
  [[noreturn]] void refuse(const pugi::xml_node& node, const std::string& what) const;

  long long line_of(const pugi::xml_node& node) const { return line_at(node.offset_debug()); }

 private:
  long long line_at(std::ptrdiff_t offset) const;

  const std::string &name_, &text_;
  pugi::xml_document document_;
  mutable std::ptrdiff_t counted_ = 0;
  mutable long long line_ = 1;
};

}  // namespace tessera
