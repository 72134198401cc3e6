// SPDX-License-Identifier: Apache-2.0
/// What a paper or talk claims next to the same figure here: every row of published.tsv that no
/// table of rungs shows.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "study/published.hpp"
#include "study/shown.hpp"
#include "tessera/options.hpp"

namespace tessera {

struct StudyResult;
struct StudyRow;

struct ComparedFigure {
  std::string what;
  std::optional<double> here;  ///< none: not measured, or of another size
  std::string published = kUnknown;
  int digits = 2;

  static constexpr auto fields() {
    using C = ComparedFigure;
    return std::tuple{field("what", &C::what, "the figure in words"),
                      field("here", &C::here, "the same figure here"),
                      field("published", &C::published, "its value, device and section")};
  }
};

/// The figures of which one side is known; "" if there are none.
std::string compared_table(const std::string& title, int width,
                           const std::vector<ComparedFigure>& figures);

/// How a quantity of a published.tsv is called, and the same figure here. Without `here` it is not
/// measured yet, or cannot be.
struct PublishedQuantity {
  std::string name, words;
  int digits = 2;
  std::function<std::optional<double>(const StudyResult&, const PublishedFigure&)> here = {};
};

/// The row that a figure is about, if its rung ran on its case.
const StudyRow* row_of_figure(const StudyResult& result, const PublishedFigure& figure);

/// A quantity that is a field of a row, in another unit.
PublishedQuantity row_quantity(const std::string& name, const std::string& words, int digits,
                               std::optional<double> StudyRow::*field, double factor = 1);
/// How many times as fast a rung is as the one that `base` names for it; "" for none.
PublishedQuantity speed_quantity(const std::string& name, const std::string& words,
                                 const std::function<std::string(const PublishedFigure&)>& base);

/// Which figures of a paper a run compares.
struct ComparedPaper {
  std::string operation;
  std::vector<PublishedQuantity> quantities;
  std::vector<std::string> rungs;  ///< those that exist here; one that was left out has no line
  bool paper_case = true;          ///< false: another size, so nothing here is like the paper's
  std::function<bool(const PublishedFigure&)> left_out = {};  ///< shown in a table of its own
};

/// One line for every figure that no row of the result shows. Throws Error(failure) for a quantity
/// that is not in the list: a row of the file that would be shown nowhere.
std::vector<ComparedFigure> compared_figures(const StudyResult& result, const ComparedPaper& paper);

}  // namespace tessera
