// SPDX-License-Identifier: Apache-2.0
#include "io/fits/fits_cards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "io/fits/fits_header.hpp"
#include "io/fits/fits_sum.hpp"

namespace tessera {
namespace {

// Keywords that describe the input file, its compression or its values.
constexpr std::string_view kStructure[] = {"SIMPLE",   "XTENSION", "BITPIX",   "NAXIS",
                                           "EXTEND",   "PCOUNT",   "GCOUNT",   "GROUPS",
                                           "BLOCKED",  "TFIELDS",  "THEAP",    "INHERIT",
                                           "BSCALE",   "BZERO",    "BLANK",    "DATAMIN",
                                           "DATAMAX",  "CHECKSUM", "DATASUM",  "END",
                                           "ZIMAGE",   "ZTABLE",   "ZSIMPLE",  "ZTENSION",
                                           "ZBITPIX",  "ZNAXIS",   "ZEXTEND",  "ZBLOCKED",
                                           "ZPCOUNT",  "ZGCOUNT",  "ZCMPTYPE", "ZMASKCMP",
                                           "ZQUANTIZ", "ZDITHER0", "ZHECKSUM", "ZDATASUM",
                                           "ZSCALE",   "ZZERO",    "ZBLANK",   "ZTHEAP",
                                           "CASAMBM"};  // announces a table of beams, which is not
                                                        // written
constexpr std::string_view kNumbered[] = {
    "NAXIS", "TTYPE", "TFORM", "TUNIT", "TSCAL",  "TZERO", "TNULL", "TDISP", "TBCOL", "TDIM",
    "PTYPE", "PSCAL", "PZERO", "ZTILE", "ZNAXIS", "ZNAME", "ZVAL",  "ZFORM", "ZCTYP"};
// The name cfitsio gives a table of tiles.
constexpr std::string_view kNameOfTiles = "'COMPRESSED_IMAGE'";

bool is_structure(std::string_view card) {
  const std::string_view keyword = fits_keyword(card);
  if (keyword == "EXTNAME") return fits_value(card) == kNameOfTiles;
  return std::ranges::count(kStructure, keyword) > 0 ||
         std::ranges::any_of(kNumbered,
                             [&](std::string_view stem) { return is_numbered(keyword, stem); });
}

bool is_text(char c) { return c >= ' ' && c <= '~'; }

// A keyword that every reader accepts.
bool is_writable(std::string_view card) {
  const std::string_view keyword = card.substr(0, 8);
  const size_t end = keyword.find_last_not_of(' ') + 1;
  return card.size() == kFitsCard && std::ranges::all_of(card, is_text) &&
         std::ranges::all_of(keyword.substr(0, end), [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
         });
}

// The axis of a keyword: 1 to 4 for CRPIX1 to CRPIX4 and alternates such as CRPIX1A if `stem` is
// CRPIX; 0 for other keywords.
int axis_of(std::string_view keyword, std::string_view stem) {
  if (!keyword.starts_with(stem) || keyword.size() < 6 || keyword.size() > 7) return 0;
  if (keyword.size() == 7 && (keyword[6] < 'A' || keyword[6] > 'Z')) return 0;
  return keyword[5] >= '1' && keyword[5] <= '4' ? keyword[5] - '0' : 0;
}

/// The number of pixels cut from the start of each axis; planes count along the third axis first.
using AxisShifts = std::array<long long, 4>;

AxisShifts axis_shifts(const std::vector<std::string>& header, Point origin, int plane) {
  long long third = 1;
  for (const std::string& card : header)
    if (fits_keyword(card) == "NAXIS3" || fits_keyword(card) == "ZNAXIS3")
      third = std::max(
          1LL, static_cast<long long>(fits_real(fits_value(card).value_or("")).value_or(1)));
  return {origin.x, origin.y, plane % third, plane / third};
}

long long shift_of(const AxisShifts& shifts, int axis) {
  return axis == 0 ? 0 : shifts[static_cast<size_t>(axis - 1)];
}

std::string moved(const std::string& card, const AxisShifts& shifts) {
  const long long shift = shift_of(shifts, axis_of(fits_keyword(card), "CRPIX"));
  const auto value = shift != 0 ? fits_real(fits_value(card).value_or("")) : std::nullopt;
  if (!value) return card;
  return fits_card(fits_keyword(card), fits_real_text(*value - static_cast<double>(shift)),
                   fits_comment(card));
}

// An axis without CRPIX has its reference at 0, which moves like the others.
void add_moved_references(std::vector<std::string>& cards, const AxisShifts& shifts) {
  for (size_t i = 0, count = cards.size(); i < count; ++i) {
    const std::string keyword(fits_keyword(cards[i]));
    long long shift = 0;
    for (const char* stem : {"CRVAL", "CDELT", "CTYPE"})
      shift += shift_of(shifts, axis_of(keyword, stem));
    if (shift == 0) continue;
    const std::string reference = "CRPIX" + keyword.substr(5);
    const auto is_it = [&](const std::string& card) { return fits_keyword(card) == reference; };
    if (std::ranges::none_of(cards, is_it))
      cards.push_back(fits_card(reference, fits_real_text(-static_cast<double>(shift)), ""));
  }
}

// One '?' for every character outside ASCII.
std::string ascii(const std::string& line) {
  std::string text;
  for (const char c : line) {
    const bool continues = (static_cast<unsigned char>(c) & 0xc0) == 0x80;
    if (!continues) text += is_text(c) ? c : '?';
  }
  return text;
}

}  // namespace

std::vector<std::string> kept_fits_cards(const std::vector<std::string>& header, Point origin,
                                         int plane) {
  const AxisShifts shifts = axis_shifts(header, origin, plane);
  std::vector<std::string> kept;
  bool keeps = true;  // a long string continues in CONTINUE cards
  for (const std::string& card : header) {
    if (fits_keyword(card) != "CONTINUE") keeps = !is_structure(card) && is_writable(card);
    if (keeps && is_writable(card)) kept.push_back(moved(card, shifts));
  }
  while (!kept.empty() && kept.back().find_first_not_of(' ') == std::string::npos) kept.pop_back();
  add_moved_references(kept, shifts);
  return kept;
}

std::vector<std::string> fits_history(const std::vector<std::string>& lines) {
  constexpr size_t kFold = 70;
  std::vector<std::string> cards;
  for (const std::string& line : lines) {
    const std::string text = ascii(line);
    for (size_t at = 0; at == 0 || at < text.size(); at += kFold)
      cards.push_back(fmt::format("{:<80}", "HISTORY " + text.substr(at, kFold)));
  }
  return cards;
}

std::string fits_header_bytes(std::vector<std::string> cards, std::uint32_t data_sum) {
  cards.push_back(fits_card("DATASUM", fmt::format("'{}'", data_sum), "sum of the data"));
  cards.push_back(fits_card("CHECKSUM", fmt::format("'{}'", std::string(16, '0')),
                            "makes all sums of the HDU -0"));
  cards.push_back(fmt::format("{:<80}", "END"));
  std::string bytes;
  for (const std::string& card : cards) bytes += card;
  bytes.resize((bytes.size() + kFitsBlock - 1) / kFitsBlock * kFitsBlock, ' ');
  FitsSum sum;
  sum.add(0, bytes.data(), std::ssize(bytes));
  sum.add(data_sum);
  constexpr size_t kValue = 11;  // after "CHECKSUM= '"
  bytes.replace((cards.size() - 2) * kFitsCard + kValue, 16, fits_sum_text(~sum.value()));
  return bytes;
}

}  // namespace tessera
