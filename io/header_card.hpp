// SPDX-License-Identifier: Apache-2.0
/// One card of an image's header, as in FITS; every reader and writer passes them on. Part of every
/// build, with or without the FITS format.
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
/// The text after "= ", without the comment; nothing if the card has no value.
std::optional<std::string> fits_value(std::string_view card);
/// The text of a value, quotes and trailing spaces removed.
std::string fits_unquoted(const std::string& value);
/// A FITS number, "1.5D3" included.
std::optional<double> fits_real(std::string_view text);
/// Characters that a card cannot hold become question marks.
std::string fits_plain(std::string_view text);
/// "'IT''S   '": a text as it stands in a card, cut to the room there.
std::string fits_text(std::string_view text);
/// "1.5E-05", "640.0": a number as it stands in a card.
std::string fits_real_text(double value);
/// The text after the value and its slash, or "".
std::string fits_comment(const std::string& card);

}  // namespace tessera
