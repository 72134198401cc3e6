// SPDX-License-Identifier: Apache-2.0
#include "io/voltages/dada_header.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "io/header_card.hpp"
#include "io/voltages/voltage_reader.hpp"

namespace tessera {
namespace {

constexpr long long kUsualBytes = 4096, kMostBytes = 1 << 24;

void add_lines(VoltageKeys& keys, std::string_view text) {
  constexpr const char* kSpaces = " \t\r";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, std::min(end, text.find('#')));
    text.remove_prefix(std::min(end + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(kSpaces), line.size()));
    const std::size_t key = std::min(line.find_first_of(kSpaces), line.size());
    std::string_view value = line.substr(key);
    value.remove_prefix(std::min(value.find_first_not_of(kSpaces), value.size()));
    value = value.substr(0, std::min(value.find_first_of(kSpaces), value.size()));
    if (key > 0) keys.add(std::string(line.substr(0, key)), std::string(value));
  }
}

// The text ends with the first zero; the rest is padding.
std::string header_text(VoltageInput& input, long long offset, long long bytes) {
  std::string text(static_cast<std::size_t>(bytes), '\0');
  const long long got = input.available(offset, bytes);
  input.read_all(offset, text.data(), got);
  text.resize(static_cast<std::size_t>(got));
  return text.substr(0, text.find('\0'));
}

SampleType type_of(const std::string& name, const VoltageKeys& keys) {
  switch (const long long bits = keys.needed("NBIT")) {
    case 8:
      return SampleType::ci8;
    case 16:
      return SampleType::ci16;
    case 32:
    case -32:
      return SampleType::cf32;
    default:
      throw voltage_error(name, "NBIT is {}; 8 and 16 (integers) and 32 (floats) can be read",
                          bits);
  }
}

// MeerKAT's beams come in heaps of 256 samples, [heap][pol][channel][256].
constexpr long long kMeerKatHeap = 256;

void set_axes(const std::string& name, const VoltageKeys& keys, VoltageOrder& order,
              std::string& doubt) {
  const XEngineShape& shape = order.shape;
  const std::string said = keys.text("ORDER");
  if (keys.text("INSTRUMENT") == "MKBF" && said.empty()) {
    order.axes = "TPFT";
  } else if (said.empty()) {
    // DSPSR's.
    order.axes = "TFAP";
    if ((shape.channels > 1) + (shape.polarisations > 1) + (shape.antennas > 1) > 1)
      doubt = name +
              ": its header has no ORDER; TFAP is assumed (time, channels, antennas, "
              "polarisations, the last varying fastest)";
  } else {
    order.axes = said;
    std::ranges::replace(order.axes, 'S', 'A');  // stations
  }
  if (std::ranges::count(order.axes, 'T') > 1) {
    const long long heap = keys.integer("RESOLUTION", 0) / order.bytes_a_sample();
    order.heap = heap > 1 && heap <= (1 << 20) ? heap : kMeerKatHeap;
  }
  if (const std::string wrong = why_not_axes(order); !wrong.empty())
    throw voltage_error(name, "ORDER {}", wrong);
}

bool scan_time(const std::string& text, VoltageInfo& info) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0;
  double second = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2d%*[-T]%2d:%2d:%lf", &year, &month, &day, &hour, &minute,
                  &second) != 6 ||
      month < 1 || month > 12 || day < 1 || day > 31 || !(second >= 0 && second < 100))
    return false;
  info.set_start(mjd_of_date(year, month, day), 3600.0 * hour + 60.0 * minute + second);
  return true;
}

// The fraction of MJD_START is read separately: one double would hold the whole only to 0.6
// microseconds.
void set_start(const VoltageKeys& keys, VoltageInfo& info) {
  const std::string mjd = keys.text("MJD_START");
  const std::size_t point = std::min(mjd.find('.'), mjd.size());
  const auto day = fits_real(mjd.substr(0, point));
  const auto fraction = point < mjd.size() ? fits_real("0" + mjd.substr(point)) : 0.0;
  if (day && fraction && *day >= 0 && *day < 1e7 && point > 0)
    info.set_start(static_cast<long long>(*day), 86400 * *fraction);
  else if (scan_time(keys.text("UTC_START"), info))
    info.set_start(info.start_day,
                   info.start_second + 1e-12 * keys.real("PICOSECONDS").value_or(0));
}

}  // namespace

std::optional<DadaHeader> read_dada_header(VoltageInput& input, long long offset) {
  DadaHeader header{VoltageKeys(input.name())};
  std::string text = header_text(input, offset, kUsualBytes);
  if (text.empty() && input.available(offset, 1) == 0) return std::nullopt;
  if (!begins_like_dada(text))
    throw voltage_error(input.name(),
                        "there is no PSRDADA header (with HDR_SIZE and NBIT) at byte {}", offset);
  VoltageKeys keys(input.name());
  add_lines(keys, text);
  header.bytes = keys.integer("HDR_SIZE", kUsualBytes);
  if (header.bytes < 512 || header.bytes > kMostBytes)
    throw voltage_error(input.name(), "HDR_SIZE is {}; it can be 512 to {}", header.bytes,
                        kMostBytes);
  if (header.bytes != kUsualBytes) text = header_text(input, offset, header.bytes);
  if (input.available(offset, header.bytes) < header.bytes)
    throw voltage_error(input.name(), "the file ends inside the header at byte {}; HDR_SIZE is {}",
                        offset, header.bytes);
  add_lines(header.keys, text);
  return header;
}

VoltageOrder dada_order(const std::string& name, const VoltageKeys& keys, std::string& doubt) {
  const long long dimensions = keys.integer("NDIM", 1);
  if (dimensions != 1 && dimensions != 2)
    throw voltage_error(name, "NDIM is {}; 1 (real) and 2 (complex) can be read", dimensions);
  VoltageOrder order;
  order.real = dimensions == 1;
  order.type = type_of(name, keys);
  order.offset_binary = keys.text("ENCODING") == "OFFSETBINARY";
  if (order.offset_binary && !is_integer(order.type))
    throw voltage_error(name,
                        "ENCODING is OFFSETBINARY, which is not possible for floats (NBIT 32)");
  if (keys.text("ENDIAN") == "BIG" && order.type != SampleType::ci8)
    throw voltage_error(
        name, "ENDIAN is BIG; samples of more than 8 bits can only be read if it is LITTLE");
  order.shape = checked_shape(name, {keys.integer("NANT", keys.integer("NANTS", 1)),
                                     keys.integer("NPOL", 1), keys.integer("NCHAN", 1)});
  set_axes(name, keys, order, doubt);
  return order;
}

VoltageInfo dada_info(const std::string& name, const VoltageKeys& keys, const VoltageOrder& order) {
  VoltageInfo info;
  info.format = "PSRDADA";
  info.shape = order.shape;
  info.samples = order.type;
  info.real = order.real;
  info.offset_binary = order.offset_binary && !order.real;
  if (const auto interval = keys.real("TSAMP")) {
    if (!(*interval > 0))
      throw voltage_error(name, "TSAMP is {} microseconds; it must be positive", *interval);
    info.sample_rate = 1e6 / *interval;
  }
  const auto centre = keys.real("FREQ"), width = keys.real("BW");
  if (centre && width) set_band(info, 1e6 * *centre, 1e6 * *width);
  set_start(keys, info);
  info.telescope = keys.text("TELESCOPE");
  info.source = keys.text("SOURCE");
  set_place(info, keys, "RA", "DEC");
  info.details = keys.details();
  return info;
}

bool begins_like_dada(std::string_view bytes) {
  bytes = bytes.substr(0, bytes.find('\0'));
  const auto has_line = [&](std::string_view key) {
    for (std::size_t at = bytes.find(key); at != bytes.npos; at = bytes.find(key, at + 1))
      if (at == 0 || bytes[at - 1] == '\n') return true;
    return false;
  };
  return has_line("NBIT") && (has_line("HDR_SIZE") || has_line("HDR_VERSION"));
}

}  // namespace tessera
