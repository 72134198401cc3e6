// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/header_card.hpp"
#include "io/uvfits/uvfits_parts.hpp"

namespace tessera {
namespace {

constexpr std::size_t kBlock = 2880;

void add_axis(std::vector<std::string>& cards, int axis, const char* name, double value,
              double step) {
  cards.push_back(text_card(fmt::format("CTYPE{}", axis), name));
  cards.push_back(real_card(fmt::format("CRVAL{}", axis), value));
  cards.push_back(real_card(fmt::format("CRPIX{}", axis), 1));
  cards.push_back(real_card(fmt::format("CDELT{}", axis), step));
}

void add_structure(std::vector<std::string>& cards, const UvfitsHeader& header, long long groups) {
  cards.push_back(fits_card("SIMPLE", "T", "random groups: visibilities"));
  cards.push_back(integer_card("BITPIX", header.doubles ? -64 : -32));
  const long long axes[] = {0, 3, correlations(header), header.channels, 1, 1, 1};
  cards.push_back(integer_card("NAXIS", std::ssize(axes)));
  for (std::size_t i = 0; i < std::size(axes); ++i)
    cards.push_back(integer_card(fmt::format("NAXIS{}", i + 1), axes[i]));
  cards.push_back(fits_card("EXTEND", "T", ""));
  cards.push_back(fits_card("GROUPS", "T", ""));
  cards.push_back(integer_card("PCOUNT", std::ssize(uvfits_parameters(header))));
  cards.push_back(integer_card("GCOUNT", groups, "baselines times integrations"));
}

void add_parameters(std::vector<std::string>& cards, const UvfitsHeader& header) {
  int number = 0;
  for (const char* const name : uvfits_parameters(header)) {
    const bool first_date = ++number == 4;
    cards.push_back(text_card(fmt::format("PTYPE{}", number), name));
    cards.push_back(real_card(fmt::format("PSCAL{}", number), 1));
    cards.push_back(
        real_card(fmt::format("PZERO{}", number), first_date ? uvfits_first_day(header) : 0));
  }
}

}  // namespace

std::vector<const char*> uvfits_parameters(const UvfitsHeader& header) {
  if (numbers_antennas(header))
    return {"UU",       "VV",       "WW",       "DATE",   "DATE",
            "ANTENNA1", "ANTENNA2", "SUBARRAY", "SOURCE", "INTTIM"};
  return {"UU", "VV", "WW", "DATE", "DATE", "BASELINE", "SOURCE", "INTTIM"};
}

double uvfits_first_day(const UvfitsHeader& header) {
  return std::floor(header.first_time) + 2400000.5;
}

std::string integer_card(std::string_view keyword, long long value, std::string_view comment) {
  return fits_card(keyword, fmt::format("{}", value), comment);
}

std::string real_card(std::string_view keyword, double value, std::string_view comment) {
  return fits_card(keyword, fits_real_text(value), comment);
}

std::string text_card(std::string_view keyword, std::string_view value, std::string_view comment) {
  return fits_card(keyword, fits_text(value), comment);
}

void fill_block(std::string& bytes, char with) {
  bytes.resize((bytes.size() + kBlock - 1) / kBlock * kBlock, with);
}

std::string filled_cards(const std::vector<std::string>& cards) {
  std::string bytes;
  for (const std::string& card : cards) bytes += card;
  bytes += fmt::format("{:<80}", "END");
  fill_block(bytes, ' ');
  return bytes;
}

std::string uvfits_header_bytes(const UvfitsHeader& header, const UvfitsTotals& totals) {
  const bool one = totals.centres.size() == 1;
  const UvfitsCentre centre = one ? totals.centres.front() : UvfitsCentre{"MULTI"};
  const int last = header.channels - 1;
  const double lowest = std::min(header.frequency, header.frequency + last * header.channel_step);
  std::vector<std::string> cards;
  add_structure(cards, header, totals.groups);
  add_parameters(cards, header);
  add_axis(cards, 2, "COMPLEX", 1, 1);
  add_axis(cards, 3, "STOKES", -5, -1);
  add_axis(cards, 4, "FREQ", lowest, std::abs(header.channel_step));
  add_axis(cards, 5, "IF", 1, 1);
  add_axis(cards, 6, "RA", centre.right_ascension, 1);
  add_axis(cards, 7, "DEC", centre.declination, 1);
  cards.push_back(text_card("OBJECT", centre.name));
  cards.push_back(text_card("TELESCOP", header.telescope));
  cards.push_back(text_card("INSTRUME", header.telescope));
  cards.push_back(text_card("DATE-OBS", uvfits_date(header.first_time)));
  cards.push_back(text_card("BUNIT", "UNCALIB", "means; weights: valid samples"));
  cards.push_back(real_card("BSCALE", 1));
  cards.push_back(real_card("BZERO", 0));
  // No RADESYS: readers disagree over its spelling, and J2000 is ICRS to 0.03 arcseconds.
  cards.push_back(real_card("EPOCH", 2000));
  constexpr std::size_t kFold = 70;
  for (const std::string& line : header.history)
    for (std::size_t at = 0; at == 0 || at < line.size(); at += kFold)
      cards.push_back(fmt::format("{:<80}", "HISTORY " + fits_plain(line.substr(at, kFold))));
  return filled_cards(cards);
}

// The calendar date of a day, from whole days since 1 March of the year 0 (Hinnant's algorithm).
std::string uvfits_date(double mjd) {
  const long long days = static_cast<long long>(std::floor(mjd)) + 678881;
  const long long era = (days >= 0 ? days : days - 146096) / 146097;
  const long long of_era = days - era * 146097;
  const long long year =
      (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365 + era * 400;
  const long long of_year =
      of_era - (365 * (year - era * 400) + (year - era * 400) / 4 - (year - era * 400) / 100);
  const long long month = (5 * of_year + 2) / 153, day = of_year - (153 * month + 2) / 5 + 1;
  return fmt::format("{:04}-{:02}-{:02}", year + (month >= 10), month < 10 ? month + 3 : month - 9,
                     day);
}

}  // namespace tessera
