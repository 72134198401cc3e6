// SPDX-License-Identifier: Apache-2.0
/// The paper's pictures, as scripts for gnuplot with the numbers inside: a reader of the script has
/// the figures, with or without gnuplot. jobs/picture.hpp runs it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

enum class PictureFormat { svg, png };

/// A figure for a filter of that width and height. One that was not measured but interpolated is
/// hatched, and says so in the numbers.
struct FilterFigure {
  int width = 0, height = 0;
  double value = 0;
  bool measured = true;
};

/// A fraction of all, for a bar: "16x32", 0.497.
struct NamedShare {
  std::string name;
  double share = 0;
};

struct Plot {
  std::string script;   ///< everything gnuplot needs; it writes the picture to standard output
  std::string numbers;  ///< the same figures as tab-separated lines under a line of names
};

/// Heat map of GFLOP/s over filter width and height.
Plot plot_speed(const std::string& title, const std::vector<FilterFigure>& gflops, PictureFormat);

/// Heat map of whole numbers: the tile factors that were chosen, written in their fields.
Plot plot_tiles(const std::string& title, const std::vector<FilterFigure>& tiles, PictureFormat);

/// Heat map of the speed relative to FFT, with the contour where both are equal.
Plot plot_over_fft(const std::string& title, const std::vector<FilterFigure>& times, PictureFormat);

/// Bars, largest first.
Plot plot_shares(const std::string& title, const std::string& what,
                 const std::vector<NamedShare>& shares, PictureFormat);

/// A program of a study: its figure here and the paper's, of which one may be missing.
struct StudyBar {
  std::string name;
  std::optional<double> here, published;
  std::string device;  ///< of the published figure; "" if the paper names none
};

/// Figures over a quantity; all are published or none.
struct StudyLine {
  std::string name;
  std::vector<std::pair<double, double>> points;
  bool published = false;
};

/// Bars from top to bottom, or lines, on logarithmic axes.
struct StudyPanel {
  std::string title, unit;
  std::vector<StudyBar> bars;
  std::vector<StudyLine> lines;
  std::string over;                  ///< lines: the quantity of the horizontal axis
  std::vector<std::string> x_names;  ///< lines: names of 0, 1, 2 …; none: the axis has numbers
};

/// Panels below each other; published figures have a second colour.
Plot plot_study(const std::string& title, const std::vector<StudyPanel>& panels, PictureFormat);

}  // namespace tessera
