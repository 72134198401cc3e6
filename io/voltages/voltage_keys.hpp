// SPDX-License-Identifier: Apache-2.0
/// Keys and values of a recording's header: the cards of GUPPI RAW, the lines of PSRDADA.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/voltages/voltage_file.hpp"

namespace tessera {

class VoltageKeys {
 public:
  /// `name` is the name of the file, for messages.
  explicit VoltageKeys(std::string name) : name_(std::move(name)) {}

  void add(std::string key, std::string value);
  bool has(std::string_view key) const { return find(key) != nullptr; }
  std::string text(std::string_view key) const;  ///< "" if there is none
  /// Throws Error(input) if it is not a number, or not a whole one.
  std::optional<double> real(std::string_view key) const;
  std::optional<long long> integer(std::string_view key) const;
  long long integer(std::string_view key, long long otherwise) const;
  /// Throws Error(input) if it is missing.
  long long needed(std::string_view key) const;
  /// Degrees of "18:10:37.28" (times 15 if `hours`) or of a plain number; nothing for other texts.
  std::optional<double> degrees(std::string_view key, bool hours) const;
  /// T, TRUE, YES or 1, and their opposites. Throws Error(input) for other texts.
  std::optional<bool> flag(std::string_view key) const;
  std::vector<FileDetail> details() const;

  /// Throws Error(input) that names the key and both values if one of `keys` has changed.
  void check_same(const VoltageKeys& first, const std::vector<std::string_view>& keys) const;

 private:
  const std::string* find(std::string_view key) const;

  std::string name_;
  std::vector<std::pair<std::string, std::string>> list_;
};

/// The place that was observed, from two keys of hours and degrees, with RADESYS (ICRS and FK5 are
/// J2000, GAPPT is of date; a place in other frames is not used) and TRACKED.
void set_place(VoltageInfo& info, const VoltageKeys& keys, std::string_view right_ascension,
               std::string_view declination);

/// Middles of the channels of a band around `centre`; with a negative width they descend, or a
/// single one is a lower sideband.
void set_band(VoltageInfo& info, double centre_hz, double width_hz);

/// MJD of a calendar date.
long long mjd_of_date(int year, int month, int day);

}  // namespace tessera
