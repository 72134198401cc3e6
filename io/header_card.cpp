// SPDX-License-Identifier: Apache-2.0
#include "io/header_card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tessera {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

// From the opening quote to the closing one; '' inside is a quote.
std::string quoted(std::string_view text) {
  size_t end = 1;
  while (end < text.size() && (text[end] != '\'' || text.substr(end, 2) == "''"))
    end += text[end] == '\'' ? 2 : 1;
  return std::string(text.substr(0, std::min(end + 1, text.size())));
}

}  // namespace

std::string fits_card(std::string_view keyword, std::string_view value, std::string_view comment) {
  const bool is_string = value.starts_with('\'');
  std::string card = is_string ? fmt::format("{:<8}= {:<20}", keyword, value)
                               : fmt::format("{:<8}= {:>20}", keyword, value);
  if (!comment.empty()) card += fmt::format(" / {}", comment);
  card.resize(kFitsCard, ' ');
  return card;
}

std::string_view fits_keyword(std::string_view card) { return trimmed(card.substr(0, 8)); }

std::optional<std::string> fits_value(std::string_view card) {
  if (card.size() < 10 || card.substr(8, 2) != "= ") return std::nullopt;
  const std::string_view rest = trimmed(card.substr(10));
  if (rest.starts_with('\'')) return quoted(rest);
  return std::string(trimmed(rest.substr(0, rest.find('/'))));
}

std::string fits_unquoted(const std::string& value) {
  if (!value.starts_with('\'')) return value;
  std::string text;
  for (size_t i = 1; i < value.size() && !(value[i] == '\'' && i + 1 == value.size()); ++i) {
    text += value[i];
    if (value[i] == '\'') ++i;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::optional<double> fits_real(std::string_view text) {
  std::string number(text.starts_with('+') ? text.substr(1) : text);
  std::ranges::replace(number, 'D', 'E');
  std::ranges::replace(number, 'd', 'e');
  double value = 0;
  const char* last = number.data() + number.size();
  const auto [end, error] = std::from_chars(number.data(), last, value);
  if (error != std::errc() || end != last || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string fits_plain(std::string_view text) {
  std::string plain;
  for (const char c : text) plain += c >= ' ' && c <= '~' ? c : '?';
  return plain;
}

std::string fits_text(std::string_view text) {
  constexpr std::size_t kMost = kFitsCard - 12;  // a keyword, "= " and two quotes
  std::string doubled;
  for (const char c : fits_plain(text)) {
    const std::string add(c == '\'' ? 2 : 1, c);
    if (doubled.size() + add.size() > kMost) break;
    doubled += add;
  }
  return fmt::format("'{:<8}'", doubled);
}

std::string fits_real_text(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  std::ranges::replace(text, 'e', 'E');
  return text;
}

// After the value: a slash inside quotes does not start a comment.
std::string fits_comment(const std::string& card) {
  std::size_t from = 10;
  const std::string value = fits_value(card).value_or("");
  if (value.starts_with('\'')) from = card.find(value) + value.size();
  const std::size_t slash = card.find('/', from);
  if (slash == std::string::npos) return "";
  const std::size_t first = card.find_first_not_of(' ', slash + 1);
  if (first == std::string::npos) return "";
  return card.substr(first, card.find_last_not_of(' ') + 1 - first);
}

}  // namespace tessera
