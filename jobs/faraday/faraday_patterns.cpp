// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_patterns.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>

#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "core/ranks.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

bool is_flagged(View<const float> q, View<const float> u, int x, int y, int k) {
  return !std::isfinite(q.at(x, y, 0, k)) || !std::isfinite(u.at(x, y, 0, k));
}

/// Pixels of a row that lack a channel. 0 times NaN or infinity is NaN, and a sum keeps that: no
/// branch per voxel, so complete rows cost next to nothing.
std::vector<int> incomplete_columns(View<const float> q, View<const float> u, int y,
                                    const std::vector<double>& weights) {
  std::vector<float> sums(static_cast<std::size_t>(q.size.width), 0.0F);
  for (int k = 0; k < q.size.planes; ++k) {
    if (!(weights[static_cast<std::size_t>(k)] > 0)) continue;
    const float *qs = &q.at(0, y, 0, k), *us = &u.at(0, y, 0, k);
    for (std::size_t x = 0; x < sums.size(); ++x)
      sums[x] += qs[static_cast<long long>(x) * q.pixel] * 0.0F +
                 us[static_cast<long long>(x) * u.pixel] * 0.0F;
  }
  std::vector<int> columns;
  for (std::size_t x = 0; x < sums.size(); ++x)
    if (std::isnan(sums[x])) columns.push_back(static_cast<int>(x));
  return columns;
}

}  // namespace

FaradayPatterns::FaradayPatterns(const FaradayAxes& axes, bool fit, bool counted)
    : axes_(axes), fit_(fit), counted_(counted) {
  rmsfs_.push_back(faraday_rmsf(axes, fit));
}

// Flags are a key of a map, and in a list until their RMSF is made; the RMSF has a value with its
// depth, and three floats when it is written. A node of the map and the vectors' headers take about
// 200 bytes.
double FaradayPatterns::bytes_a_pattern(const FaradayAxes& axes, bool counted) {
  const double depths = counted ? 0 : 2.0 * axes.depths() + 1;
  return 2.0 * axes.channels() + (sizeof(std::complex<double>) + 8 + 12) * depths + 200;
}

void FaradayPatterns::limit(double bytes, double enough) {
  limit_ = bytes;
  enough_ = enough;
}

void FaradayPatterns::check_room(int patterns) const {
  if (patterns * bytes_a_pattern(axes_, counted_) <= limit_) return;
  throw Error(ErrorKind::resources,
              fmt::format("faraday: pixels lack channels in more than {} ways, and {} of memory "
                          "has no room for more RMSFs; give a --memory-limit of more than {}, or "
                          "--no-rmsf",
                          patterns - 1, bytes_text(limit_), bytes_text(enough_)));
}

void FaradayPatterns::lend(std::vector<FaradayRmsf> others) {
  lent_ = static_cast<int>(others.size());
  for (FaradayRmsf& other : others) rmsfs_.push_back(std::move(other));
}

std::vector<int> FaradayPatterns::find(AnyView q, AnyView u, int first_row, int threads) {
  rmsfs_.resize(static_cast<std::size_t>(count()));
  lent_ = 0;
  const View<const float> qs = q.as<const float>(), us = u.as<const float>();
  const int width = q.size.width, height = q.size.height;
  std::vector<std::vector<int>> columns(static_cast<std::size_t>(height));
  parallel_for(height, threads, [&](int y) {
    columns[static_cast<std::size_t>(y)] = incomplete_columns(qs, us, y, axes_.weight);
  });
  std::vector<int> numbers(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0);
  std::string flags(axes_.weight.size(), '\0');
  for (int y = 0; y < height; ++y)
    for (const int x : columns[static_cast<std::size_t>(y)]) {
      for (std::size_t k = 0; k < flags.size(); ++k)
        flags[k] = axes_.weight[k] > 0 && is_flagged(qs, us, x, y, static_cast<int>(k)) ? 1 : 0;
      numbers[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
              static_cast<std::size_t>(x)] = number_of(flags, 1LL * (first_row + y) * width + x);
    }
  make_rmsfs(new_, threads);
  new_.clear();
  return numbers;
}

void FaradayPatterns::join_ranks(bool rmsfs, int threads) {
  if (ranks().count() == 1) return;
  FaradayJoinedPatterns joined = join_patterns(known_, kMost);
  for (long long* count : {&incomplete_, &empty_, &other_}) *count = sum_of_ranks(*count);
  all_ = static_cast<int>(std::min<std::size_t>(joined.flags.size() + 1, kMost + 1));
  if (are_too_many()) return;
  joined_numbers_ = std::move(joined.numbers);
  const bool makes = rmsfs && ranks().first();
  if (makes) check_room(all_);
  std::vector<FaradayRmsf> all;
  all.push_back(std::move(rmsfs_.front()));
  for (const std::string& flags : joined.flags)
    if (const auto known = known_.find(flags); known != known_.end())
      all.push_back(std::move(rmsfs_[static_cast<std::size_t>(known->second.number)]));
    else
      all.emplace_back();
  rmsfs_ = std::move(all);
  lent_ = 0;
  if (makes) make_rmsfs(joined.flags, threads);
}

int FaradayPatterns::joined_number(int rank, int number) const {
  return number <= 0 ? number : joined_numbers_.at({rank, number});
}

// All at once, in parallel: each takes channels times depths sines, and a strip may have thousands.
void FaradayPatterns::make_rmsfs(std::span<const std::string> last, int threads) {
  if (counted_) return;
  const std::span<FaradayRmsf> rmsfs = std::span(rmsfs_).last(last.size());
  parallel_for(static_cast<int>(last.size()), threads, [&](int n) {
    const std::string& flags = last[static_cast<std::size_t>(n)];
    const auto* bytes = reinterpret_cast<const unsigned char*>(flags.data());
    FaradayRmsf& rmsf = rmsfs[static_cast<std::size_t>(n)];
    if (rmsf.value.empty()) rmsf = faraday_rmsf(axes_, fit_, {bytes, flags.size()});
  });
}

int FaradayPatterns::number_of(const std::string& flags, long long pixel) {
  bool empty = true;
  for (std::size_t k = 0; k < flags.size(); ++k) empty &= flags[k] != 0 || !(axes_.weight[k] > 0);
  ++(empty ? empty_ : incomplete_);
  if (empty) return kEmpty;
  if (const auto known = known_.find(flags); known != known_.end()) return known->second.number;
  if (count() >= kMost) {
    ++other_;
    return kOther;
  }
  check_room(count() + 1);
  new_.push_back(flags);
  rmsfs_.emplace_back();
  known_[flags] = {count() - 1, pixel};
  return count() - 1;
}

}  // namespace tessera
