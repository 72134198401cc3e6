// SPDX-License-Identifier: Apache-2.0
/// Figures of the papers, to be printed next to today's. Figures only drawn in a chart are lost and
/// have no row. A statement without a figure has its words as its value, in quotes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

struct PublishedFigure {
  std::string source;                       ///< "001 §5"
  std::string device, rung;                 ///< "-": not of one
  int filter_width = 0, filter_height = 0;  ///< 0: not of one size
  std::string quantity;                     ///< "gflops"
  double value = 0;                         ///< not a number: words
  std::string text;                         ///< the value as it is printed there
};

/// Reads the lines of a published.tsv. Throws Error(failure) naming the line that is wrong.
std::vector<PublishedFigure> parse_published(std::string_view name, std::string_view text);

/// Those of the study of an operation, from ops/<operation>/study/published.tsv.
const std::vector<PublishedFigure>& published_figures(const std::string& operation);

/// As tables show it, with its device if the paper names one: "465.74 ms Fermi table 2".
std::string shown_figure(const PublishedFigure& figure);

/// All figures of these quantities published for a rung and a filter: "135.9 GTX680 §5, 133.2
/// GTX680 §9"; "" if there are none.
std::string published_text(const std::vector<PublishedFigure>& figures, const std::string& rung,
                           int filter_width, int filter_height,
                           const std::vector<std::string>& quantities);
/// Those of GFLOP/s.
std::string published_gflops(const std::vector<PublishedFigure>& figures, const std::string& rung,
                             int filter_width, int filter_height);

/// A single figure, if there is one.
std::optional<double> published_value(const std::vector<PublishedFigure>& figures,
                                      const std::string& rung, int filter_width, int filter_height,
                                      const std::string& quantity);

}  // namespace tessera
