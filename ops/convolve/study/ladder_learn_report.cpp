// SPDX-License-Identifier: Apache-2.0
// What was learned from a search, in tables.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ops/convolve/study/ladder_learn.hpp"
#include "ops/convolve/study/ladder_report.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kTries[] = {1, 3, 5, 10};

struct Learned {
  const SearchedRung& rung;
  std::vector<SearchedFilter> searched;
  int shared_bytes;

  /// The order of a prediction that knows every searched filter except this one.
  std::vector<std::size_t> order_without(const SearchedFilter& left_out,
                                         const Prediction& by) const {
    std::vector<SearchedFilter> others = searched;
    std::erase_if(others, [&](const SearchedFilter& f) { return f.filter == left_out.filter; });
    return by.order(rung, left_out.filter, others, shared_bytes);
  }
};

std::string size_words(StudySize size) { return fmt::format("{}x{}", size.width, size.height); }

std::string block_words(const LadderCandidate& c) {
  return fmt::format("{}x{} x{}", c.block_x, c.block_y, c.tiles);
}

std::string percent_words(double share) { return fmt::format("{:.2f}%", 100 * share); }

std::size_t fastest(const SearchedFilter& filter) {
  std::size_t best = 0;
  for (std::size_t c = 0; c < filter.losses.size(); ++c)
    if (filter.losses[c] == 0) best = c;
  return best;
}

StudyRow row_of(const Learned& learned, StudySize filter, std::size_t candidate,
                const char* title) {
  const LadderShape shape = learned.rung.shape(filter, learned.rung.candidates[candidate]);
  StudyRow row{.case_name = size_words(filter), .rung = learned.rung.id, .title = title};
  row.block_x = shape.block_x;
  row.block_y = shape.block_y;
  row.tiles = shape.tiles;
  row.shared_bytes = shape.shared_bytes;
  return row;
}

struct Losses {
  double mean = 0, most = 0;
  int best = 0;  ///< filters at which nothing is lost
};

/// For every number of kTries.
std::vector<Losses> losses_of(const Learned& learned, const Prediction& by) {
  std::vector<Losses> all(std::size(kTries));
  for (const SearchedFilter& filter : learned.searched) {
    const auto order = learned.order_without(filter, by);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const double lost = regret(filter, order, kTries[k]);
      all[k].mean += lost / static_cast<double>(learned.searched.size());
      all[k].most = std::max(all[k].most, lost);
      all[k].best += lost == 0;
    }
  }
  return all;
}

/// Every searched filter, predicted from the others.
std::string left_out_table(const Learned& learned, const LadderJournal& journal, int side,
                           StudyResult& result) {
  std::string text =
      fmt::format("\n  {:<4} {:<7} {:<11} {:>9} {:<11} {:>9} {:>7} {:>7} {:>7}\n", "rung", "filter",
                  "predicted", "ms", " fastest", "ms", "lost", "of 3", "of 5");
  for (const SearchedFilter& filter : learned.searched) {
    auto order = learned.order_without(filter, predictions().front());
    std::erase_if(order, [&](std::size_t c) { return !std::isfinite(filter.losses[c]); });
    if (order.empty()) continue;
    const auto time = [&](std::size_t c) {
      const LadderRecord* const found =
          journal.find(learned.rung.id, filter.filter, learned.rung.candidates[c]);
      return found ? found->ms : std::nullopt;
    };
    const std::size_t best = fastest(filter);
    StudyRow row = row_of(learned, filter.filter, order[0], "predicted from the other filters");
    row.ms = time(order[0]);
    if (row.ms)
      row.gflops = 2e-6 * filter.filter.width * filter.filter.height * side * side / *row.ms;
    text += fmt::format("  {:<4} {:<7} {:<11} {:>9} {:<11} {:>9} {:>7} {:>7} {:>7}\n", row.rung,
                        row.case_name, block_words(learned.rung.candidates[order[0]]),
                        shown(row.ms, 4), " " + block_words(learned.rung.candidates[best]),
                        shown(time(best), 4), percent_words(regret(filter, order, 1)),
                        percent_words(regret(filter, order, 3)),
                        percent_words(regret(filter, order, 5)));
    result.rows.push_back(row);
  }
  return text;
}

std::string rivals_table(const Learned& learned) {
  std::string text = fmt::format(
      "\n  lost by rung {}, mean / most (filters whose fastest candidate is found)\n"
      "  {:<38}",
      learned.rung.id, "candidates timed");
  for (const int tries : kTries) text += fmt::format(" {:>22}", tries);
  for (const Prediction& by : predictions()) {
    text += fmt::format("\n  {:<38}", by.name);
    for (const Losses& l : losses_of(learned, by))
      text += fmt::format(" {:>22}", fmt::format("{} / {} ({})", percent_words(l.mean),
                                                 percent_words(l.most), l.best));
  }
  return text + "\n";
}

/// Filters that were never searched.
std::string predicted_table(const Learned& learned, const std::vector<StudySize>& sizes,
                            StudyResult& result) {
  std::string text;
  for (const SearchTask& task : search_tasks({learned.rung.id}, sizes)) {
    if (std::ranges::find(learned.searched, task.filter, &SearchedFilter::filter) !=
        learned.searched.end())
      continue;
    const auto order =
        predicted_order(learned.rung, task.filter, learned.searched, learned.shared_bytes);
    if (order.empty()) continue;
    const StudyRow row = row_of(learned, task.filter, order[0], "predicted, never searched");
    text += fmt::format("  {:<4} {:<7} {:<11}", row.rung, row.case_name,
                        block_words(learned.rung.candidates[order[0]]));
    for (std::size_t k = 1; k < std::min<std::size_t>(3, order.size()); ++k)
      text += fmt::format(" {:<11}", block_words(learned.rung.candidates[order[k]]));
    text += "\n";
    result.rows.push_back(row);
  }
  if (text.empty()) return "";
  return fmt::format(
             "\nPredicted for filters that were never searched, and the next two\n"
             "  {:<4} {:<7} {:<11}\n",
             "rung", "filter", "predicted") +
         text;
}

std::string verdict_of(const Learned& learned, const StudyResult& result) {
  static_assert(kTries[0] == 1 && kTries[2] == 5);
  const std::vector<Losses> losses = losses_of(learned, predictions().front());
  const auto predicted = std::ranges::count_if(
      result.rows, [&](const StudyRow& row) { return row.rung == learned.rung.id && !row.ms; });
  return fmt::format(
      "Rung {}: {} filters were searched whole; predicted from the others, a filter's choice takes "
      "{} more time than the exhaustive search's on average and {} at most, and {} if five "
      "candidates of {} are timed; {} filters that were never searched have a choice.",
      learned.rung.id, learned.searched.size(), percent_words(losses[0].mean),
      percent_words(losses[0].most), percent_words(losses[2].mean), learned.rung.candidates.size(),
      predicted);
}

}  // namespace

StudyResult learn_from_search(const LadderJournal& journal, const std::vector<StudySize>& sizes,
                              const std::vector<std::string>& rungs, int shared_bytes, int side) {
  StudyResult result{.study = "convolve", .device = journal.device()};
  result.tables = fmt::format(
      "convolve, blocks and tile factors learned from a search on {}\nEach filter is predicted "
      "from "
      "the others that were searched whole; lost is time over that of its own search\n",
      journal.device());
  for (const std::string& id : rungs) {
    const SearchedRung& rung = searched_rung(id);
    const Learned learned{rung, searched_filters(rung, journal), shared_bytes};
    if (learned.searched.size() < 2) continue;
    result.tables += left_out_table(learned, journal, side, result);
    result.tables += rivals_table(learned);
    result.tables += predicted_table(learned, sizes, result);
    result.verdict += (result.verdict.empty() ? "" : "\n") + verdict_of(learned, result);
  }
  if (result.verdict.empty())
    throw Error(ErrorKind::input,
                fmt::format("{}: fewer than two filters were searched whole, so nothing can be "
                            "learned from it; --search {} searches more",
                            journal.path(), kWholeSearch));
  return result;
}

}  // namespace tessera
