// SPDX-License-Identifier: Apache-2.0
#include "io/voltages/guppi_header.hpp"

#include <cmath>

#include "io/header_card.hpp"
#include "io/voltages/voltage_reader.hpp"

namespace tessera {
namespace {

constexpr int kMostCards = 4096;

bool is_card(std::string_view card) {
  for (const char c : card)
    if (c < ' ' || c > '~') return false;
  return card[8] == '=' || card[8] == ' ' || card.starts_with("CONTINUE") ||
         card.starts_with("COMMENT ") || card.starts_with("HISTORY ");
}

SampleType type_of_bits(const std::string& name, long long bits) {
  switch (bits) {
    case 4:
      return SampleType::ci4;
    case 8:
      return SampleType::ci8;
    case 16:
      return SampleType::ci16;
    default:
      throw voltage_error(name, "NBITS is {}; 4, 8 and 16 can be read", bits);
  }
}

// One channel may be the undivided real band: its width is then half the sample rate. If the header
// does not say so, it is taken as real, as in DSPSR and the baseband package.
bool is_real(const VoltageKeys& keys, long long all_channels) {
  if (all_channels != 1) return false;
  const double width = 1e6 * std::abs(keys.real("OBSBW").value_or(0)),
               interval = keys.real("TBIN").value_or(0);
  return width * interval < 0.75;
}

// If NPOL is 4, it counts real numbers: two polarisations. Smaller values count polarisations, as
// in rawspec and blimpy; the baseband package halves those too, for which there is an option.
long long polarisations_of(const VoltageKeys& keys, const VoltageOptions& options) {
  if (options.polarisations > 0) return options.polarisations;
  const long long said = keys.integer("NPOL", 1);
  return said == 4 ? 2 : said;
}

}  // namespace

std::optional<GuppiHeader> read_guppi_header(VoltageInput& input, long long offset) {
  GuppiHeader header{VoltageKeys(input.name())};
  std::string card(kFitsCard, '\0');
  for (int count = 0; count < kMostCards; ++count) {
    const long long got = input.read_some(offset + header.bytes, card.data(), kFitsCard);
    if (got == 0 && count == 0) return std::nullopt;
    const std::string_view read = std::string_view(card).substr(0, static_cast<std::size_t>(got));
    if (got < kFitsCard && !read.starts_with("END"))
      throw voltage_error(input.name(),
                          "the header at byte {} has no END card; the file ends there", offset);
    header.bytes += kFitsCard;
    if (read.starts_with("END") && (got < 4 || read[3] == ' ' || read[3] == '\0')) {
      constexpr long long kDirect = 512;
      if (header.keys.integer("DIRECTIO", 0) != 0)
        header.bytes = (header.bytes + kDirect - 1) / kDirect * kDirect;
      return header;
    }
    if (!is_card(read))
      throw voltage_error(input.name(),
                          "there should be a card of a GUPPI RAW header (KEYWORD = value, 80 "
                          "characters) at byte {}",
                          offset + header.bytes - kFitsCard);
    if (const auto value = fits_value(read))
      header.keys.add(std::string(fits_keyword(read)), fits_unquoted(*value));
  }
  throw voltage_error(input.name(), "the header at byte {} has no END among its first {} cards",
                      offset, kMostCards);
}

VoltageOrder guppi_order(const std::string& name, const VoltageKeys& keys,
                         const VoltageOptions& options) {
  const long long antennas = keys.integer("NANTS", 1), all = keys.needed("OBSNCHAN");
  if (antennas < 1 || all < 1 || all % antennas != 0)
    throw voltage_error(name,
                        "OBSNCHAN is {} and NANTS is {}; the channels of all antennas must be a "
                        "multiple of the antennas",
                        all, antennas);
  VoltageOrder order;
  order.real = is_real(keys, all);
  order.shape = checked_shape(name, {antennas, polarisations_of(keys, options), all / antennas});
  order.type = type_of_bits(name, keys.needed("NBITS"));
  if (order.real && order.type == SampleType::ci4)
    throw voltage_error(name, "real samples of 4 bits (OBSNCHAN 1) cannot be read");
  order.axes = keys.text("PKTFMT") == "SIMPLE" ? "TAFP" : "AFTP";
  return order;
}

VoltageInfo guppi_info(const VoltageKeys& keys, const VoltageOrder& order) {
  VoltageInfo info;
  info.format = "GUPPI RAW";
  info.shape = order.shape;
  info.samples = order.type;
  info.real = order.real;
  if (info.real) info.bits = 4 * bytes_of(order.type);
  if (const auto interval = keys.real("TBIN"); interval && *interval > 0)
    info.sample_rate = 1 / *interval;
  const auto centre = keys.real("OBSFREQ"), width = keys.real("OBSBW");
  if (centre && width) set_band(info, 1e6 * *centre, 1e6 * *width);
  if (keys.has("STT_IMJD"))
    info.set_start(keys.needed("STT_IMJD"),
                   keys.real("STT_SMJD").value_or(0) + keys.real("STT_OFFS").value_or(0));
  info.telescope = keys.text("TELESCOP");
  info.source = keys.text("SRC_NAME");
  set_place(info, keys, "RA_STR", "DEC_STR");
  info.details = keys.details();
  return info;
}

}  // namespace tessera
