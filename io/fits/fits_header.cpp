// SPDX-License-Identifier: Apache-2.0
#include "io/fits/fits_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/refuse.hpp"

namespace tessera {
namespace {

std::optional<long long> whole_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

bool is_numbered(std::string_view keyword, std::string_view stem) {
  if (!keyword.starts_with(stem) || keyword.size() == stem.size()) return false;
  return std::ranges::all_of(keyword.substr(stem.size()),
                             [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<std::string> FitsHeader::find(const std::string& keyword) const {
  for (const std::string& card : cards_)
    if (fits_keyword(card) == keyword)
      if (auto value = fits_value(card)) return value;
  return std::nullopt;
}

std::string FitsHeader::text(const std::string& keyword) const {
  return fits_unquoted(find(keyword).value_or(""));
}

std::optional<long long> FitsHeader::integer(const std::string& keyword) const {
  const auto value = find(keyword);
  if (!value || value->empty()) return std::nullopt;
  if (const auto number = whole_number(*value)) return number;
  refuse_input(name_, fmt::format("its card {} is {}; it must be a whole number", keyword, *value));
}

std::optional<double> FitsHeader::real(const std::string& keyword) const {
  const auto value = find(keyword);
  if (!value || value->empty()) return std::nullopt;
  if (const auto number = fits_real(*value)) return number;
  refuse_input(name_, fmt::format("its card {} is {}; it must be a number", keyword, *value));
}

long long FitsHeader::needed_integer(const std::string& keyword, long long least,
                                     long long most) const {
  const auto value = integer(keyword);
  if (!value) refuse_input(name_, fmt::format("it has no card {}, which is required", keyword));
  // Some readers take the first, others the last.
  for (const std::string& card : cards_)
    if (const auto other = fits_keyword(card) == keyword ? fits_value(card) : std::nullopt;
        other && whole_number(*other) != value)
      refuse_input(name_, fmt::format("its card {} is {}, and again {}", keyword, *value, *other));
  if (*value < least || *value > most)
    refuse_input(name_, fmt::format("its card {} is {}; it must be between {} and {}", keyword,
                                    *value, least, most));
  return *value;
}

int fits_form_bytes(char letter) {
  switch (letter) {
    case 'L':
    case 'B':
    case 'A':
      return 1;
    case 'I':
      return 2;
    case 'J':
    case 'E':
      return 4;
    case 'K':
    case 'D':
    case 'C':
    case 'P':
      return 8;
    case 'M':
    case 'Q':
      return 16;
    default:
      return 0;
  }
}

}  // namespace tessera
