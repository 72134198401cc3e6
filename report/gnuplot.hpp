// SPDX-License-Identifier: Apache-2.0
/// The common beginning of all scripts for gnuplot.
#pragma once

#include <string>

#include "report/plots.hpp"

namespace tessera {

/// viridis at nine points: brighter for larger values, also for the colour-blind and in grey.
inline constexpr const char* kPalette =
    "set palette defined (0 '#440154', 1 '#472c7a', 2 '#3b518b', 3 '#2c718e', 4 '#21908d', "
    "5 '#27ad81', 6 '#5cc863', 7 '#aadc32', 8 '#fde725')\n";

/// User text inside gnuplot's single quotes: nothing in it is a command, a format, or the end of a
/// text in an SVG.
std::string gnuplot_quoted(const std::string& text);

/// Six digits, or the word that `set datafile missing` names.
std::string gnuplot_number(double value);

/// "set terminal …" for a picture of that many pixels (of an SVG; a PNG has a quarter more).
std::string gnuplot_terminal(PictureFormat format, int width, int height);

}  // namespace tessera
