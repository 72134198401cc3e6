// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/track_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace tessera {

TrackDocument::TrackDocument(const std::string& name, const std::string& text)
    : name_(name), text_(text) {
  const pugi::xml_parse_result parsed = document_.load_buffer(text.data(), text.size());
  if (!parsed)
    throw Error(ErrorKind::input, fmt::format("{}, line {}: it is not XML: {}", name,
                                              line_at(parsed.offset), parsed.description()));
}

void TrackDocument::refuse(const pugi::xml_node& node, const std::string& what) const {
  throw Error(ErrorKind::input, fmt::format("{}, line {}: {}", name_, line_of(node), what));
}

pugi::xml_node TrackDocument::child(const pugi::xml_node& node, const char* name) const {
  const pugi::xml_node found = node.child(name);
  if (!found) refuse(node, fmt::format("<{}> has no <{}>, which it must have", node.name(), name));
  return found;
}

double TrackDocument::number(const pugi::xml_node& node, const char* name) const {
  const std::string_view text = node.attribute(name).value();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    refuse(node, fmt::format("{} is '{}'; it must be a number", name, text));
  return value;
}

int TrackDocument::whole(const pugi::xml_node& node, const char* name) const {
  const double value = number(node, name);
  if (!(std::abs(value) < 1e9) || value != std::floor(value))
    refuse(node, fmt::format("{} is {}; it must be a whole number below 1e9", name, value));
  return static_cast<int>(value);
}

// Elements come in the order of the file, so lines are counted from the last element on.
long long TrackDocument::line_at(std::ptrdiff_t offset) const {
  const auto bytes = std::clamp<std::ptrdiff_t>(offset, 0, std::ssize(text_));
  if (bytes < counted_) counted_ = 0, line_ = 1;
  line_ += std::count(text_.begin() + counted_, text_.begin() + bytes, '\n');
  counted_ = bytes;
  return line_;
}

}  // namespace tessera
