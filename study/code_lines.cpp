// SPDX-License-Identifier: Apache-2.0
#include "study/code_lines.hpp"

#include <algorithm>

namespace tessera {

std::string_view study_text(std::string_view name) {
  for (const EmbeddedText& text : embedded_study_texts())
    if (text.name == name) return text.text;
  return {};
}

// Strings with comment marks are ignored: kernels have no strings.
int count_code_lines(std::string_view text) {
  int lines = 0;
  bool code = false, in_block = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view two = text.substr(i, 2);
    if (in_block) {
      if (two == "*/") in_block = false, ++i;
    } else if (two == "/*") {
      in_block = true, ++i;
    } else if (two == "//") {
      while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
    } else if (text[i] != ' ' && text[i] != '\t' && text[i] != '\n' && text[i] != '\r') {
      code = true;
    }
    if (i + 1 >= text.size() || text[i] == '\n') lines += code, code = false;
  }
  return lines;
}

std::string without_doors(std::string_view path) {
  const std::size_t name = path.rfind('/');
  const std::size_t operation = path.find('/', path.find('/') + 1);
  if (!path.starts_with("ops/") || operation >= name) return std::string(path);
  const std::string_view door = path.substr(operation);
  if (door.starts_with("/study/") || door.starts_with("/parts/")) return std::string(path);
  return std::string(path.substr(0, operation)) + std::string(path.substr(name));
}

int code_lines_of(const std::vector<std::string>& beginnings) {
  int lines = 0;
  // Counted once, even if several beginnings match: those of a.cu match a.cuh too.
  for (const EmbeddedText& text : embedded_study_texts()) {
    const std::string short_name = without_doors(text.name);
    if (std::any_of(beginnings.begin(), beginnings.end(), [&](const std::string& beginning) {
          return text.name.starts_with(beginning) || short_name.starts_with(beginning);
        }))
      lines += count_code_lines(text.text);
  }
  return lines;
}

}  // namespace tessera
