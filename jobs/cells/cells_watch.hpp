// SPDX-License-Identifier: Apache-2.0
/// A film that is being recorded: its cells are followed as frames arrive, with a live page and
/// latencies. When it ends the files are those of a CellsJob.
///
///     EndRequest end;
///     CellsWatchJob job{.track = {.input = "-", .output = "out"}};
///     job.track.reading.raw = "640x480:u8";
///     CellsWatchResult result = job.run(end);
#pragma once

#include <optional>
#include <string>
#include <tuple>

#include "jobs/cells/cells_job.hpp"
#include "jobs/cells/cells_latency.hpp"
#include "jobs/end_request.hpp"

namespace tessera {

struct CellsWatchOptions {
  std::optional<double> idle;
  double page_every = 2;

  static constexpr auto fields() {
    using O = CellsWatchOptions;
    return std::tuple{
        field("idle", &O::idle,
              "end after this many seconds without a new frame; auto: 10 for files and folders, a "
              "pipe is read to its end",
              more_than(0)),
        field("page-every", &O::page_every, "seconds between two versions of the live page",
              Range{0.1, 3600})};
  }
};

struct CellsWatchResult : CellsResult {
  std::string ended;  ///< why
  std::string waits;  ///< for how many later frames results wait, in words
  CellsLatency latency;

  static constexpr auto fields() {
    using R = CellsWatchResult;
    return std::tuple_cat(
        CellsResult::fields(),
        std::tuple{field("ended", &R::ended, "why the recording ended"),
                   field("waits", &R::waits, "for how many later frames results wait"),
                   field("latency", &R::latency, "from the arrival of frames to their results")});
  }
  std::string describe() const;
};

struct CellsWatchJob {
  CellsJob track;  ///< the input is a pipe, a growing file or a folder; it has no edits
  CellsWatchOptions watch;

  /// Returns when the recording has ended or its end was asked for. Frames that cannot be read, or
  /// came too late, give warnings. Throws Error; Error(input) if there was no frame.
  CellsWatchResult run(const EndRequest& end, const Progress& progress = {}) const;
};

}  // namespace tessera
