// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/xml_elements.hpp"

#include <algorithm>

namespace tessera {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

// Bytes of the UTF-8 character at this place, 0 if it is not one that XML allows.
std::size_t character_bytes(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned first = byte(at);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + count > text.size()) return 0;
  for (std::size_t k = 1; k < count; ++k)
    if ((byte(at + k) & 0xC0U) != 0x80) return 0;
  const unsigned second = byte(at + 1), last = byte(at + count - 1);
  // Overlong forms, surrogates, codes beyond the last, and U+FFFE and U+FFFF.
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F) ||
      (first == 0xEF && second == 0xBF && last >= 0xBE))
    return 0;
  return count;
}

}  // namespace

std::string xml_escaped(const std::string& text) {
  std::string escaped;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = character_bytes(text, at);
    const char letter = text[at];
    if (bytes == 0)
      escaped += kReplacement;
    else if (letter == '&')
      escaped += "&amp;";
    else if (letter == '<')
      escaped += "&lt;";
    else if (letter == '>')
      escaped += "&gt;";
    else if (letter == '"')
      escaped += "&quot;";
    else if (letter == '\t' || letter == '\n' || letter == '\r')
      escaped += "&#" + std::to_string(int(letter)) + ";";  // unescaped ones are read as spaces
    else
      escaped.append(text, at, bytes);
    at += std::max<std::size_t>(bytes, 1);
  }
  return escaped;
}

XmlElements::XmlElements(TextFile& file) : file_(file) {
  file_.add("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
}

void XmlElements::begin(const char* name, const Attributes& attributes) {
  std::string text(2 * opened_.size(), ' ');
  text += std::string("<") + name;
  for (const auto& [key, value] : attributes)
    text += std::string(" ") + key + "=\"" + xml_escaped(value) + "\"";
  file_.add(text);
}

void XmlElements::open(const char* name, const Attributes& attributes) {
  begin(name, attributes);
  file_.add(">\n");
  opened_.push_back(name);
}

void XmlElements::empty(const char* name, const Attributes& attributes) {
  begin(name, attributes);
  file_.add(" />\n");
}

void XmlElements::close() {
  const char* name = opened_.back();
  opened_.pop_back();
  file_.add(std::string(2 * opened_.size(), ' ') + "</" + name + ">\n");
}

}  // namespace tessera
