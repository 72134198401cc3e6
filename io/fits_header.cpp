// SPDX-License-Identifier: Apache-2.0
#include "io/fits_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tessera/error.hpp"

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

template <class Number>
std::optional<Number> whole_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw Error(ErrorKind::input, name + ": " + what);
}

}  // namespace

std::string_view fits_keyword(std::string_view card) { return trimmed(card.substr(0, 8)); }

std::optional<std::string> fits_value(std::string_view card) {
  if (card.size() < 10 || card.substr(8, 2) != "= ") return std::nullopt;
  const std::string_view rest = trimmed(card.substr(10));
  if (rest.starts_with('\'')) return quoted(rest);
  return std::string(trimmed(rest.substr(0, rest.find('/'))));
}

bool is_numbered(std::string_view keyword, std::string_view stem) {
  if (!keyword.starts_with(stem) || keyword.size() == stem.size()) return false;
  return std::ranges::all_of(keyword.substr(stem.size()),
                             [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<double> fits_real(std::string_view text) {
  std::string number(text);
  std::ranges::replace(number, 'D', 'E');
  std::ranges::replace(number, 'd', 'e');
  const auto value = whole_number<double>(number);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::string> FitsHeader::find(const std::string& keyword) const {
  for (const std::string& card : cards_)
    if (fits_keyword(card) == keyword)
      if (auto value = fits_value(card)) return value;
  return std::nullopt;
}

std::string FitsHeader::text(const std::string& keyword) const {
  const std::string value = find(keyword).value_or("");
  if (!value.starts_with('\'')) return value;
  std::string text;
  for (size_t i = 1; i < value.size() && !(value[i] == '\'' && i + 1 == value.size()); ++i) {
    text += value[i];
    if (value[i] == '\'') ++i;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::optional<long long> FitsHeader::integer(const std::string& keyword) const {
  const auto value = find(keyword);
  if (!value || value->empty()) return std::nullopt;
  if (const auto number = whole_number<long long>(*value)) return number;
  refuse(name_, fmt::format("its card {} is {}; it must be a whole number", keyword, *value));
}

std::optional<double> FitsHeader::real(const std::string& keyword) const {
  const auto value = find(keyword);
  if (!value || value->empty()) return std::nullopt;
  if (const auto number = fits_real(*value)) return number;
  refuse(name_, fmt::format("its card {} is {}; it must be a number", keyword, *value));
}

long long FitsHeader::needed_integer(const std::string& keyword, long long least,
                                     long long most) const {
  const auto value = integer(keyword);
  if (!value) refuse(name_, fmt::format("it has no card {}; it needs one", keyword));
  if (*value < least || *value > most)
    refuse(name_, fmt::format("its card {} is {}; it must be between {} and {}", keyword, *value,
                              least, most));
  return *value;
}

}  // namespace tessera
