// SPDX-License-Identifier: Apache-2.0
#include "report/page.hpp"

#include <fmt/format.h>

#include "tessera/error.hpp"

namespace tessera {

std::string_view page_text(std::string_view name) {
  for (const EmbeddedText& page : embedded_pages())
    if (page.name == name) return page.text;
  throw Error(ErrorKind::failure, fmt::format("report: {} was not built in", name));
}

std::string html_text(std::string_view text) {
  std::string out;
  for (const char letter : text) switch (letter) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += letter;
    }
  return out;
}

std::string script_json(std::string json) {
  // Outside its strings JSON has no "<".
  for (std::size_t at = 0; (at = json.find('<', at)) != std::string::npos;)
    json.replace(at, 1, "\\u003c");
  return json;
}

void fill_page(std::string_view page, const std::function<void(std::string_view)>& write,
               const std::function<void(std::string_view)>& fill) {
  for (std::size_t begin; (begin = page.find("{{")) != std::string_view::npos;) {
    const std::size_t end = page.find("}}", begin);
    if (end == std::string_view::npos) break;
    write(page.substr(0, begin));
    const std::string_view name = page.substr(begin + 2, end - begin - 2);
    name == kPageHead ? fill_page(page_text(name), write, fill) : fill(name);
    page.remove_prefix(end + 2);
  }
  write(page);
}

}  // namespace tessera
