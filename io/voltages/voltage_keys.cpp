// SPDX-License-Identifier: Apache-2.0
#include "io/voltages/voltage_keys.hpp"

#include <charconv>
#include <chrono>
#include <cmath>

#include "io/header_card.hpp"
#include "io/voltages/voltage_reader.hpp"

namespace tessera {

void VoltageKeys::add(std::string key, std::string value) {
  list_.emplace_back(std::move(key), std::move(value));
}

const std::string* VoltageKeys::find(std::string_view key) const {
  for (const auto& [name, value] : list_)
    if (name == key) return &value;
  return nullptr;
}

std::string VoltageKeys::text(std::string_view key) const {
  const std::string* const value = find(key);
  return value ? *value : "";
}

std::optional<double> VoltageKeys::real(std::string_view key) const {
  const std::string* const value = find(key);
  if (!value || value->empty()) return std::nullopt;
  const auto number = fits_real(*value);
  if (!number) throw voltage_error(name_, "{} is '{}'; it must be a number", key, *value);
  return number;
}

std::optional<long long> VoltageKeys::integer(std::string_view key) const {
  const auto number = real(key);
  if (!number) return std::nullopt;
  constexpr double kMost = 9e15;  // whole numbers of a double are exact up to here
  if (*number != std::floor(*number) || std::abs(*number) > kMost)
    throw voltage_error(name_, "{} is {}; it must be a whole number", key, text(key));
  return static_cast<long long>(*number);
}

long long VoltageKeys::integer(std::string_view key, long long otherwise) const {
  return integer(key).value_or(otherwise);
}

long long VoltageKeys::needed(std::string_view key) const {
  const auto number = integer(key);
  if (!number) throw voltage_error(name_, "its header has no {}", key);
  return *number;
}

std::optional<double> VoltageKeys::degrees(std::string_view key, bool hours) const {
  std::string_view rest;
  const std::string value = text(key);
  rest = value;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  double sum = 0, unit = 1;
  for (int part = 0; part < 3 && !rest.empty(); ++part, unit /= 60) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const auto number = fits_real(rest.substr(0, end));
    if (!number || *number < 0) return std::nullopt;
    sum += *number * unit;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (value.empty() || !rest.empty()) return std::nullopt;
  const bool sexagesimal = value.find(':') != std::string::npos;
  return (negative ? -sum : sum) * (hours && sexagesimal ? 15 : 1);
}

std::optional<bool> VoltageKeys::flag(std::string_view key) const {
  const std::string* const value = find(key);
  if (!value || value->empty()) return std::nullopt;
  for (const char* yes : {"T", "TRUE", "YES", "1"})
    if (*value == yes) return true;
  for (const char* no : {"F", "FALSE", "NO", "0"})
    if (*value == no) return false;
  throw voltage_error(name_, "{} is '{}'; it must be T or F", key, *value);
}

std::vector<FileDetail> VoltageKeys::details() const {
  std::vector<FileDetail> list;
  for (const auto& [name, value] : list_) list.push_back({name, value});
  return list;
}

void VoltageKeys::check_same(const VoltageKeys& first,
                             const std::vector<std::string_view>& keys) const {
  for (const std::string_view key : keys)
    if (text(key) != first.text(key))
      throw voltage_error(name_, "{} changes from {} to {} between blocks; it must stay the same",
                          key, first.text(key), text(key));
}

void set_place(VoltageInfo& info, const VoltageKeys& keys, std::string_view right_ascension,
               std::string_view declination) {
  info.tracked = keys.flag("TRACKED");
  const std::string frame = keys.text("RADESYS");
  const bool of_date = frame == "GAPPT";
  if (!frame.empty() && frame != "ICRS" && frame != "FK5" && !of_date) return;
  info.frame = of_date ? RecordedFrame::date : RecordedFrame::icrs;
  info.right_ascension = keys.degrees(right_ascension, true);
  info.declination = keys.degrees(declination, false);
}

void set_band(VoltageInfo& info, double centre_hz, double width_hz) {
  const int channels = info.shape.channels;
  info.frequency.clear();
  for (int c = 0; c < channels; ++c)
    info.frequency.push_back(centre_hz + width_hz * ((c + 0.5) / channels - 0.5));
  info.lower_sideband = width_hz < 0;
  if (width_hz != 0) info.channel_width = std::abs(width_hz) / channels;
}

long long mjd_of_date(int year, int month, int day) {
  using namespace std::chrono;
  const sys_days date = std::chrono::year(year) / std::chrono::month(static_cast<unsigned>(month)) /
                        std::chrono::day(static_cast<unsigned>(day));
  constexpr long long kMjdOf1970 = 40587;
  return date.time_since_epoch().count() + kMjdOf1970;
}

}  // namespace tessera
