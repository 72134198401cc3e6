// SPDX-License-Identifier: Apache-2.0
#include "jobs/match/peak_finder.hpp"

#include <algorithm>
#include <tuple>

namespace tessera {

void PeakFinder::watch(StripPlan& strips, const ImageInfo& map) {
  map_ = map;
  first_plane_ = 0;
  peaks_.clear();
  if (options_.count > 1) kept_ = Image(map);
  strips.run = [this, run = strips.run](std::span<const Piece> in,
                                        std::span<const MutablePiece> out, Stream& stream) {
    run(in, out, stream);
    look(out[0]);
  };
}

void PeakFinder::look(const MutablePiece& strip) {
  const bool last = strip.rows().end == map_.size.height;
  if (options_.count == 1) {
    add(strip.view, strip.first_row);
  } else {
    copy_samples(strip.view, kept_.view().rows(strip.first_row, strip.view.size.height));
    if (last) add(std::as_const(kept_).view(), 0);
  }
  if (last) first_plane_ += map_.size.planes;
}

void PeakFinder::add(AnyView part, int first_row) {
  for (MatchPeak peak : match_peaks(part, options_)) {
    peak.y += first_row;
    peak.plane += first_plane_;
    peaks_.push_back(peak);
  }
  std::ranges::sort(peaks_, {}, [](const MatchPeak& peak) {
    return std::tuple(-peak.value, peak.plane, peak.y, peak.x);
  });
  if (std::ssize(peaks_) > options_.count) peaks_.resize(static_cast<std::size_t>(options_.count));
}

}  // namespace tessera
