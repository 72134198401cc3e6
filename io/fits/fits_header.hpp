// SPDX-License-Identifier: Apache-2.0
/// The header of one HDU of a FITS file: cards of 80 characters.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/header_card.hpp"

namespace tessera {

inline constexpr long long kFitsBlock = 2880;

/// Whether `keyword` is `stem` followed by a number: NAXIS1, TFORM12.
bool is_numbered(std::string_view keyword, std::string_view stem);
class FitsHeader {
 public:
  /// `name` begins messages: "a.fits: HDU 1".
  FitsHeader(std::string name, std::vector<std::string> cards)
      : name_(std::move(name)), cards_(std::move(cards)) {}

  const std::string& name() const { return name_; }
  /// Without END.
  const std::vector<std::string>& cards() const { return cards_; }

  bool has(const std::string& keyword) const { return find(keyword).has_value(); }
  /// The text of a value, quotes and trailing spaces removed; "" if there is none.
  std::string text(const std::string& keyword) const;
  bool is_true(const std::string& keyword) const { return find(keyword) == "T"; }
  /// Throw Error(input) for a value that is not a number.
  std::optional<long long> integer(const std::string& keyword) const;
  std::optional<double> real(const std::string& keyword) const;
  /// Throws Error(input) if it is missing, not between `least` and `most`, or there with another
  /// value, too.
  long long needed_integer(const std::string& keyword, long long least, long long most) const;

 private:
  std::optional<std::string> find(const std::string& keyword) const;

  std::string name_;
  std::vector<std::string> cards_;
};

/// Bytes of a value in a column of a binary table, by the letter of its TFORM; 0 for bits and
/// letters that do not exist.
int fits_form_bytes(char letter);

}  // namespace tessera
