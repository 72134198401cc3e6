// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/study/ladder_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

#include "study/published.hpp"
#include "study/shown.hpp"

namespace tessera {
namespace {

bool is_of_grid(StudySize filter) {
  const auto fits = [](int side) {
    return side % 2 == 1 && side >= kLeastSide && side <= kMostSide;
  };
  return fits(filter.width) && fits(filter.height);
}

std::string block_words(const LadderCandidate& c) {
  return fmt::format("{}x{} x{}", c.block_x, c.block_y, c.tiles);
}

// The published choice of a rung for a filter, and its device: "16x64 x6 GTX680".
std::string published_choice(const std::string& rung, StudySize filter) {
  const auto& figures = published_figures("convolve");
  const auto look = [&](const char* quantity) {
    return published_value(figures, rung, filter.width, filter.height, quantity);
  };
  const auto block_x = look("block_x"), block_y = look("block_y"), tiles = look("tiles");
  if (!block_x || !block_y || !tiles) return kUnknown;
  const auto device = std::find_if(figures.begin(), figures.end(), [&](const auto& figure) {
    return figure.rung == rung && figure.filter_width == filter.width &&
           figure.filter_height == filter.height && figure.quantity == "tiles";
  });
  return fmt::format("{}x{} x{} {}", *block_x, *block_y, *tiles, device->device);
}

// All published values of a quantity that is not of one filter: "21.3% GTX680 §5, …".
std::string published_over_all(const std::string& quantity, const char* unit) {
  std::string text;
  for (const PublishedFigure& figure : published_figures("convolve"))
    if (figure.quantity == quantity && figure.filter_width == 0)
      text += fmt::format("{}{}{} {} {}", text.empty() ? "" : ", ", figure.text, unit,
                          figure.device, figure.source.substr(figure.source.find(' ') + 1));
  return text.empty() ? kUnknown : text;
}

std::string line_of(const StudyRow& row, const BestCandidate& best,
                    const std::optional<double>& over_naive) {
  const std::string published =
      row.published.empty() ? published_choice(row.rung, best.task.filter) : row.published;
  return fmt::format("  {:<4} {:<7} {:<11} {:>9.4f} {:>9.1f} {:>10} {:>6}  {}\n", row.rung,
                     row.case_name, block_words(best.record->candidate), *row.ms,
                     row.gflops.value_or(0), shown(over_naive, 2), best.whole ? "all" : "part",
                     published);
}

std::string share_line(const char* what, const std::string& here, const char* quantity,
                       const char* unit = "%") {
  return fmt::format("  {:<34} {:>8}  {}\n", what, here, published_over_all(quantity, unit));
}

std::string shares_text(const StudyResult& result, const std::vector<BestCandidate>& best) {
  const SearchShares s = search_shares(best);
  if (s.filters == 0) return "";
  if (s.filters < kEnoughForShares)
    return fmt::format(
        "\n{} of the paper's {} filters were searched whole: too few for its shares "
        "(from {} on).\n",
        s.filters, kPaperFilters, kEnoughForShares);
  const auto percent_of = [](double share) { return fmt::format("{:.1f}%", share); };
  std::string text =
      fmt::format("\nBest kernels of {} of the paper's {} filters\n  {:<34} {:>8}  {}\n", s.filters,
                  kPaperFilters, "", "here", "published");
  text += share_line("tile factor 2", percent_of(s.tiles_2), "share_tiles_2");
  text += share_line("tile factor 4", percent_of(s.tiles_4), "share_tiles_4");
  text += share_line("tile factor over 4", percent_of(s.tiles_over_4), "share_tiles_over_4");
  text += share_line("mean tile factor", fmt::format("{:.2f}", s.mean_tiles), "mean_tiles", "");
  text += share_line("smallest tile factor", fmt::format("{}", s.least_tiles), "least_tiles", "");
  text += share_line("largest tile factor", fmt::format("{}", s.most_tiles), "most_tiles", "");
  text += fmt::format("  {:<34} {:>8}\n", fmt::format("the most common block, {}", s.common_block),
                      percent_of(s.common));
  text += share_line("blocks 16 wide", percent_of(s.width_16), "share_block_width_16");
  text += share_line("blocks 16x32", percent_of(s.block_16x32), "share_block_16x32");
  text += share_line("blocks 16x64", percent_of(s.block_16x64), "share_block_16x64");
  double most = 0;
  for (const StudySummary& line : result.summary)
    most = std::max(most, line.over_first.value_or(0));
  if (most > 0)
    text += share_line("times as fast as naive, at most", fmt::format("{:.2f}", most),
                       "over_naive_at_most", "");
  return text;
}

}  // namespace

std::vector<BestCandidate> best_candidates(const std::vector<SearchTask>& tasks,
                                           const LadderJournal& journal, int shared_bytes) {
  std::vector<BestCandidate> all;
  for (const SearchTask& task : tasks) {
    BestCandidate best{task, nullptr, true};
    for (const LadderCandidate& candidate : task.rung->candidates) {
      if (!why_no_tile(task.rung->shape(task.filter, candidate), shared_bytes).empty()) continue;
      const LadderRecord* const found = journal.find(task.rung->id, task.filter, candidate);
      if (!found) best.whole = false;
      if (found && found->verified() && (!best.record || *found->ms < *best.record->ms))
        best.record = found;
    }
    if (best.record) all.push_back(best);
  }
  return all;
}

std::vector<StudyRow> search_rows(const std::vector<BestCandidate>& best, int side) {
  std::vector<StudyRow> rows;
  for (const BestCandidate& b : best) {
    const auto& [width, height] = b.task.filter;
    const LadderShape shape = b.task.rung->shape(b.task.filter, b.record->candidate);
    StudyRow row{.case_name = fmt::format("{}x{}", width, height), .rung = b.task.rung->id};
    row.title = row.rung == "1" ? "naive, global memory" : "best of the search";
    row.ms = b.record->ms;
    row.spread = b.record->spread;
    row.gflops = 2e-6 * width * height * side * side / *row.ms;
    row.block_x = shape.block_x;
    row.block_y = shape.block_y;
    row.tiles = shape.tiles;
    row.shared_bytes = shape.shared_bytes;
    row.published = published_gflops(published_figures("convolve"), row.rung, width, height);
    rows.push_back(row);
  }
  return rows;
}

std::string search_tables(const StudyResult& result, const std::vector<BestCandidate>& best,
                          const SearchCounts& counts) {
  std::string text = fmt::format(
      "convolve, search of blocks and tile factors on {}: {} candidates, {} verified and timed, {} "
      "infeasible, {} not yet tried",
      result.device, counts.all, counts.verified, counts.infeasible, counts.missing());
  if (counts.failed + counts.wrong > 0)
    text += fmt::format(", {} failed, {} wrong", counts.failed, counts.wrong);
  text += fmt::format("\n\n  {:<4} {:<7} {:<11} {:>9} {:>9} {:>10} {:>6}  {}\n", "rung", "filter",
                      "block", "ms", "GFLOP/s", "over naive", "tried",
                      "published (GFLOP/s, or the choice)");
  for (std::size_t k = 0; k < best.size(); ++k) {
    const StudyRow& row = result.rows[k];
    if (row.rung == "1") continue;
    std::optional<double> over_naive;
    for (const StudyRow& naive : result.rows)
      if (row.rung == "8" && naive.rung == "1" && naive.case_name == row.case_name)
        over_naive = *naive.ms / *row.ms;
    text += line_of(row, best[k], over_naive);
  }
  return text + shares_text(result, best);
}

SearchShares search_shares(const std::vector<BestCandidate>& best) {
  SearchShares s;
  const auto share = [&](const std::function<bool(const LadderCandidate&)>& counts) {
    int number = 0;
    for (const BestCandidate& b : best)
      if (b.task.rung->id == "8" && b.whole && is_of_grid(b.task.filter))
        number += counts(b.record->candidate);
    return number;
  };
  s.filters = share([](const LadderCandidate&) { return true; });
  if (s.filters == 0) return s;
  const double percent_each = 100.0 / s.filters;
  s.tiles_2 = percent_each * share([](const auto& c) { return c.tiles == 2; });
  s.tiles_4 = percent_each * share([](const auto& c) { return c.tiles == 4; });
  s.tiles_over_4 = percent_each * share([](const auto& c) { return c.tiles > 4; });
  s.width_16 = percent_each * share([](const auto& c) { return c.block_x == 16; });
  s.block_16x32 =
      percent_each * share([](const auto& c) { return c.block_x == 16 && c.block_y == 32; });
  s.block_16x64 =
      percent_each * share([](const auto& c) { return c.block_x == 16 && c.block_y == 64; });
  std::map<std::string, int> blocks;
  s.least_tiles = std::numeric_limits<int>::max();
  share([&](const LadderCandidate& c) {
    s.mean_tiles += static_cast<double>(c.tiles) / s.filters;
    s.least_tiles = std::min(s.least_tiles, c.tiles);
    s.most_tiles = std::max(s.most_tiles, c.tiles);
    ++blocks[fmt::format("{}x{}", c.block_x, c.block_y)];
    return true;
  });
  for (const auto& [block, count] : blocks)
    if (percent_each * count > s.common) {
      s.common = percent_each * count;
      s.common_block = block;
    }
  return s;
}

}  // namespace tessera
