// SPDX-License-Identifier: Apache-2.0
/// A line of an image's header, as FITS has them and every reader and writer hands them on. In
/// every build, with the FITS format or without.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tessera {

inline constexpr long long kFitsCard = 80;

/// "NAXIS1  =                  640 / columns", 80 characters.
std::string fits_card(std::string_view keyword, std::string_view value, std::string_view comment);

/// "NAXIS1" of "NAXIS1  =                  640 / columns".
std::string_view fits_keyword(std::string_view card);
/// What follows "= ", without the comment; nothing where the card has no value.
std::optional<std::string> fits_value(std::string_view card);
/// The text of a value, quotes and trailing spaces removed.
std::string fits_unquoted(const std::string& value);
/// A FITS number, "1.5D3" included.
std::optional<double> fits_real(std::string_view text);
/// What a card cannot hold is a question mark.
std::string fits_plain(std::string_view text);
/// "'IT''S   '": a text as a card has it, cut to what a card has room for.
std::string fits_text(std::string_view text);
/// "1.5E-05", "640.0": a number as a card has it.
std::string fits_real_text(double value);
/// What follows the value and its slash; "" where nothing does.
std::string fits_comment(const std::string& card);

}  // namespace tessera
