// SPDX-License-Identifier: Apache-2.0
#include "study/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "study/code_lines.hpp"
#include "study/studies.hpp"
#include "tessera/error.hpp"
#include "tessera/options.hpp"

namespace tessera {
namespace {

constexpr std::size_t kColumns = 7;

int filter_side(const std::string& what, const std::string& cell) {
  int side = 0;
  if (cell != "-") from_text(what, cell, side);
  return side;
}

PublishedFigure parse_line(const std::string& what, std::string_view line) {
  const std::vector<std::string> cells = split_text(line, '\t');
  if (cells.size() != kColumns)
    throw Error(ErrorKind::failure,
                fmt::format("{}: it has {} columns; there are {}", what, cells.size(), kColumns));
  PublishedFigure figure{cells[0], cells[1], cells[2], 0, 0, cells[5], 0, cells[6]};
  figure.filter_width = filter_side(what, cells[3]);
  figure.filter_height = filter_side(what, cells[4]);
  if (figure.text.starts_with('"'))
    figure.value = std::numeric_limits<double>::quiet_NaN();
  else
    from_text(what, figure.text, figure.value);
  return figure;
}

bool is_of(const PublishedFigure& figure, const std::string& rung, int width, int height) {
  return figure.rung == rung && figure.filter_width == width && figure.filter_height == height;
}

// "001 §5" is "§5" in a study of paper 001.
std::string section_of(const std::string& source) { return source.substr(source.find(' ') + 1); }

/// The unit of a quantity that stands in a column together with others.
std::string unit_of(const std::string& quantity) {
  if (quantity == "ms") return " ms";
  if (quantity == "seconds") return " s";
  if (quantity == "slower_than_c") return " times slower";
  return quantity.ends_with("_percent") || quantity.starts_with("share_") ? "%" : "";
}

}  // namespace

std::vector<PublishedFigure> parse_published(std::string_view name, std::string_view text) {
  std::vector<PublishedFigure> figures;
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    figures.push_back(parse_line(fmt::format("{} line {}", name, number), line));
  }
  return figures;
}

const std::vector<PublishedFigure>& published_figures(const std::string& operation) {
  static std::map<std::string, std::vector<PublishedFigure>> known;
  const std::string name = "ops/" + operation + "/study/published.tsv";
  const auto found = known.find(operation);
  if (found != known.end()) return found->second;
  return known[operation] = parse_published(name, study_text(name));
}

std::string shown_figure(const PublishedFigure& figure) {
  return figure.text + unit_of(figure.quantity) +
         (figure.device == "-" ? "" : " " + figure.device) + " " + section_of(figure.source);
}

std::string published_text(const std::vector<PublishedFigure>& figures, const std::string& rung,
                           int filter_width, int filter_height,
                           const std::vector<std::string>& quantities) {
  std::string text;
  for (const PublishedFigure& figure : figures)
    if (is_of(figure, rung, filter_width, filter_height) &&
        std::ranges::find(quantities, figure.quantity) != quantities.end())
      text += (text.empty() ? "" : ", ") + shown_figure(figure);
  return text;
}

std::string published_gflops(const std::vector<PublishedFigure>& figures, const std::string& rung,
                             int filter_width, int filter_height) {
  return published_text(figures, rung, filter_width, filter_height, {"gflops"});
}

std::optional<double> published_value(const std::vector<PublishedFigure>& figures,
                                      const std::string& rung, int filter_width, int filter_height,
                                      const std::string& quantity) {
  for (const PublishedFigure& figure : figures)
    if (is_of(figure, rung, filter_width, filter_height) && figure.quantity == quantity)
      return figure.value;
  return std::nullopt;
}

}  // namespace tessera
