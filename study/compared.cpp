// SPDX-License-Identifier: Apache-2.0
#include "study/compared.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "study/study_result.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

std::string case_of_figure(const PublishedFigure& figure) {
  return fmt::format("{}x{}", figure.filter_width, figure.filter_height);
}

const StudyRow* row_of_case(const StudyResult& result, const PublishedFigure& figure,
                            const std::string& rung) {
  for (const StudyRow& row : result.rows)
    if (row.rung == rung && row.ms &&
        (figure.filter_width == 0 || row.case_name == case_of_figure(figure)))
      return &row;
  return nullptr;
}

bool shows(const StudyRow& row, const PublishedFigure& figure) {
  return row.ms && row.rung == figure.rung &&
         row.published.find(shown_figure(figure)) != std::string::npos;
}

/// A rung of the study that this run left out.
bool is_left_out(const StudyResult& result, const ComparedPaper& paper,
                 const PublishedFigure& figure) {
  return std::ranges::find(paper.rungs, figure.rung) != paper.rungs.end() &&
         std::ranges::find(result.rows, figure.rung, &StudyRow::rung) == result.rows.end();
}

const PublishedQuantity& quantity_of(const ComparedPaper& paper, const std::string& name) {
  const auto found = std::ranges::find(paper.quantities, name, &PublishedQuantity::name);
  if (found == paper.quantities.end())
    throw Error(ErrorKind::failure, fmt::format("ops/{}/study/published.tsv: the study has no "
                                                "words for the quantity {}",
                                                paper.operation, name));
  return *found;
}

/// "8 at 17x43: GFLOP/s", or the words alone.
std::string what_of(const PublishedFigure& figure, const std::string& words) {
  const std::string size = figure.filter_width > 0
                               ? (figure.rung == "-" ? "" : " ") + ("at " + case_of_figure(figure))
                               : "";
  const std::string first = (figure.rung == "-" ? "" : figure.rung) + size;
  return first.empty() ? words : first + ": " + words;
}

}  // namespace

std::string compared_table(const std::string& title, int width,
                           const std::vector<ComparedFigure>& figures) {
  std::string text;
  for (const ComparedFigure& figure : figures)
    if (figure.here || figure.published != kUnknown)
      text += fmt::format("  {:<{}} {:>10}  {}\n", figure.what, width,
                          shown(figure.here, figure.digits), figure.published);
  if (text.empty()) return "";
  return fmt::format("\n{}\n  {:<{}} {:>10}  {}\n", title, "", width, "here", "published") + text;
}

const StudyRow* row_of_figure(const StudyResult& result, const PublishedFigure& figure) {
  return row_of_case(result, figure, figure.rung);
}

PublishedQuantity row_quantity(const std::string& name, const std::string& words, int digits,
                               std::optional<double> StudyRow::*field, double factor) {
  return {name, words, digits,
          [=](const StudyResult& result, const PublishedFigure& figure) -> std::optional<double> {
            const StudyRow* const row = row_of_figure(result, figure);
            return row && row->*field ? std::optional(factor * *(row->*field)) : std::nullopt;
          }};
}

PublishedQuantity speed_quantity(const std::string& name, const std::string& words,
                                 const std::function<std::string(const PublishedFigure&)>& base) {
  return {name, words, 2,
          [=](const StudyResult& result, const PublishedFigure& figure) -> std::optional<double> {
            const StudyRow* const row = row_of_figure(result, figure);
            const StudyRow* const slow = row_of_case(result, figure, base(figure));
            return row && slow ? std::optional(*slow->ms / *row->ms) : std::nullopt;
          }};
}

std::vector<ComparedFigure> compared_figures(const StudyResult& result,
                                             const ComparedPaper& paper) {
  std::vector<ComparedFigure> lines;
  for (const PublishedFigure& figure : published_figures(paper.operation)) {
    const PublishedQuantity& quantity = quantity_of(paper, figure.quantity);
    if (is_left_out(result, paper, figure) || (paper.left_out && paper.left_out(figure)) ||
        std::ranges::any_of(result.rows, [&](const StudyRow& row) { return shows(row, figure); }))
      continue;
    lines.push_back(
        {what_of(figure, quantity.words),
         quantity.here && paper.paper_case ? quantity.here(result, figure) : std::nullopt,
         shown_figure(figure), quantity.digits});
  }
  return lines;
}

}  // namespace tessera
