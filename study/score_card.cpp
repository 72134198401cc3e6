// SPDX-License-Identifier: Apache-2.0
#include "study/score_card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/machine.hpp"
#include "study/fastest_rungs.hpp"
#include "study/published.hpp"
#include "study/score_questions.hpp"
#include "study/shown.hpp"

namespace tessera {
namespace {

// The paper on correlation accepts 1.4 times as a match.
constexpr double kAlike = 1.5;
constexpr double kRealTime = 30;  // frames per second of films of cells
constexpr const char* kSteps[] = {"grey", "histogram", "contrast", "smooth"};

struct FastWay {
  std::optional<double> ms;
  std::string rung;
  std::optional<int> lines;
};

FastWay fastest_way(const StudyResult& result, const std::vector<std::string>& rungs,
                    const std::string& ending) {
  const StudyRow* const row = rungs.empty() ? nullptr : fastest_row(result, rungs, ending);
  if (!row) return {};
  return {row->ms, row->rung, row->lines};
}

/// The fastest of each step, added; of the rungs with these endings.
FastWay fastest_steps(const StudyResult& result, const std::vector<std::string>& endings) {
  FastWay all{0, endings.size() == 1 ? "four loops" : "four steps", 0};
  for (const char* step : kSteps) {
    const StudyRow* const row = fastest_where(result, [&](const std::string& rung) {
      return std::ranges::any_of(endings,
                                 [&](const std::string& end) { return rung == step + end; });
    });
    if (!row) return {};
    *all.ms += *row->ms;
    *all.lines += row->lines.value_or(0);
  }
  return all;
}

std::optional<double> times(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(*a / *b) : std::nullopt;
}

ScoreSide side_of(const StudyResult& result, const ScoreQuestion& asked, bool ours) {
  const ScoreRungs& rungs = ours ? asked.ours : asked.paper;
  const auto way = [&](const std::vector<std::string>& names) {
    if (asked.steps && !ours && !names.empty()) return fastest_steps(result, names);
    return fastest_way(result, names, asked.ending);
  };
  const FastWay cpu = way(rungs.cpu), gpu = way(rungs.gpu), copies = way(rungs.copies);
  return {.programs = ours ? "ours" : "paper",
          .cpu_ms = cpu.ms,
          .gpu_ms = gpu.ms,
          .copies_ms = copies.ms,
          .cpu_rung = cpu.rung,
          .gpu_rung = gpu.rung,
          .copies_rung = copies.rung,
          .cpu_lines = ours ? std::nullopt : cpu.lines,
          .gpu_lines = ours        ? std::nullopt
                       : gpu.lines ? gpu.lines
                                   : copies.lines,
          .ratio = times(cpu.ms, gpu.ms),
          .ratio_with_copies = times(cpu.ms, copies.ms)};
}

std::string published_conclusion(const ScoreQuestion& asked) {
  for (const PublishedFigure& figure : published_figures(asked.study))
    if (figure.rung == asked.rung && figure.quantity == asked.quantity) {
      const std::string text =
          asked.figure == ScoreFigure::transfers_share ? figure.text + "%" : figure.text;
      const std::string device = figure.device == "-" ? "" : ", " + figure.device;
      return text + device + (asked.words.empty() ? "" : ", " + asked.words);
    }
  return asked.words;
}

/// The paper's share of its copies and allocations; ours of what page-locked memory adds.
std::string transfers_text(const StudyResult& result, const ScoreRow& row) {
  std::string text;
  for (const ComparedFigure& figure : result.compared)
    if (figure.here && figure.what.starts_with("share of copies in kernels and copies"))
      text = fmt::format("{:.0f}% in copies, the paper's programs", *figure.here);
  const ScoreSide& ours = row.sides.back();
  if (const auto kept = times(ours.gpu_ms, ours.copies_ms))
    text += fmt::format("{}{:.0f}%, ours, page-locked", text.empty() ? "" : "; ",
                        100 * std::max(0.0, 1 - *kept));
  return text;
}

std::string frames_text(const ScoreRow& row) {
  std::string text;
  for (const ScoreSide& side : row.sides)
    for (const auto& [ms, where] : {std::pair{side.cpu_ms, "CPU"}, {side.copies_ms, "GPU"}})
      if (ms)
        text += fmt::format("{}{} {} {:.4g} frames/s{}", text.empty() ? "" : "; ", where,
                            side.programs, 1e3 / *ms, 1e3 / *ms >= kRealTime ? "" : " (too slow)");
  return text;
}

std::string verdict_of(double ratio) {
  return ratio >= kAlike ? "GPU" : ratio <= 1 / kAlike ? "CPU" : "alike";
}

/// The product's figures decide if it runs on both sides.
const ScoreSide* deciding_side(const ScoreRow& row) {
  const ScoreSide* found = nullptr;
  for (const ScoreSide& side : row.sides)
    if (side.ratio || side.ratio_with_copies) found = &side;
  return found;
}

std::string answer_of(const ScoreRow& row, const std::string& no_device) {
  const ScoreSide* const side = deciding_side(row);
  if (side) {
    std::string text;
    if (side->ratio) text = fmt::format("resident {}", verdict_of(*side->ratio));
    if (side->ratio_with_copies)
      text += fmt::format("{}with copies {}", text.empty() ? "" : ", ",
                          verdict_of(*side->ratio_with_copies));
    return text;
  }
  const bool any_cpu =
      std::ranges::any_of(row.sides, [](const ScoreSide& one) { return one.cpu_ms.has_value(); });
  const bool any_gpu = std::ranges::any_of(
      row.sides, [](const ScoreSide& one) { return one.gpu_ms || one.copies_ms; });
  if (!any_cpu) return any_gpu ? "no CPU figure" : "nothing ran";
  return no_device.empty() ? "no GPU figure" : "no GPU here: " + no_device;
}

void add_rungs(std::vector<std::string>& all, const ScoreRungs& rungs) {
  for (const auto* list : {&rungs.cpu, &rungs.gpu, &rungs.copies})
    for (std::string rung : *list) {
      if (rung.ends_with('.')) rung.pop_back();
      if (std::ranges::find(all, rung) == all.end()) all.push_back(rung);
    }
}

std::string joined_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

/// The rungs that the rows of a study need, and its sizes.
StudyOptions options_for(const std::string& study) {
  StudyOptions options;
  std::vector<std::string> rungs;
  for (const ScoreQuestion& asked : score_questions()) {
    if (asked.study != study) continue;
    options.sizes = asked.sizes;
    if (asked.steps) return options;  // all rungs of the four steps
    add_rungs(rungs, asked.paper);
    add_rungs(rungs, asked.ours);
  }
  options.rungs = joined_words(rungs);
  return options;
}

std::string side_line(const std::string& first, const ScoreSide& side, const std::string& last) {
  const auto lines = side.cpu_lines || side.gpu_lines
                         ? shown(side.cpu_lines) + "/" + shown(side.gpu_lines)
                         : std::string(kUnknown);
  return fmt::format("{:<36} {:<6} {:>11} {:>11} {:>11} {:>9} {:>9} {:>11}  {}\n", first,
                     side.programs, shown(side.cpu_ms, 4), shown(side.gpu_ms, 4),
                     shown(side.copies_ms, 4), shown(side.ratio, 2),
                     shown(side.ratio_with_copies, 2), lines, last);
}

/// `before`: the row above, whose price and effort are not repeated.
std::string row_text(const ScoreRow& row, const ScoreRow* before) {
  std::string text;
  for (std::size_t k = 0; k < row.sides.size(); ++k)
    text += side_line(k == 0 ? row.question : "", row.sides[k], k == 0 ? row.answer : "");
  text += fmt::format("    there: {}\n", row.published);
  if (!row.figure.empty()) text += fmt::format("    here:  {}\n", row.figure);
  if (before && before->price == row.price && before->effort == row.effort) return text;
  if (!row.price.empty() || !row.effort.empty())
    text += fmt::format("    there: {}{}{}\n", row.price.empty() ? "" : "price " + row.price,
                        row.price.empty() || row.effort.empty() ? "" : "; ",
                        row.effort.empty() ? "" : "effort " + row.effort);
  return text;
}

}  // namespace

ScoreCard score_card(const ScoreSource& source, bool recorded) {
  ScoreCard card;
  if (!recorded) card.no_device_reason = this_machine().no_device_reason;
  std::map<std::string, std::optional<StudyResult>> results;
  for (const ScoreQuestion& asked : score_questions()) {
    const auto [found, fresh] = results.try_emplace(asked.study);
    if (fresh) found->second = source(asked.study, options_for(asked.study));
    StudyResult result = found->second.value_or(StudyResult{.study = asked.study});
    // A recorded run has more cases.
    if (asked.sizes != "all")
      std::erase_if(result.rows, [&](const StudyRow& row) {
        return row.case_name != fmt::format("{0}x{0}", asked.sizes);
      });
    if (card.device.empty()) card.device = result.device;
    if (card.cpu.empty()) card.cpu = result.cpu;
    ScoreRow row{.question = asked.question,
                 .study = asked.study,
                 .published = published_conclusion(asked),
                 .price = asked.price,
                 .effort = asked.effort};
    row.sides.push_back(side_of(result, asked, false));
    if (!asked.ours.cpu.empty()) row.sides.push_back(side_of(result, asked, true));
    if (asked.figure == ScoreFigure::frames_a_second) row.figure = frames_text(row);
    if (asked.figure == ScoreFigure::transfers_share) row.figure = transfers_text(result, row);
    row.answer = answer_of(row, card.no_device_reason);
    card.rows.push_back(row);
  }
  return card;
}

std::string ScoreCard::describe() const {
  std::string text;
  if (!device.empty()) text += fmt::format("GPU: {}\n", device);
  if (!cpu.empty()) text += fmt::format("CPU: {}\n", cpu);
  text += fmt::format("{:<36} {:<6} {:>11} {:>11} {:>11} {:>9} {:>9} {:>11}  {}\n", "", "whose",
                      "CPU ms", "GPU ms", "with copies", "CPU/GPU", "copies", "lines", "today");
  for (std::size_t k = 0; k < rows.size(); ++k)
    text += row_text(rows[k], k == 0 ? nullptr : &rows[k - 1]);
  return text + fmt::format(
                    "lines: of code, CPU/GPU, of the paper's programs (ours share theirs with much "
                    "else); copies: CPU/GPU from and to the host; alike: neither "
                    "side takes {} times as long",
                    kAlike);
}

}  // namespace tessera
