// SPDX-License-Identifier: Apache-2.0
#include "core/staging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/device.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "core/rows.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

/// Larger strips are not needed: at this size copies overlap with work on mid-sized images too.
constexpr long long kEnoughBytes = 32LL << 20;

struct StripSizes {
  long long halo, in_row, out_row;  ///< rows that a strip needs besides its own, and bytes of rows
  long long bytes(long long rows) const { return (rows + halo) * in_row + rows * out_row; }
};

StripSizes sizes_of(const Piece& in, const MutablePiece& out, const RowRule& rule) {
  // Not only at the edge: needs() may leave out rows outside.
  const int middle = out.first_row + out.view.size.height / 2;
  const int needed = std::max(rule.needs({0, 1}).count(), rule.needs({middle, middle + 1}).count());
  return {needed - 1, bytes_of(strip_info(in.view, 1, 0)),
          bytes_of(strip_info(AnyView(out.view), 1, 0))};
}

/// Output rows per strip such that the strips in flight fit their part of the limit.
int staged_rows(const StripSizes& sizes, int height, const RowRule& rule, const Stream& stream) {
  const auto whole_limit = static_cast<long long>(stream.memory_limit());
  const long long limit = whole_limit / rule.limit_parts;
  const long long row = std::max(1LL, sizes.in_row + sizes.out_row);
  if (sizes.bytes(height) <= std::min(limit, kEnoughBytes)) return height;
  const long long fit = (limit / kStagedStrips - sizes.halo * sizes.in_row) / row;
  if (fit < 1)
    throw Error(
        ErrorKind::resources,
        fmt::format(
            "{}: {} on device {} is too little; one row at a time takes {}; give a "
            "larger memory limit or backend cpu",
            rule.operation, bytes_text(static_cast<double>(whole_limit)), stream.device(),
            bytes_text(static_cast<double>(rule.limit_parts * kStagedStrips * sizes.bytes(1)))));
  // Not so small that the halo, copied again for every strip, would cost more than the strip.
  const long long enough = std::max(kEnoughBytes / row, 8 * sizes.halo);
  return static_cast<int>(std::min<long long>({fit, enough, height}));
}

/// Copies the rows `found` names, except those at both ends that have no pixel, and returns
/// which rows of `needed` the copy holds.
Rows upload_rows(const Piece& in, Rows needed, std::vector<int> found, Stream& stream,
                 Scratch& memory, AnyMutableView& view) {
  while (!found.empty() && found.back() == kNoPixel) found.pop_back();
  const auto first =
      std::find_if(found.begin(), found.end(), [](int row) { return row != kNoPixel; });
  const Rows held{needed.first + static_cast<int>(first - found.begin()),
                  needed.first + static_cast<int>(found.size())};
  found.erase(found.begin(), first);
  const ImageInfo info = strip_info(in.view, held.count(), stream.device());
  memory = stream.scratch(static_cast<std::size_t>(bytes_of(info)));
  view = packed(memory.data(), info);
  for (std::size_t row = 0; row < found.size();) {
    std::size_t count = 1;
    while (row + count < found.size() && found[row + count] == found[row] + static_cast<int>(count))
      ++count;
    device_stream(stream).copy(in.view.rows(found[row], static_cast<int>(count)),
                               view.rows(static_cast<int>(row), static_cast<int>(count)));
    row += count;
  }
  return held;
}

/// A strip on its way through the device, on its own stream.
struct StagedStrip {
  Stream* lane = nullptr;
  Rows made, held;
  Scratch in_memory, out_memory;
  AnyMutableView in, out;
};

class Stage {
 public:
  Stage(const Piece& in, const MutablePiece& out, const RowRule& rule, const DeviceWork& work)
      : in_(in), out_(out), rule_(rule), work_(work) {}

  void upload(StagedStrip& strip) const {
    const Rows needed = rule_.needs(strip.made);
    const ImageInfo info = strip_info(AnyView(out_.view), strip.made.count(), strip.lane->device());
    strip.out_memory = strip.lane->scratch(static_cast<std::size_t>(bytes_of(info)));
    strip.out = packed(strip.out_memory.data(), info);
    strip.held = upload_rows(
        in_, needed,
        find_rows(rule_.operation, needed, in_.rows(), rule_.image_height, rule_.border),
        *strip.lane, strip.in_memory, strip.in);
  }
  void work(StagedStrip& strip) const {
    work_({strip.in, strip.held.first}, {strip.out, strip.made.first}, *strip.lane);
  }
  void download(StagedStrip& strip) const {
    device_stream(*strip.lane)
        .copy(strip.out, out_.view.rows(strip.made.first - out_.first_row, strip.made.count()));
  }
  /// The next strip of at most `rows` rows from `first` on.
  Rows next(int first, int rows) const {
    return {first, strip_end(first, rows, rule_.row_step, out_.rows().end)};
  }

 private:
  const Piece& in_;
  const MutablePiece& out_;
  const RowRule& rule_;
  const DeviceWork& work_;
};

/// Upload, work and download of neighbouring strips at the same time.
void run_overlapped(const Stage& stage, Rows all, int rows, Stream& stream) {
  std::vector<Stream>& lanes = staging_lanes(stream);
  int next = all.first;
  std::size_t strips = 0;
  try {
    ordered<StagedStrip>(
        [&](StagedStrip& strip) {
          if (next >= all.end) return false;
          strip.lane = &lanes[strips++ % lanes.size()];
          strip.made = stage.next(next, rows);
          next = strip.made.end;
          stage.upload(strip);
          return true;
        },
        [&](StagedStrip& strip) { stage.work(strip); },
        [&](StagedStrip& strip) {
          stage.download(strip);
          strip.lane->wait();
        },
        kStagedStrips);
  } catch (...) {
    for (Stream& lane : lanes) lane.wait();  // enqueued work still uses the images
    throw;
  }
}

void run_in_turn(const Stage& stage, Rows all, Stream& stream) {
  StagedStrip strip;
  strip.lane = &stream;
  strip.made = all;
  stage.upload(strip);
  stage.work(strip);
  stage.download(strip);
}

}  // namespace

std::vector<Stream>& staging_lanes(Stream& stream) {
  thread_local std::map<int, std::vector<Stream>> lanes;
  std::vector<Stream>& mine = lanes[stream.device()];
  while (mine.size() < kStagedStrips) mine.emplace_back(stream.device());
  for (Stream& lane : mine) {
    device_stream(lane).limit_copies(copy_limits(stream));
    lane.after(stream);
  }
  return mine;
}

void run_staged(const Piece& in, const MutablePiece& out, const RowRule& rule, Stream& stream,
                const DeviceWork& on_device) {
  const Stage stage(in, out, rule, on_device);
  const Rows all = out.rows();
  for (int rows = staged_rows(sizes_of(in, out, rule), all.count(), rule, stream);;) {
    try {
      if (rows >= all.count()) return run_in_turn(stage, all, stream);
      return run_overlapped(stage, all, rows, stream);
    } catch (const Error& error) {
      // Others may hold memory we counted on: smaller strips may still fit.
      if (error.kind() != ErrorKind::resources || rows <= 1) throw;
      rows = std::max(1, rows / 4);
    }
  }
}

}  // namespace tessera
