// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/header_card.hpp"
#include "io/uvfits/uvfits_parts.hpp"
#include "io/uvfits/uvfits_sky.hpp"

namespace tessera {
namespace {

struct Column {
  std::string name, format, unit;
  int bytes;
};

std::vector<std::string> table_cards(const std::vector<Column>& columns, long long rows,
                                     const char* name) {
  int width = 0;
  for (const Column& column : columns) width += column.bytes;
  std::vector<std::string> cards{
      text_card("XTENSION", "BINTABLE"), integer_card("BITPIX", 8),
      integer_card("NAXIS", 2),          integer_card("NAXIS1", width),
      integer_card("NAXIS2", rows),      integer_card("PCOUNT", 0),
      integer_card("GCOUNT", 1),         integer_card("TFIELDS", std::ssize(columns))};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    cards.push_back(text_card(fmt::format("TTYPE{}", i + 1), columns[i].name));
    cards.push_back(text_card(fmt::format("TFORM{}", i + 1), columns[i].format));
    if (!columns[i].unit.empty())
      cards.push_back(text_card(fmt::format("TUNIT{}", i + 1), columns[i].unit));
  }
  cards.push_back(text_card("EXTNAME", name));
  cards.push_back(integer_card("EXTVER", 1));
  return cards;
}

/// Padded with zeros, as astropy writes texts: pyuvdata would treat spaces as part of a name.
void append_text(std::string& bytes, const std::string& text, std::size_t width) {
  std::string part = text.substr(0, width);
  part.resize(width, '\0');
  bytes += part;
}

Vector3 middle_of(const std::vector<UvfitsAntenna>& antennas) {
  Vector3 middle{};
  for (const UvfitsAntenna& antenna : antennas)
    for (std::size_t i = 0; i < 3; ++i)
      middle[i] += antenna.position[i] / static_cast<double>(antennas.size());
  return middle;
}

/// Leap seconds since 1999; TAI minus UTC, seconds.
int tai_less_utc(double mjd) {
  constexpr int kLeaps[] = {51179, 53736, 54832, 56109, 57204, 57754};
  return 31 + static_cast<int>(std::ranges::count_if(kLeaps, [&](int day) { return mjd >= day; }));
}

void add_array_cards(std::vector<std::string>& cards, const UvfitsHeader& header,
                     const Vector3& middle) {
  const double day = std::floor(header.first_time);
  cards.push_back(real_card("ARRAYX", middle[0], "metres"));
  cards.push_back(real_card("ARRAYY", middle[1]));
  cards.push_back(real_card("ARRAYZ", middle[2]));
  cards.push_back(text_card("FRAME", "ITRF"));
  cards.push_back(text_card("XYZHAND", "RIGHT"));
  cards.push_back(real_card("GSTIA0", greenwich_sidereal_degrees(day + header.dut1 / 86400),
                            "degrees, at 0 h UTC"));
  cards.push_back(real_card("DEGPDY", 360.9856438593));
  const int last = header.channels - 1;
  cards.push_back(
      real_card("FREQ", std::min(header.frequency, header.frequency + last * header.channel_step)));
  cards.push_back(text_card("RDATE", uvfits_date(day)));
  cards.push_back(real_card("POLARX", 0));
  cards.push_back(real_card("POLARY", 0));
  cards.push_back(real_card("UT1UTC", header.dut1, "UT1 - UTC, seconds"));
  cards.push_back(real_card("DATUTC", 0, "times are UTC"));
  cards.push_back(real_card("IATUTC", tai_less_utc(day)));
  cards.push_back(text_card("TIMESYS", "UTC"));
  cards.push_back(text_card("ARRNAM", header.telescope));
  cards.push_back(integer_card("NUMORB", 0));
  cards.push_back(integer_card("NOPCAL", 0));
  cards.push_back(integer_card("NO_IF", 1));
  cards.push_back(integer_card("FREQID", 1));
  cards.push_back(text_card("POLTYPE", "X-Y LIN"));
}

}  // namespace

// Positions are relative to the middle of the array, rotated so that x lies in its meridian (AIPS
// memo 117).
std::string uvfits_antenna_table(const UvfitsHeader& header) {
  std::size_t width = 8;
  for (const UvfitsAntenna& antenna : header.antennas) width = std::max(width, antenna.name.size());
  const Vector3 middle = middle_of(header.antennas);
  const double longitude = std::atan2(middle[1], middle[0]);
  const double c = std::cos(longitude), s = std::sin(longitude);
  const auto name_bytes = static_cast<int>(width);
  std::vector<std::string> cards =
      table_cards({{"ANNAME", fmt::format("{}A", width), "", name_bytes},
                   {"STABXYZ", "3D", "METERS", 24},
                   {"ORBPARM", "0D", "", 0},
                   {"NOSTA", "1J", "", 4},
                   {"MNTSTA", "1J", "", 4},
                   {"STAXOF", "1E", "METERS", 4},
                   {"POLTYA", "1A", "", 1},
                   {"POLAA", "1E", "DEGREES", 4},
                   {"POLCALA", "0E", "", 0},
                   {"POLTYB", "1A", "", 1},
                   {"POLAB", "1E", "DEGREES", 4},
                   {"POLCALB", "0E", "", 0}},
                  std::ssize(header.antennas), "AIPS AN");
  add_array_cards(cards, header, middle);
  std::string bytes = filled_cards(cards);
  int number = 0;
  for (const UvfitsAntenna& antenna : header.antennas) {
    const double x = antenna.position[0] - middle[0], y = antenna.position[1] - middle[1];
    append_text(bytes, antenna.name, width);
    append_big_endian(bytes, c * x + s * y);
    append_big_endian(bytes, -s * x + c * y);
    append_big_endian(bytes, antenna.position[2] - middle[2]);
    append_big_endian(bytes, ++number);
    append_big_endian(bytes, 0);
    append_big_endian(bytes, 0.0F);
    bytes += 'X';
    append_big_endian(bytes, 0.0F);
    bytes += header.polarisations == 2 ? 'Y' : ' ';
    append_big_endian(bytes, header.polarisations == 2 ? 90.0F : 0.0F);
  }
  fill_block(bytes, '\0');
  return bytes;
}

std::string uvfits_source_table(const UvfitsHeader& header,
                                const std::vector<UvfitsCentre>& centres) {
  const EarthAt earth(header.first_time, header.dut1);
  const std::vector<Column> columns{
      {"ID. NO.", "1J", "", 4},     {"SOURCE", "20A", "", 20},     {"QUAL", "1J", "", 4},
      {"CALCODE", "4A", "", 4},     {"IFLUX", "1E", "JY", 4},      {"QFLUX", "1E", "JY", 4},
      {"UFLUX", "1E", "JY", 4},     {"VFLUX", "1E", "JY", 4},      {"FREQOFF", "1D", "HZ", 8},
      {"BANDWIDTH", "1D", "HZ", 8}, {"RAEPO", "1D", "DEGREES", 8}, {"DECEPO", "1D", "DEGREES", 8},
      {"EPOCH", "1D", "YEARS", 8},  {"RAAPP", "1D", "DEGREES", 8}, {"DECAPP", "1D", "DEGREES", 8},
      {"LSRVEL", "1D", "M/SEC", 8}, {"RESTFREQ", "1D", "HZ", 8},   {"PMRA", "1D", "DEG/DAY", 8},
      {"PMDEC", "1D", "DEG/DAY", 8}};
  std::vector<std::string> cards = table_cards(columns, std::ssize(centres), "AIPS SU");
  cards.push_back(integer_card("NO_IF", 1));
  cards.push_back(integer_card("FREQID", 1));
  cards.push_back(text_card("VELDEF", "RADIO"));
  cards.push_back(text_card("VELTYP", "TOPOCENT"));
  std::string bytes = filled_cards(cards);
  int number = 0;
  for (const UvfitsCentre& centre : centres) {
    append_big_endian(bytes, ++number);
    append_text(bytes, centre.name, 20);
    append_big_endian(bytes, 0);
    append_text(bytes, "", 4);
    for (int i = 0; i < 4; ++i) append_big_endian(bytes, 0.0F);
    const SkyPlace date = earth.of_date({centre.right_ascension, centre.declination});
    const double places[] = {0,
                             0,
                             centre.right_ascension,
                             centre.declination,
                             2000,
                             date.right_ascension,
                             date.declination,
                             0,
                             0,
                             0,
                             0};
    for (const double value : places) append_big_endian(bytes, value);
  }
  fill_block(bytes, '\0');
  return bytes;
}

}  // namespace tessera
