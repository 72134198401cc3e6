// SPDX-License-Identifier: Apache-2.0
/// The cards of a header, for looking up and changing values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/header_card.hpp"

namespace tessera {

class HeaderCards {
 public:
  HeaderCards() = default;
  explicit HeaderCards(std::vector<std::string> cards) : cards_(std::move(cards)) {}

  const std::vector<std::string>& list() const { return cards_; }

  bool has(std::string_view keyword) const { return find(keyword) < cards_.size(); }
  /// Without quotes; "" if there is none.
  std::string text(std::string_view keyword) const;
  /// Nothing if there is none, or if it is not a number.
  std::optional<double> number(std::string_view keyword) const;

  /// In its old place, or at the end. A card keeps its comment if none is given.
  void set_text(const std::string& keyword, const std::string& value,
                const std::string& comment = "");
  void set_number(const std::string& keyword, double value, const std::string& comment = "");
  void remove(std::string_view keyword);
  /// All cards that give the coordinates of axis `axis`, counted from 1: CTYPE, CRVAL, PC, CD …
  void remove_axis(int axis);
  /// WCSAXES, before all cards of axes, where the standard wants it; if there are none it is left
  /// out.
  void set_axis_count(int count);

 private:
  std::size_t find(std::string_view keyword) const;
  void set(const std::string& keyword, const std::string& value, const std::string& comment);

  std::vector<std::string> cards_;
};

}  // namespace tessera
