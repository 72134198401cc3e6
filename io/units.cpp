// SPDX-License-Identifier: Apache-2.0
#include "io/units.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

namespace tessera {
namespace {

using Unit = std::pair<std::string_view, double>;

constexpr Unit kLengths[] = {
    {"um", 1},
    {"micron", 1},
    {"microns", 1},
    {"micrometer", 1},
    {"micrometre", 1},
    {"micrometers", 1},
    {"micrometres", 1},
    {"nm", 1e-3},
    {"nanometer", 1e-3},
    {"nanometre", 1e-3},
    {"pm", 1e-6},
    {"mm", 1e3},
    {"millimeter", 1e3},
    {"millimetre", 1e3},
    {"cm", 1e4},
    {"centimeter", 1e4},
    {"centimetre", 1e4},
    {"m", 1e6},
    {"meter", 1e6},
    {"metre", 1e6},
    {"inch", 25400},
    {"inches", 25400},
    {"in", 25400},
    {"\xC3\x85", 1e-4},
    {"\xC5", 1e-4},
    {"angstrom", 1e-4},
    {"pixel", 0},
    {"pixels", 0},
    {"", 0},
};
constexpr Unit kTimes[] = {
    {"s", 1},       {"sec", 1},      {"second", 1},   {"seconds", 1}, {"ms", 1e-3},
    {"msec", 1e-3}, {"us", 1e-6},    {"usec", 1e-6},  {"ns", 1e-9},   {"min", 60},
    {"mins", 60},   {"minute", 60},  {"minutes", 60}, {"h", 3600},    {"hr", 3600},
    {"hour", 3600}, {"hours", 3600}, {"d", 86400},    {"day", 86400}, {"days", 86400},
};

// The micro sign and the Greek letter mu, which look the same, in the spellings that occur.
constexpr std::string_view kMicro[] = {"\xC2\xB5", "\xCE\xBC", "\\u00B5", "\\u00b5",
                                       "\\u03BC",  "\\u03bc",  "\xB5"};

std::string plain(std::string_view unit) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!unit.empty() && is_space(unit.front())) unit.remove_prefix(1);
  while (!unit.empty() && is_space(unit.back())) unit.remove_suffix(1);
  for (const std::string_view micro : kMicro)
    if (unit.starts_with(micro)) return "u" + std::string(unit.substr(micro.size()));
  return std::string(unit);
}

template <std::size_t N>
std::optional<double> found_in(const Unit (&units)[N], std::string_view unit) {
  const std::string name = plain(unit);
  const auto* found = std::ranges::find(units, name, &Unit::first);
  return found == std::end(units) ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::optional<double> micrometres_of(std::string_view unit) { return found_in(kLengths, unit); }

std::optional<double> seconds_of(std::string_view unit) { return found_in(kTimes, unit); }

}  // namespace tessera
