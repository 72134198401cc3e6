// SPDX-License-Identifier: Apache-2.0
#include "ops/xengine/xengine_gather.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/parallel.hpp"

namespace tessera {
namespace {

/// What a thread copies at a time.
constexpr long long kChunkBytes = 1 << 20;

/// A step of a layout, and how often.
struct Step {
  long long count;
  long long* step;  ///< of the block; then of the copy
};

}  // namespace

long long piece_samples(const VoltageLayout& layout, long long samples, long long first,
                        long long most) {
  const long long group = layout.group, rest = samples - first;
  if (group > most) return std::min({most, rest, group - first % group});
  return std::min(most, rest) >= group ? std::min(most, rest) / group * group : rest;
}

XEngineGather::XEngineGather(const XEngineShape& shape, SampleType type, const VoltageBlock& block,
                             long long first, long long count)
    : layout_(block.layout) {
  VoltageLayout& l = layout_;
  from_ = static_cast<const unsigned char*>(block.data) + first / l.group * l.group_step +
          first % l.group * l.time;
  l.group = static_cast<int>(std::min<long long>(l.group, count));
  std::vector<Step> steps{{shape.channels, &l.channel},
                          {shape.antennas, &l.antenna},
                          {shape.polarisations, &l.polarisation},
                          {l.group, &l.time},
                          {count / l.group, &l.group_step}};
  const bool parts = type != SampleType::ci4;
  if (parts) steps.push_back({2, &l.imaginary});
  std::ranges::stable_sort(
      steps, [](const Step& a, const Step& b) { return std::abs(*a.step) < std::abs(*b.step); });
  long long bytes = run_bytes_ = parts ? bytes_of(type) / 2 : bytes_of(type);
  for (const Step& s : steps) {
    const long long from = std::exchange(*s.step, bytes);
    if (s.count == 1) continue;
    if (axes_.empty() && from == run_bytes_)
      run_bytes_ *= s.count;
    else
      axes_.push_back({s.count, from, bytes});
    bytes *= s.count;
  }
  bytes_ = static_cast<std::size_t>(bytes);
}

void XEngineGather::copy_run(long long run, long long first, long long end,
                             unsigned char* to) const {
  const unsigned char* from = from_;
  for (const Axis& axis : axes_) {
    const long long at = run % axis.count;
    run /= axis.count;
    from += at * axis.from;
    to += at * axis.to;
  }
  std::memcpy(to + first, from + first, static_cast<std::size_t>(end - first));
}

void XEngineGather::copy(void* to, int threads) const {
  const long long runs = static_cast<long long>(bytes_) / run_bytes_;
  const long long chunks = (run_bytes_ - 1) / kChunkBytes + 1, together = kChunkBytes / run_bytes_;
  // Tasks are chunks of long runs, or some short runs.
  const long long of_task = std::max(1LL, together), tasks = (runs * chunks - 1) / of_task + 1;
  parallel_for(static_cast<int>(tasks), threads, [&](int task) {
    const long long end = std::min(runs * chunks, (task + 1) * of_task);
    for (long long k = task * of_task; k < end; ++k) {
      const long long first = k % chunks * kChunkBytes;
      copy_run(k / chunks, first, std::min(run_bytes_, first + kChunkBytes),
               static_cast<unsigned char*>(to));
    }
  });
}

}  // namespace tessera
