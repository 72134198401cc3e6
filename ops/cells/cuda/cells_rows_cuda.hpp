// SPDX-License-Identifier: Apache-2.0
/// Rows of cells and drifts of frames written by a device: in transit to the host, and on the host.
#pragma once

#include <deque>
#include <mutex>
#include <vector>

#include "ops/cells/cells_problem.hpp"
#include "ops/cells/life/cells_life.cuh"
#include "tessera/cells.hpp"
#include "tessera/stream.hpp"

namespace tessera {

class CellsRowsCuda {
 public:
  using Row = CellRow<float>;

  /// Rows are copied on this stream.
  CellsRowsCuda(int films, int slots, Stream& stream)
      : stream_(stream),
        slots_(slots),
        rows_(static_cast<std::size_t>(films)),
        drifts_(rows_.size()) {}

  /// Copies the rows of the next frames, `slots` per film and frame, to the host. Only enqueued.
  /// `drifts`: page-locked memory that their drifts are being copied to, one CellsPlace per frame
  /// and film, or none.
  void fetch(const Scratch& rows, const Scratch& drifts, int frames);

  /// All wait for rows in transit; may be called from any thread.
  int frames_done() const;
  std::vector<CellTrack> tracks(int film, int min_frames) const;
  CellsLives lives(int film) const;
  std::vector<CellDrift> drifts(int film) const;

 private:
  struct Fetch {
    Scratch rows, drifts;
    int frames;
  };

  void collect() const;
  void take(const Fetch& fetched) const;

  Stream& stream_;
  int slots_;
  mutable std::mutex mutex_;  ///< guards the members below: asking for tracks collects rows
  mutable std::deque<Fetch> fetches_;
  mutable std::vector<std::vector<Row>> rows_;          ///< one per film
  mutable std::vector<std::vector<CellDrift>> drifts_;  ///< likewise
  mutable int done_ = 0;
};

}  // namespace tessera
