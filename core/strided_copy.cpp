// SPDX-License-Identifier: Apache-2.0
#include "core/strided_copy.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/parallel.hpp"

namespace tessera {
namespace {

/// The amount that a thread copies at a time.
constexpr long long kChunkBytes = 1 << 20;

/// Bytes that are contiguous in source and target, lines of them, and the axes around those, small
/// steps first.
struct Runs {
  long long bytes = 0, lines = 1;
  CopyAxis line{1, 0};
  std::vector<CopyAxis> axes;

  long long count() const { return line.count * lines; }
};

Runs runs_of(std::span<const CopyAxis> all, long long item) {
  std::vector<CopyAxis> axes(all.begin(), all.end());
  std::erase_if(axes, [](const CopyAxis& axis) { return axis.count == 1; });
  std::ranges::sort(axes, {}, &CopyAxis::to);
  Runs runs{.bytes = item};
  auto outer = axes.begin();
  for (; outer != axes.end() && outer->from == runs.bytes && outer->to == runs.bytes; ++outer)
    runs.bytes *= outer->count;
  if (outer != axes.end()) runs.line = *outer++;
  runs.axes.assign(outer, axes.end());
  for (const CopyAxis& axis : runs.axes) runs.lines *= axis.count;
  return runs;
}

/// Copies `bytes` of each of the runs [first, end); run 0 lies at `from` and `to`.
void copy_runs(const Runs& runs, long long first, long long end, std::size_t bytes,
               const unsigned char* from, unsigned char* to) {
  for (long long line = first / runs.line.count; line * runs.line.count < end; ++line) {
    long long rest = line, from_line = 0, to_line = 0;
    for (const CopyAxis& axis : runs.axes) {
      from_line += rest % axis.count * axis.from;
      to_line += rest % axis.count * axis.to;
      rest /= axis.count;
    }
    const long long before = line * runs.line.count;
    const long long last = std::min(runs.line.count, end - before);
    for (long long i = std::max(0LL, first - before); i < last; ++i)
      std::memcpy(to + to_line + i * runs.line.to, from + from_line + i * runs.line.from, bytes);
  }
}

}  // namespace

long long pack_axes(std::span<CopyAxis> axes, long long item) {
  std::vector<CopyAxis*> sorted;
  for (CopyAxis& axis : axes) sorted.push_back(&axis);
  std::ranges::stable_sort(sorted, {}, [](const CopyAxis* axis) { return std::abs(axis->from); });
  long long bytes = item;
  for (CopyAxis* axis : sorted) {
    axis->to = bytes;
    bytes *= axis->count;
  }
  return bytes;
}

// Tasks are chunks of a long run, or some short runs.
void copy_strided(std::span<const CopyAxis> axes, long long item, const void* from, void* to,
                  int threads) {
  const Runs runs = runs_of(axes, item);
  const long long chunks = (runs.bytes - 1) / kChunkBytes + 1;
  const long long together = std::max(1LL, kChunkBytes / runs.bytes);
  const long long tasks = (runs.count() - 1) / together + 1;
  parallel_for(static_cast<int>(tasks * chunks), threads, [&](int task) {
    const long long first = task / chunks * together, offset = task % chunks * kChunkBytes;
    copy_runs(runs, first, std::min(runs.count(), first + together),
              static_cast<std::size_t>(std::min(runs.bytes - offset, kChunkBytes)),
              static_cast<const unsigned char*>(from) + offset,
              static_cast<unsigned char*>(to) + offset);
  });
}

}  // namespace tessera
