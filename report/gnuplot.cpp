// SPDX-License-Identifier: Apache-2.0
#include "report/gnuplot.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tessera/printable.hpp"

namespace tessera {

// gnuplot writes texts into an SVG as <![CDATA[…]]>, whatever they hold: the end mark must not
// occur in them, nor bytes that XML does not allow.
std::string gnuplot_quoted(const std::string& text) {
  std::string shown = printable(text), out = "'";
  for (std::size_t at = 0; (at = shown.find("]]>", at)) != std::string::npos;)
    shown.replace(at, 3, "]] >");
  for (const char letter : shown) out += letter == '\'' ? "''" : std::string(1, letter);
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
