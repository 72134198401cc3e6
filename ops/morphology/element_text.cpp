// SPDX-License-Identifier: Apache-2.0
// Elements as users type them: a name, a colon, numbers.
#include <fmt/format.h>

#include <algorithm>

#include "tessera/elements.hpp"
#include "tessera/error.hpp"
#include "tessera/options.hpp"

namespace tessera {
namespace {

double number(std::string_view text) {
  double value = 0;
  from_text("element", text, value);
  return value;
}
int integer(std::string_view text) {
  int value = 0;
  from_text("element", text, value);
  return value;
}

struct NamedElement {
  FilterUsage usage;
  char separator;  ///< between two values; 0: one value
  Image (*make)(std::string_view first, std::string_view second);
};

const std::vector<NamedElement>& named_elements() {
  using Text = std::string_view;
  static const std::vector<NamedElement> elements{
      {{"disk", "disk:RADIUS",
        "pixels no farther than RADIUS from the middle; 2.5 is a radius too"},
       0,
       [](Text radius, Text) { return disk_element(number(radius)); }},
      {{"box", "box:WxH", "W by H pixels; box:5 is box:5x5"},
       'x',
       [](Text width, Text height) { return box_element(integer(width), integer(height)); }},
      {{"line", "line:LENGTH,DEGREES", "LENGTH pixels, turned counter-clockwise from x"},
       ',',
       [](Text length, Text degrees) { return line_element(integer(length), number(degrees)); }},
      {{"cross", "cross:RADIUS", "a row and a column of 2 RADIUS + 1 pixels"},
       0,
       [](Text radius, Text) { return cross_element(integer(radius)); }},
  };
  return elements;
}

}  // namespace

const std::vector<FilterUsage>& element_usages() {
  static const std::vector<FilterUsage> usages = [] {
    std::vector<FilterUsage> list;
    for (const NamedElement& element : named_elements()) list.push_back(element.usage);
    return list;
  }();
  return usages;
}

Image element_from_text(std::string_view text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view name = text.substr(0, colon);
  const std::string_view values = colon < text.size() ? text.substr(colon + 1) : "";
  std::vector<std::string> known;
  for (const NamedElement& element : named_elements()) {
    known.emplace_back(element.usage.form);
    if (name != element.usage.name) continue;
    const std::size_t cut = element.separator ? values.find(element.separator) : values.size();
    const bool square = element.separator == 'x' && cut == std::string_view::npos;
    if (values.empty() || (cut == std::string_view::npos && !square))
      throw Error(ErrorKind::usage,
                  fmt::format("element: '{}' is not complete; write {}", text, element.usage.form));
    if (square) return element.make(values, values);
    return element.make(values.substr(0, cut),
                        element.separator ? values.substr(cut + 1) : std::string_view());
  }
  throw_unknown("element", text, known);
}

}  // namespace tessera
