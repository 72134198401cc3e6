// SPDX-License-Identifier: Apache-2.0
/// The parts of a UVFITS file: its headers and tables, as bytes.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "io/uvfits/uvfits.hpp"

namespace tessera {

/// The random parameters of a group, in this order. Above 255 antennas BASELINE has no room for
/// both numbers: casacore and pyuvdata then look for one parameter each.
std::vector<const char*> uvfits_parameters(const UvfitsHeader& header);
inline bool numbers_antennas(const UvfitsHeader& header) { return header.antennas.size() > 255; }

/// Values that are known only at the end of the work.
struct UvfitsTotals {
  long long groups = 0;
  std::vector<UvfitsCentre> centres;
};

inline int correlations(const UvfitsHeader& header) {
  return header.polarisations * header.polarisations;
}
/// JD at 0 h of the day from which DATE counts.
double uvfits_first_day(const UvfitsHeader& header);
/// "2024-03-21" of an MJD.
std::string uvfits_date(double mjd);

/// The header of the groups, padded to a block; its length does not depend on the totals.
std::string uvfits_header_bytes(const UvfitsHeader& header, const UvfitsTotals& totals);
/// AIPS AN and AIPS SU: headers and rows, padded to blocks.
std::string uvfits_antenna_table(const UvfitsHeader& header);
/// Places of date (RAAPP, DECAPP) are those of the first time.
std::string uvfits_source_table(const UvfitsHeader& header,
                                const std::vector<UvfitsCentre>& centres);

/// Cards as in FITS.
std::string integer_card(std::string_view keyword, long long value, std::string_view comment = "");
std::string real_card(std::string_view keyword, double value, std::string_view comment = "");
std::string text_card(std::string_view keyword, std::string_view value,
                      std::string_view comment = "");
/// Cards and END, or rows, padded to a block.
std::string filled_cards(const std::vector<std::string>& cards);
void fill_block(std::string& bytes, char with);

/// Appends a number with its highest byte first.
template <class Number>
void append_big_endian(std::string& bytes, Number value) {
  using Bits = std::conditional_t<sizeof(Number) == 8, std::uint64_t, std::uint32_t>;
  static_assert(sizeof(Number) == sizeof(Bits));
  const auto bits = std::bit_cast<Bits>(value);
  for (int shift = 8 * sizeof(Bits) - 8; shift >= 0; shift -= 8)
    bytes += static_cast<char>(bits >> shift & 0xff);
}

}  // namespace tessera
