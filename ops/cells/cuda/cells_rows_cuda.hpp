// SPDX-License-Identifier: Apache-2.0
/// Rows of cells that a device has written: on their way to the host, and there.
#pragma once

#include <deque>
#include <mutex>
#include <vector>

#include "ops/cells/life/cells_life.cuh"
#include "tessera/cells.hpp"
#include "tessera/stream.hpp"

namespace tessera {

class CellsRowsCuda {
 public:
  using Row = CellRow<float>;

  /// Rows come on this stream.
  CellsRowsCuda(int films, int slots, Stream& stream)
      : stream_(stream), slots_(slots), rows_(static_cast<std::size_t>(films)) {}

  /// Rows of the next frames, `slots` of each film a frame, to the host. Only enqueued.
  void fetch(const Scratch& rows, int frames);

  /// Both wait for what is on its way; any thread may ask.
  int frames_done() const;
  std::vector<CellTrack> tracks(int film, int min_frames) const;

 private:
  struct Fetch {
    Scratch rows;
    int frames;
  };

  void collect() const;
  void take(const Fetch& fetched) const;

  Stream& stream_;
  int slots_;
  mutable std::mutex mutex_;  ///< of what follows: asking for tracks collects rows
  mutable std::deque<Fetch> fetches_;
  mutable std::vector<std::vector<Row>> rows_;  ///< a film
  mutable int done_ = 0;
};

}  // namespace tessera
