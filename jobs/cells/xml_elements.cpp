// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/xml_elements.hpp"

#include <algorithm>
#include <string_view>

#include "core/utf8.hpp"

namespace tessera {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";

// Bytes of the UTF-8 character at this place, 0 if it is not one that XML allows, as U+FFFE.
std::size_t character_bytes(std::string_view text, std::size_t at) {
  const std::size_t bytes = utf8_bytes(text, at);
  const std::string_view letter = text.substr(at, bytes);
  if (letter == "\xEF\xBF\xBE" || letter == "\xEF\xBF\xBF") return 0;
  const auto first = static_cast<unsigned char>(text[at]);
  return first < 0x20 && first != '\t' && first != '\n' && first != '\r' ? 0 : bytes;
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

void XmlElements::text(const char* name, const Attributes& attributes, const std::string& inside) {
  begin(name, attributes);
  file_.add(">" + xml_escaped(inside) + "</" + name + ">\n");
}

void XmlElements::close() {
  const char* name = opened_.back();
  opened_.pop_back();
  file_.add(std::string(2 * opened_.size(), ' ') + "</" + name + ">\n");
}

}  // namespace tessera
