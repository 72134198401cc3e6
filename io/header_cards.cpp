// SPDX-License-Identifier: Apache-2.0
#include "io/header_cards.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tessera {
namespace {

// CTYPE3, CTYPE3A; PC3_1, PC1_3, CD…; PV3_1, PS3_1.
bool is_of_axis(std::string_view keyword, const std::string& number) {
  for (const std::string_view stem :
       {"NAXIS", "CTYPE", "CUNIT", "CRVAL", "CRPIX", "CDELT", "CROTA", "CNAME"})
    if (keyword.starts_with(stem)) {
      std::string_view rest = keyword.substr(stem.size());
      if (!rest.empty() && rest.back() >= 'A' && rest.back() <= 'Z') rest.remove_suffix(1);
      return rest == number;
    }
  for (const std::string_view stem : {"PC", "CD", "PV", "PS"}) {
    const std::size_t line = keyword.find('_');
    if (!keyword.starts_with(stem) || line == std::string_view::npos) continue;
    const bool matrix = stem == "PC" || stem == "CD";
    return keyword.substr(2, line - 2) == number || (matrix && keyword.substr(line + 1) == number);
  }
  return false;
}

}  // namespace

std::size_t HeaderCards::find(std::string_view keyword) const {
  return static_cast<std::size_t>(
      std::ranges::find_if(cards_,
                           [&](const auto& card) { return fits_keyword(card) == keyword; }) -
      cards_.begin());
}

std::string HeaderCards::text(std::string_view keyword) const {
  const std::size_t at = find(keyword);
  return at < cards_.size() ? fits_unquoted(fits_value(cards_[at]).value_or("")) : "";
}

std::optional<double> HeaderCards::number(std::string_view keyword) const {
  const std::size_t at = find(keyword);
  return at < cards_.size() ? fits_real(fits_value(cards_[at]).value_or("")) : std::nullopt;
}

void HeaderCards::set(const std::string& keyword, const std::string& value,
                      const std::string& comment) {
  const std::size_t at = find(keyword);
  const bool there = at < cards_.size();
  const std::string card =
      fits_card(keyword, value, comment.empty() && there ? fits_comment(cards_[at]) : comment);
  if (there)
    cards_[at] = card;
  else
    cards_.push_back(card);
}

void HeaderCards::set_text(const std::string& keyword, const std::string& value,
                           const std::string& comment) {
  std::string doubled;
  for (const char c : value) doubled += c == '\'' ? "''" : std::string(1, c);
  set(keyword, fmt::format("'{:<8}'", doubled), comment);
}

void HeaderCards::set_number(const std::string& keyword, double value, const std::string& comment) {
  set(keyword, fits_real_text(value), comment);
}

void HeaderCards::remove(std::string_view keyword) {
  std::erase_if(cards_, [&](const auto& card) { return fits_keyword(card) == keyword; });
}

void HeaderCards::remove_axis(int axis) {
  const std::string number = std::to_string(axis);
  std::erase_if(cards_, [&](const auto& card) { return is_of_axis(fits_keyword(card), number); });
}

void HeaderCards::set_axis_count(int count) {
  remove("WCSAXES");
  const auto first = std::ranges::find_if(cards_, [](const auto& card) {
    const std::string_view keyword = fits_keyword(card);
    return !keyword.starts_with("NAXIS") &&
           (is_of_axis(keyword, "1") || is_of_axis(keyword, "2") || is_of_axis(keyword, "3"));
  });
  if (first == cards_.end()) return;
  cards_.insert(first, fits_card("WCSAXES", std::to_string(count), ""));
}

}  // namespace tessera
