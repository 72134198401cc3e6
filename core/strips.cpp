// SPDX-License-Identifier: Apache-2.0
#include "core/strips.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/device.hpp"
#include "core/parallel.hpp"
#include "core/part_rows.hpp"
#include "core/pools.hpp"
#include "core/ranks.hpp"
#include "core/rows.hpp"
#include "tessera/border.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

/// One being read, one worked on, one being written.
constexpr int kStripsInFlight = 3;
/// Larger strips are not needed: at this size mid-sized images overlap their stages too.
constexpr std::size_t kEnoughStripBytes = std::size_t{256} << 20;
/// Page-locking costs time per page, so strips for a device are smaller. The size is a guess.
constexpr std::size_t kEnoughPageLockedBytes = std::size_t{96} << 20;

struct Strip {
  Rows out, in;
  std::vector<Scratch> memory;
  std::vector<AnyMutableView> inputs, outputs;
};

std::size_t row_bytes(const std::vector<ImageInfo>& images) {
  std::size_t bytes = 0;
  for (const ImageInfo& image : images)
    bytes += static_cast<std::size_t>(bytes_of(image.type)) * image.size.width *
             image.size.channels * image.size.planes;
  return bytes;
}

/// Rows that a strip needs besides its own. Not only at the edge: needs() may leave out rows.
std::size_t halo_of(const StripPlan& plan) {
  const int middle = plan.outputs[0].size.height / 2;
  return static_cast<std::size_t>(
      std::max({1, plan.needs({0, 1}).count(), plan.needs({middle, middle + 1}).count()}) - 1);
}

std::size_t strip_bytes(const StripPlan& plan, int rows) {
  const std::size_t halo = halo_of(plan);
  return kStripsInFlight *
         (row_bytes(plan.inputs) * (rows + halo) + row_bytes(plan.outputs) * rows);
}

/// Enough that reading and starting a unit take little of its time.
constexpr std::size_t kEnoughUnitBytes = std::size_t{4} << 20;
/// The least rows of a unit, in multiples of the rows that its neighbours read too. Noise in 5000 x
/// 5000 pixels, two ranks of one thread on two Xeon cores, boxes of 256: 4.9 s with 4 (5
/// units), 4.0 with 2, 4.1 with 1; boxes of 64: 1.78 s with 2, 1.95 with 1 (one process: 4.1
/// and 1.71 s).
constexpr std::size_t kUnitHalos = 2;
/// Units get this much larger at most to be whole blocks: too few could not be shared. A guess.
constexpr std::size_t kMostGrowth = 4;

/// The rows that a strip holds: those it needs, except rows outside without a pixel.
Rows held_rows(const StripPlan& plan, Rows needed) {
  while (needed.count() > 0 && plan.source_row(needed.first) == kNoPixel) ++needed.first;
  while (needed.count() > 0 && plan.source_row(needed.end - 1) == kNoPixel) --needed.end;
  return needed;
}

/// Page-locked if a device works on the strip.
Scratch strip_memory(std::size_t bytes, int device) {
  std::shared_ptr<void> locked = device == kHost ? nullptr : page_locked_memory(bytes);
  if (!locked) return host_scratch(bytes);
  void* const data = locked.get();
  return {data, bytes, std::move(locked)};
}

AnyMutableView strip_view(Strip& strip, ImageInfo image, int rows, int device) {
  image.size.height = rows;
  image.device = kHost;
  strip.memory.push_back(strip_memory(static_cast<std::size_t>(bytes_of(image)), device));
  return packed(strip.memory.back().data(), image);
}

/// Reads runs of rows that are contiguous in the source, so a strip inside the image is one read.
void read_rows(RowSource& source, const StripPlan& plan, Rows held, AnyMutableView to) {
  for (int row = held.first; row < held.end;) {
    const int from = plan.source_row(row);
    int count = 1;
    while (row + count < held.end && plan.source_row(row + count) == from + count) ++count;
    source.read({from, from + count}, AnyMutableView(to.rows(row - held.first, count)));
    row += count;
  }
}

int strip_rows(const StripPlan& plan, std::size_t memory_limit, std::size_t enough_bytes) {
  const int height = plan.outputs[0].size.height;
  if (height == 0) return 1;  // nothing is streamed, so no limit is too little
  if (strip_bytes(plan, 1) > memory_limit)
    throw Error(ErrorKind::resources,
                fmt::format("memory limit: {} is too little; one row at a time takes {}; give more",
                            bytes_text(static_cast<double>(memory_limit)),
                            bytes_text(static_cast<double>(strip_bytes(plan, 1)))));
  const std::size_t per_row = strip_bytes(plan, 2) - strip_bytes(plan, 1);
  if (per_row == 0) return std::max(1, height);
  // Not so small that the halo, read again for every strip, would cost more than the strip.
  const std::size_t enough = std::max(enough_bytes, 8 * strip_bytes(plan, 1));
  const std::size_t rows = 1 + (std::min(memory_limit, enough) - strip_bytes(plan, 1)) / per_row;
  return static_cast<int>(std::min<std::size_t>(rows, std::max(1, height)));
}

/// The rows that the parts have made, in order.
void join_rows(PartRows& kept, std::span<RowSink* const> sinks, const StripPlan& plan,
               const RowUnits& units, int strip, const std::function<void(int, int)>& progress) {
  const int height = plan.outputs[0].size.height;
  kept.begin(plan.outputs, units);
  for (int unit = 0; unit < units.count(); ++unit)
    for (Rows todo = units.at(unit); todo.count() > 0; todo.first += strip) {
      const Rows rows{todo.first, std::min(todo.first + strip, todo.end)};
      Strip made;
      for (const ImageInfo& output : plan.outputs)
        made.outputs.push_back(strip_view(made, output, rows.count(), kHost));
      kept.fetch(rows, made.outputs);
      for (std::size_t i = 0; i < sinks.size(); ++i) sinks[i]->write(rows, made.outputs[i]);
      if (progress) progress(rows.end, height);
    }
  kept.end();
  for (RowSink* sink : sinks) sink->finish();
}

/// Every row of the image was made by one of the ranks.
void check_all_rows(Ranks& sharers, long long rows_done, int height) {
  sharers.end_units();
  if (const long long all = sum_of_ranks(rows_done); all != height)
    throw Error(ErrorKind::failure,
                fmt::format("{} of {} rows were made; this is a defect of Tessera", all, height));
}

}  // namespace

void ViewSource::read(Rows rows, AnyMutableView to) {
  copy_samples(view_.rows(rows.first, rows.count()), to);
}
void ViewSink::write(Rows rows, AnyView from) {
  copy_samples(from, AnyMutableView(view_.rows(rows.first, rows.count())));
}

RowUnits::RowUnits(const StripPlan& plan, int block_rows) : height_(plan.outputs[0].size.height) {
  if (height_ == 0) return;
  const std::size_t row = row_bytes(plan.inputs) + row_bytes(plan.outputs);
  const std::size_t enough =
      std::max(kEnoughUnitBytes / std::max(row, std::size_t{1}), kUnitHalos * halo_of(plan));
  const int group = std::max(1, plan.row_step);
  const auto both = static_cast<std::size_t>(std::lcm<long long>(group, block_rows));
  const std::size_t step = both <= kMostGrowth * enough ? both : static_cast<std::size_t>(group);
  const std::size_t steps = std::max(std::size_t{1}, (enough + step - 1) / step);
  rows_ = static_cast<int>(std::min(steps * step, static_cast<std::size_t>(height_)));
}

Rows RowUnits::at(int unit) const {
  const long long first = 1LL * unit * rows_;
  return {static_cast<int>(first), static_cast<int>(std::min<long long>(first + rows_, height_))};
}

int strip_rows(const StripPlan& plan, std::size_t memory_limit) {
  return strip_rows(plan, memory_limit, kEnoughStripBytes);
}

void stream_rows(std::span<RowSource* const> sources, std::span<RowSink* const> sinks,
                 const StripPlan& plan, Stream& stream,
                 const std::function<void(int, int)>& progress) {
  const int height = plan.outputs[0].size.height;
  const int device = stream.device();
  const int rows = strip_rows(plan, stream.memory_limit(),
                              device == kHost ? kEnoughStripBytes : kEnoughPageLockedBytes);
  int block = 1;
  for (const RowSink* sink : sinks) block = std::lcm(block, sink->block_rows());
  const RowUnits units(plan, block);
  Ranks& sharers = ranks();
  const bool shared = sharers.count() > 1;
  PartRows* const kept = sharers.part_rows();
  if (kept && sharers.first()) return join_rows(*kept, sinks, plan, units, rows, progress);
  const int step = rows >= units.rows() ? units.rows() : plan.row_step;
  Rows todo{0, shared ? 0 : height};
  long long rows_done = 0;
  if (shared) sharers.begin_units();
  if (kept) kept->begin(plan.outputs, units);
  const auto read = [&](Strip& strip) {
    if (shared && todo.count() == 0) {
      const long long unit = sharers.next_unit();
      if (unit >= units.count()) return false;
      todo = units.at(static_cast<int>(unit));
      ++sharers.units_done;
    }
    if (todo.count() == 0) return false;
    strip.out = {todo.first, strip_end(todo.first, rows, step, todo.end)};
    todo.first = strip.out.end;
    rows_done += strip.out.count();
    strip.in = held_rows(plan, plan.needs(strip.out));
    for (std::size_t i = 0; i < sources.size(); ++i) {
      strip.inputs.push_back(strip_view(strip, plan.inputs[i], strip.in.count(), device));
      read_rows(*sources[i], plan, strip.in, strip.inputs[i]);
    }
    for (const ImageInfo& output : plan.outputs)
      strip.outputs.push_back(strip_view(strip, output, strip.out.count(), device));
    return true;
  };
  const auto work = [&](Strip& strip) {
    std::vector<Piece> in;
    std::vector<MutablePiece> out;
    for (const AnyMutableView& view : strip.inputs) in.push_back({view, strip.in.first});
    for (const AnyMutableView& view : strip.outputs) out.push_back({view, strip.out.first});
    plan.run(in, out, stream);
    stream.wait();
  };
  const auto write = [&](Strip& strip) {
    if (kept) kept->keep(strip.out, strip.outputs);
    for (std::size_t i = 0; !kept && i < sinks.size(); ++i)
      sinks[i]->write(strip.out, strip.outputs[i]);
    if (progress) progress(strip.out.end, height);
  };
  if (rows >= height && !shared) {
    // There is nothing to overlap, and starting threads takes longer than a small image. The last
    // rows may be a strip of their own, because strips are cut between groups.
    for (Strip strip; read(strip); strip = {}) work(strip), write(strip);
  } else {
    ordered<Strip>(read, work, write, kStripsInFlight);
  }
  if (kept) return kept->end();
  if (shared) check_all_rows(sharers, rows_done, height);
  for (RowSink* sink : sinks) sink->finish();
}

}  // namespace tessera
