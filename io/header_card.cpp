// SPDX-License-Identifier: Apache-2.0
#include "io/header_card.hpp"

#include <fmt/format.h>

#include "io/fits_header.hpp"

namespace tessera {

std::string fits_card(std::string_view keyword, std::string_view value, std::string_view comment) {
  const bool is_string = value.starts_with('\'');
  std::string card = is_string ? fmt::format("{:<8}= {:<20}", keyword, value)
                               : fmt::format("{:<8}= {:>20}", keyword, value);
  if (!comment.empty()) card += fmt::format(" / {}", comment);
  card.resize(kFitsCard, ' ');
  return card;
}

}  // namespace tessera
