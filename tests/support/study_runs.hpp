// SPDX-License-Identifier: Apache-2.0
/// What every study must do, for tests of studies.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/machine.hpp"
#include "study/code_lines.hpp"
#include "study/published.hpp"
#include "study/studies.hpp"
#include "study/study_loops.hpp"
#include "study/study_table.hpp"
#include "tests/support/files.hpp"
#include "tests/support/text_has.hpp"

namespace tessera::testing {

using RunStudy = StudyResult (*)(const StudyOptions&, const StudyProgress&);

/// A study of one case refuses --sizes and --search, sides that it cannot have, and rungs that it
/// does not have with what was meant.
inline void expect_refused(RunStudy run, const std::vector<int>& sides, const char* rungs,
                           const char* meant) {
  expect_error([&] { run({.sizes = "3-7"}, {}); }, ErrorKind::usage, "--sizes");
  expect_error([&] { run({.search = 1}, {}); }, ErrorKind::usage, "--search");
  for (const int side : sides)
    expect_error([&] { run({.side = side}, {}); }, ErrorKind::usage, "--side");
  expect_error([&] { run({.rungs = rungs}, {}); }, ErrorKind::usage,
               std::string("did you mean ") + meant);
}

/// A study without a device: rungs of CUDA are refused if asked for, and absent otherwise. Every
/// other row has its time and, with it, the figure that the study is about.
inline StudyResult run_without_device(RunStudy run, StudyOptions options,
                                      std::optional<double> StudyRow::*figure) {
  options.backend = Backend::cuda;
  expect_error([&] { run(options, {}); }, ErrorKind::resources,
               "its rungs need a GPU, and there is none");
  options.backend = Backend::automatic;
  long long told = 0, all = 0;
  const StudyResult result = run(options, [&](long long done, long long total) {
    told += done >= 0;
    all = total;
  });
  EXPECT_EQ(told, std::ssize(result.rows));
  EXPECT_EQ(all, std::ssize(result.rows));
  for (const StudyRow& row : result.rows) {
    EXPECT_TRUE(row.ms || !row.absent.empty()) << row.rung;
    EXPECT_EQ((row.*figure).value_or(0) > 0, row.ms.has_value()) << row.rung;
  }
  EXPECT_TRUE(has(result.describe(), "CUDA rungs are absent: no GPU")) << result.describe();
  return result;
}

/// Rungs of both lists have more than `least` and fewer than `most` lines of code.
template <class Rung>
void expect_code_lines(const std::vector<Rung>& cuda, const std::vector<Rung>& cpu, int least,
                       int most, const std::function<bool(const std::string&)>& left_out = {}) {
  for (const auto* rungs : {&cuda, &cpu})
    for (const Rung& rung : *rungs) {
      if (left_out && left_out(rung.id)) continue;
      EXPECT_GT(code_lines_of(rung.files), least) << rung.id;
      EXPECT_LT(code_lines_of(rung.files), most) << rung.id;
    }
}

/// A rung that does nothing is found, whichever it is.
template <class Rung, class Case>
void expect_lazy_found(const std::vector<Rung>& rungs, const Case& problem, Stream& stream) {
  for (const Rung& rung : rungs) {
    PreparedRung lazy = prepare_rung(rung, problem, stream);
    if (!lazy.absent.empty()) continue;
    lazy.run = [](Stream&) {};
    EXPECT_THROW(test_rung(rung, lazy, problem, stream), Error) << rung.id << " does nothing";
  }
}

/// The ratio that is called so; none if it is unknown.
inline std::optional<double> ratio_named(const std::vector<ComparedFigure>& lines,
                                         const std::string& what) {
  const auto found = std::ranges::find(lines, what, &ComparedFigure::what);
  if (found == lines.end()) throw Error(ErrorKind::failure, "no ratio " + what);
  return found->here;
}

/// Every ratio, in its order.
inline void expect_ratios(const std::vector<ComparedFigure>& lines,
                          const std::vector<std::pair<const char*, double>>& right) {
  EXPECT_EQ(lines.size(), right.size());
  for (const auto& [what, value] : right) EXPECT_EQ(ratio_named(lines, what), value) << what;
}

/// A row for every rung, as if all had run.
template <class Rung>
StudyResult result_of_all(const std::string& study, const std::string& case_name,
                          const std::vector<const std::vector<Rung>*>& lists) {
  StudyResult result{.study = study, .device = "some GPU", .cpu = "some CPU"};
  double ms = 1;
  for (const auto* rungs : lists)
    for (const Rung& rung : *rungs) {
      StudyRow row{.case_name = case_name, .rung = rung.id, .title = rung.title};
      row.ms = ms += 0.5;
      row.gflops = 100 / ms;
      result.rows.push_back(row);
    }
  return result;
}

/// How often a figure is shown: on lines that begin with its rung, or anywhere.
inline int lines_that_show(const std::string& text, const PublishedFigure& figure, bool with_rung) {
  int lines = 0;
  for (const std::string& line : split_text(text, '\n')) {
    const bool of_rung = !with_rung || figure.rung == "-" ||
                         line.starts_with("  " + figure.rung + " ") ||
                         line.starts_with("  " + figure.rung + ":");
    lines += of_rung && has(line, " " + shown_figure(figure));
  }
  return lines;
}

/// Every row of a published.tsv is shown in the text, next to its rung if rungs are named there;
/// as often as there are rows that read the same. `in_table(figure)` is the line of a figure that a
/// table of its own shows, "" for others.
inline void expect_all_shown(
    const std::string& operation, const std::string& text, bool with_rung = true,
    const std::function<std::string(const PublishedFigure&)>& in_table = {}) {
  const std::vector<PublishedFigure>& figures = published_figures(operation);
  EXPECT_FALSE(figures.empty());
  for (const PublishedFigure& figure : figures) {
    if (const std::string line = in_table ? in_table(figure) : ""; !line.empty()) {
      EXPECT_TRUE(has(text, line)) << figure.source << " " << figure.rung << ": " << line << text;
      continue;
    }
    const auto same = std::ranges::count_if(figures, [&](const PublishedFigure& other) {
      return (!with_rung || other.rung == figure.rung) &&
             shown_figure(other) == shown_figure(figure) && !(in_table && !in_table(other).empty());
    });
    EXPECT_GE(lines_that_show(text, figure, with_rung), same)
        << "nobody shows " << figure.rung << " " << figure.quantity << ": " << shown_figure(figure)
        << text;
  }
}

}  // namespace tessera::testing
