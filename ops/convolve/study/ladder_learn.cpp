// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/study/ladder_learn.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tessera {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kUntimed = std::numeric_limits<double>::quiet_NaN();

double squared_distance(StudySize a, StudySize b) {
  const double x = std::log(1.0 * a.width / b.width), y = std::log(1.0 * a.height / b.height);
  return x * x + y * y;
}

/// Candidates that fit and have an estimate, the smallest first.
std::vector<std::size_t> order_by(const SearchedRung& rung, StudySize filter, int shared_bytes,
                                  const std::vector<double>& estimates) {
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < rung.candidates.size(); ++c)
    if (std::isfinite(estimates[c]) &&
        why_no_tile(rung.shape(filter, rung.candidates[c]), shared_bytes).empty())
      order.push_back(c);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return estimates[a] < estimates[b]; });
  return order;
}

/// Means of losses over the filters at which a candidate has a time.
template <class Weight>
std::vector<double> mean_losses(const SearchedRung& rung,
                                const std::vector<SearchedFilter>& searched, Weight weight) {
  std::vector<double> sums(rung.candidates.size()), weights(rung.candidates.size());
  for (const SearchedFilter& from : searched)
    for (std::size_t c = 0; c < sums.size(); ++c)
      if (const double loss = from.losses[c]; !std::isnan(loss)) {
        sums[c] += weight(from.filter) * loss;
        weights[c] += weight(from.filter);
      }
  for (std::size_t c = 0; c < sums.size(); ++c)
    sums[c] = weights[c] > 0 ? sums[c] / weights[c] : kInfinite;
  return sums;
}

/// The candidates of the most similar filter, in its order.
std::vector<std::size_t> order_of_nearest(const SearchedRung& rung, StudySize filter,
                                          const std::vector<SearchedFilter>& searched,
                                          int shared_bytes) {
  const SearchedFilter* nearest = &searched.front();
  for (const SearchedFilter& from : searched)
    if (squared_distance(filter, from.filter) < squared_distance(filter, nearest->filter))
      nearest = &from;
  return order_by(rung, filter, shared_bytes, nearest->losses);
}

/// One choice for all filters: what is best on average.
std::vector<std::size_t> order_on_average(const SearchedRung& rung, StudySize filter,
                                          const std::vector<SearchedFilter>& searched,
                                          int shared_bytes) {
  return order_by(rung, filter, shared_bytes,
                  mean_losses(rung, searched, [](StudySize) { return 1.0; }));
}

}  // namespace

std::vector<SearchedFilter> searched_filters(const SearchedRung& rung,
                                             const LadderJournal& journal) {
  std::vector<SearchedFilter> all;
  for (const StudySize& filter : journal.filters(rung.id)) {
    SearchedFilter searched{filter, {}};
    bool whole = true;
    for (const LadderCandidate& candidate : rung.candidates) {
      const LadderRecord* const found = journal.find(rung.id, filter, candidate);
      whole &= found != nullptr;
      searched.losses.push_back(found && found->verified() ? std::log(*found->ms) : kUntimed);
    }
    double best = kInfinite;
    for (const double loss : searched.losses) best = std::fmin(best, loss);
    for (double& loss : searched.losses) loss -= best;
    if (whole && std::isfinite(best)) all.push_back(std::move(searched));
  }
  return all;
}

std::vector<std::size_t> predicted_order(const SearchedRung& rung, StudySize filter,
                                         const std::vector<SearchedFilter>& searched,
                                         int shared_bytes) {
  constexpr double kSame = 1e-9;  // a filter of this size would decide alone
  const auto weight = [&](StudySize from) {
    const double square = std::max(squared_distance(filter, from), kSame);
    return 1 / (square * square);
  };
  return order_by(rung, filter, shared_bytes, mean_losses(rung, searched, weight));
}

double regret(const SearchedFilter& filter, const std::vector<std::size_t>& order, int tries) {
  double least = kInfinite;
  int timed = 0;
  for (const std::size_t candidate : order) {
    const double loss = filter.losses[candidate];
    if (!std::isfinite(loss)) continue;  // it cannot run with this filter, so the next one is tried
    least = std::fmin(least, loss);
    if (++timed == tries) break;
  }
  return std::expm1(least);
}

const std::vector<Prediction>& predictions() {
  static const std::vector<Prediction> all{
      {"mean of all filters, near ones first", predicted_order},
      {"the nearest filter's order", order_of_nearest},
      {"one order for all filters", order_on_average}};
  return all;
}

}  // namespace tessera
