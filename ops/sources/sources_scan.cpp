// SPDX-License-Identifier: Apache-2.0
#include "ops/sources/sources_scan.hpp"

#include <algorithm>
#include <bit>

namespace tessera {
namespace {

std::size_t place_in(int value) { return static_cast<std::size_t>(value); }

/// Calls use(x0, x1) for every run of set bits.
template <class Use>
void for_bit_runs(const std::uint64_t* words, int width, Use use) {
  int begin = -1;
  for (int base = 0; base < width; base += 64) {
    const std::uint64_t word = words[base / 64];
    if (begin < 0 && word == 0) continue;
    int at = 0;
    while (at < 64) {
      const std::uint64_t rest = begin < 0 ? word >> at : ~word >> at;
      if (rest == 0) break;
      at += std::countr_zero(rest);
      if (begin < 0) {
        begin = base + at;
      } else {
        use(begin, base + at);
        begin = -1;
      }
    }
  }
  if (begin >= 0) use(begin, width);
}

}  // namespace

void SourceFinder::find_runs(const SourceRows& rows, int row, int y, SourceBits& bits) {
  std::vector<SourceRun> runs;
  std::vector<bool> seeded;
  std::vector<SourcePixel> values;
  for_bit_runs(bits.row(row), rows.width(), [&](int x0, int x1) {
    values.resize(place_in(x1 - x0));
    read_source_pixels(rows, row, x0, x1, sign_, values.data());
    runs.push_back({y, x0, x1});
    seeded.push_back(std::ranges::any_of(values, [&](const SourcePixel& pixel) {
      return is_marked(pixel.d, pixel.rms, problem_->options.seed);
    }));
  });
  islands_.add_row(y, runs, seeded);
}

void SourceFinder::add(const SourceRows& rows, int first, SourceBits& bits) {
  const int height = rows.height(), seen = first + height, margin = problem_->margin;
  for (int row = 0; row < height; ++row) find_runs(rows, row, first + row, bits);
  keep_until(seen - margin, seen, rows, first);
  while (!waiting_.empty() && waiting_.front().y < done_) waiting_.pop_front();
  for (int y = std::max(done_, first); y < seen; ++y) {
    waiting_.push_back({y, std::vector<SourcePixel>(place_in(rows.width()))});
    read_source_pixels(rows, y - first, 0, rows.width(), sign_, waiting_.back().values.data());
  }
  if (islands_.runs().size() > forget_at_) {
    islands_.forget_unseeded();
    forget_at_ = std::max<std::size_t>(1 << 16, 2 * islands_.runs().size());
  }
}

/// Runs whose island may still turn out to have a seed, and those that have one.
void SourceFinder::keep_until(int row, int rows_seen, const SourceRows& rows, int first) {
  const int margin = problem_->margin, from = done_;
  if (row <= from) return;
  const auto [begin, end] = islands_.between(from - margin, row + margin);
  std::vector<SourceRun> near;
  for (std::size_t r = begin; r < end; ++r)
    if (islands_.seeded(r) || !islands_.closed(r)) near.push_back(islands_.runs()[r]);
  for (const SourceRun& run : widened(near, margin, rows.width(), from, std::min(row, rows_seen))) {
    const std::size_t at = kept_.values.size();
    kept_.runs.push_back(run);
    kept_.values.resize(at + place_in(run.pixels()));
    if (run.y >= first) {
      read_source_pixels(rows, run.y - first, run.x0, run.x1, sign_, kept_.values.data() + at);
    } else {
      const Row& waits = waiting_[place_in(run.y - waiting_.front().y)];
      std::copy(waits.values.begin() + run.x0, waits.values.begin() + run.x1,
                kept_.values.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  done_ = row;
}

bool SourceFinder::counts(std::size_t run) {
  return islands_.seeded(run) && islands_.pixels(run) >= problem_->options.min_pixels;
}

std::vector<SourceRun> SourceFinder::runs_that_count() {
  std::vector<SourceRun> runs;
  for (std::size_t r = 0; r < islands_.runs().size(); ++r)
    if (counts(r)) runs.push_back(islands_.runs()[r]);
  return runs;
}

void SourceFinder::finish(int rows) {
  const SourceRows none{};
  const int width = problem_->image.size.width;
  if (!waiting_.empty()) {
    SourceRows empty = none;
    empty.image.size.width = width;
    keep_until(rows, rows, empty, rows);
  }
  waiting_.clear();
  SourcePixels exact;
  std::size_t at = 0, run = 0;
  for (const SourceRun& wanted : widened(runs_that_count(), problem_->margin, width, 0, rows)) {
    const auto holds = [&](const SourceRun& kept) {
      return kept.y == wanted.y && kept.x0 <= wanted.x0 && kept.x1 >= wanted.x1;
    };
    while (!holds(kept_.runs[run])) at += place_in(kept_.runs[run++].pixels());
    const auto begin = kept_.values.begin() +
                       static_cast<std::ptrdiff_t>(at + place_in(wanted.x0 - kept_.runs[run].x0));
    exact.runs.push_back(wanted);
    exact.values.insert(exact.values.end(), begin, begin + wanted.pixels());
  }
  kept_ = std::move(exact);
}

long long SourceFinder::bytes() const {
  const auto row = static_cast<long long>(sizeof(SourcePixel)) * problem_->image.size.width;
  return islands_.bytes() + std::ssize(waiting_) * row +
         std::ssize(kept_.values) * static_cast<long long>(sizeof(SourcePixel)) +
         std::ssize(kept_.runs) * static_cast<long long>(sizeof(SourceRun));
}

SourceScan::Impl::Impl(const SourcesProblem& problem) : samples(problem.image.size, problem.reach) {
  finders.emplace_back(problem, 1);
  if (problem.options.negative) finders.emplace_back(problem, -1);
}

long long SourceScan::Impl::bytes() const {
  long long all = samples.bytes();
  for (const SourceFinder& finder : finders) all += finder.bytes();
  return all;
}

SourceScan::SourceScan() = default;
SourceScan::SourceScan(SourceScan&&) noexcept = default;
SourceScan& SourceScan::operator=(SourceScan&&) noexcept = default;
SourceScan::~SourceScan() = default;
int SourceScan::rows() const { return impl ? impl->rows : 0; }
long long SourceScan::bytes() const { return impl ? impl->bytes() : 0; }

}  // namespace tessera
