// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/cpu/enhance_counters.hpp"

#include <algorithm>

namespace tessera {
namespace {

/// A thread's tables are added up before they hold more samples than this.
constexpr long long kMostSamples = 1LL << 31;

}  // namespace

Counters::Counters(const EnhanceProblem& problem, const ImageInfo& image, SweepCounts& counts)
    : Counters(problem, image, counts, static_cast<std::size_t>(problem.levels())) {}

Counters::Counters(const EnhanceProblem& problem, const ImageInfo& image, SweepCounts& counts,
                   std::size_t values)
    : sum_(counts),
      row_samples_(1LL * image.size.width * image.size.channels),
      channels_(image.size.channels),
      colours_(colours_of(image)),
      groups_(groups_of(problem, image)),
      tables_(image.type == Type::u8 ? kCountTables : 1),
      levels_(values) {}

Counters::~Counters() = default;

int Counters::rows_at_once(int wanted) const {
  const long long most = (kMostSamples - 1) / std::max(1LL, row_samples_);
  return static_cast<int>(std::clamp<long long>(most, 1, wanted));
}

/// Prefers tables that already count this plane; others are added up first.
ThreadCounts& Counters::take(int plane) {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) {
    auto fresh = std::make_unique<ThreadCounts>();
    fresh->plane = plane;
    fresh->tables.resize(static_cast<std::size_t>(groups_) * tables_ * levels_);
    free_.reserve(all_.size() + 1);
    all_.push_back(std::move(fresh));
    return *all_.back();
  }
  const auto same = std::find_if(free_.begin(), free_.end(),
                                 [&](const ThreadCounts* c) { return c->plane == plane; });
  const auto chosen = same != free_.end() ? same : free_.begin();
  ThreadCounts& counts = **chosen;
  free_.erase(chosen);
  if (counts.plane != plane) add_up(counts);
  counts.plane = plane;
  return counts;
}

void Counters::give_back(ThreadCounts& counts, long long samples) {
  const std::lock_guard lock(mutex_);
  counts.samples += samples;
  if (counts.samples > kMostSamples) add_up(counts);
  free_.push_back(&counts);
}

void Counters::finish() {
  for (const auto& counts : all_) add_up(*counts);
}

void Counters::add_up(ThreadCounts& counts) {
  for (int group = 0; group < groups_; ++group) {
    const std::size_t first = static_cast<std::size_t>(counts.plane * groups_ + group) * levels_;
    std::uint64_t* sums = sum_.values.data() + first;
    const std::uint32_t* table = tables(counts, group);
    for (std::size_t k = 0; k < tables_; ++k, table += levels_)
      for (std::size_t v = 0; v < levels_; ++v) sums[v] += table[v];
  }
  std::fill(counts.tables.begin(), counts.tables.end(), 0U);
  counts.samples = 0;
}

template <class T>
void Counters::count_row(const EnhanceRows<T>& rows, const T* in, int pixels,
                         ThreadCounts& counts) const {
  if (plain()) return rows.count(in, 1LL * pixels * channels_, tables(counts, 0));
  for (int c = 0; c < colours_; ++c) {
    std::uint32_t* table = tables(counts, groups_ == 1 ? 0 : c);
    const T* sample = in + c;
    for (int x = 0; x < pixels; ++x, sample += channels_) {
      const std::size_t which = static_cast<std::size_t>(x) % tables_;
      ++table[which * levels_ + *sample];
    }
  }
}
template void Counters::count_row(const EnhanceRows<std::uint8_t>&, const std::uint8_t*, int,
                                  ThreadCounts&) const;
template void Counters::count_row(const EnhanceRows<std::uint16_t>&, const std::uint16_t*, int,
                                  ThreadCounts&) const;

}  // namespace tessera
