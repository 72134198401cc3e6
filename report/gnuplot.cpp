// SPDX-License-Identifier: Apache-2.0
#include "report/gnuplot.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tessera {

std::string gnuplot_quoted(const std::string& text) {
  std::string out = "'";
  for (const char letter : text)
    out += letter == '\'' ? "''" : letter == '\n' ? " " : std::string(1, letter);
  return out + "'";
}

std::string gnuplot_number(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : "NaN";
}

std::string gnuplot_terminal(PictureFormat format, int width, int height) {
  if (format == PictureFormat::svg)
    return fmt::format("set terminal svg size {},{} noenhanced background '#ffffff'", width,
                       height);
  return fmt::format("set terminal pngcairo size {},{} noenhanced", width * 5 / 4, height * 5 / 4);
}

}  // namespace tessera
