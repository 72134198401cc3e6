// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_stokes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr std::string_view kStokesLetters = "IQUV";  // 1 to 4

/// The parameter at place k of an axis; '?': none of IQUV.
char stokes_letter(const HeaderCards& header, int axis, int k) {
  const auto card = [&](const char* stem, double otherwise) {
    return header.number(fmt::format("{}{}", stem, axis)).value_or(otherwise);
  };
  const double step = card("CDELT", card(fmt::format("CD{}_", axis).c_str(), 1));
  const double value = card("CRVAL", 1) + (k + 1 - card("CRPIX", 1)) * step;
  if (!(std::abs(value) < 100)) return '?';
  const auto place = static_cast<std::size_t>(std::lround(value) - 1);
  return place < kStokesLetters.size() ? kStokesLetters[place] : '?';
}

}  // namespace

int stokes_axis_of(const HeaderCards& header) {
  for (int axis = 9; axis >= 1; --axis)
    if (header.text(fmt::format("CTYPE{}", axis)).starts_with("STOKES")) return axis;
  return 0;
}

char first_stokes(const HeaderCards& header) {
  const int axis = stokes_axis_of(header);
  const std::string card = header.text("STOKES");
  const char letter =
      axis > 0 ? stokes_letter(header, axis, 0) : (card.size() == 1 ? card.front() : '?');
  return kStokesLetters.find(letter) == std::string_view::npos ? '\0' : letter;
}

int stokes_index(const std::string& path, const HeaderCards& header, int axis, int length,
                 char parameter) {
  std::string there;
  for (int k = 0; k < length; ++k) {
    const char letter = stokes_letter(header, axis, k);
    if (letter == parameter) return k;
    there += letter;
  }
  throw Error(
      ErrorKind::input,
      fmt::format("faraday: {}: its axis STOKES has {}, and {} is needed; give another file", path,
                  there, parameter));
}

}  // namespace tessera
