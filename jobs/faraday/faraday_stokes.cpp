// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_stokes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tessera/error.hpp"

namespace tessera {

int stokes_axis_of(const HeaderCards& header) {
  for (int axis = 9; axis >= 1; --axis)
    if (header.text(fmt::format("CTYPE{}", axis)).starts_with("STOKES")) return axis;
  return 0;
}

int stokes_index(const std::string& path, const HeaderCards& header, int axis, int length,
                 char parameter) {
  constexpr std::string_view kLetters = "IQUV";  // 1 to 4
  const auto card = [&](const char* stem, double otherwise) {
    return header.number(fmt::format("{}{}", stem, axis)).value_or(otherwise);
  };
  const double step = card("CDELT", card(fmt::format("CD{}_", axis).c_str(), 1));
  std::string there;
  for (int k = 0; k < length; ++k) {
    const double value = card("CRVAL", 1) + (k + 1 - card("CRPIX", 1)) * step;
    const auto place = static_cast<std::size_t>(std::lround(value) - 1);
    const char letter = place < kLetters.size() ? kLetters[place] : '?';
    if (letter == parameter) return k;
    there += letter;
  }
  throw Error(
      ErrorKind::input,
      fmt::format("faraday: {}: its axis STOKES has {}, and {} is needed; give another file", path,
                  there, parameter));
}

}  // namespace tessera
