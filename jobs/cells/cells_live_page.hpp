// SPDX-License-Identifier: Apache-2.0
/// The page of a film that is being recorded: its last frame with cells, counts, speeds, latency.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jobs/cells/cells_latency.hpp"
#include "jobs/cells/cells_preview_page.hpp"
#include "jobs/cells/cells_result.hpp"

namespace tessera {

inline constexpr const char* kLivePageName = "live.html";

/// A film as it is now. `result` holds tracks, and for the page also counts and histogram.
struct LiveShot {
  CellsFilmResult result;
  CellsLatency latency;
  std::optional<PreviewPicture> picture;  ///< none: no result is known of a frame that was kept
  int shown_frame = 0;                    ///< counted in the film
  int arrived = 0, done = 0;              ///< frames
  double seconds = 0;                     ///< since the first frame
  long long last_frame_ms = 0;            ///< of the clock on the wall, when it arrived
  double page_every = 2;                  ///< seconds
  std::string ended = {};                 ///< why; empty: it goes on
};

/// How many later frames results wait for with these options, in words.
std::string waits_text(const CellsOptions& given);

std::string live_page(const LiveShot& shot, const std::string& waits);

/// Pictures of frames until their results are known: of every eighth frame, because results may be
/// hundreds of frames behind, and of those that were the latest when a page was made.
class KeptPictures {
 public:
  static bool wants(int frame);
  /// Results are known of the first `done` frames: only the newest of their pictures is kept.
  void add(int frame, PreviewPicture picture, int done);
  int last() const { return kept_.empty() ? -1 : kept_.back().frame; }
  /// The newest of a frame before `done`; null if there is none.
  const PreviewPicture* newest(int done, int& frame);

 private:
  void forget_before(int done);

  struct Kept {
    int frame = 0;
    PreviewPicture picture;
  };
  std::vector<Kept> kept_;
};

}  // namespace tessera
