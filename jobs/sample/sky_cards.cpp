// SPDX-License-Identifier: Apache-2.0
#include "jobs/sample/sky_cards.hpp"

namespace tessera {
namespace {

/// The size of a pixel of a synthetic sky, in degrees.
constexpr double kPixel = 1.0 / 3600;

}  // namespace

HeaderCards sky_cards(const Size& size, const SkyShape& beam) {
  HeaderCards cards;
  cards.set_text("BUNIT", "Jy/beam");
  cards.set_number("BMAJ", beam.major * kPixel, "degrees");
  cards.set_number("BMIN", beam.minor * kPixel, "degrees");
  cards.set_number("BPA", beam.angle);
  set_axis(cards, 1, "RA---SIN", 180, size.width / 2 + 1, -kPixel, "deg");
  set_axis(cards, 2, "DEC--SIN", -30, size.height / 2 + 1, kPixel, "deg");
  return cards;
}

void set_axis(HeaderCards& cards, int number, const std::string& type, double value, int pixel,
              double step, const std::string& unit) {
  const std::string n = std::to_string(number);
  cards.set_text("CTYPE" + n, type);
  cards.set_number("CRVAL" + n, value);
  cards.set_number("CRPIX" + n, pixel);
  cards.set_number("CDELT" + n, step);
  cards.set_text("CUNIT" + n, unit);
}

}  // namespace tessera
