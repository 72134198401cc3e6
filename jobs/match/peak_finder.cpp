// SPDX-License-Identifier: Apache-2.0
#include "jobs/match/peak_finder.hpp"

#include <algorithm>
#include <tuple>

#include "io/packed_rows.hpp"

namespace tessera {
namespace {

constexpr long long kPartBytes = 16 << 20;

}  // namespace

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

void PeakFinder::look_at(ImageSource& map) {
  peaks_.clear();
  map_ = map.info();
  const int height = map_.size.height;
  ImageInfo part = map_;
  part.size.planes = 1;
  if (options_.count == 1)
    part.size.height =
        static_cast<int>(std::clamp<long long>(kPartBytes / row_bytes(part), 1, height));
  Image rows(part);
  for (first_plane_ = 0; first_plane_ < map_.size.planes; ++first_plane_)
    for (int first = 0; first < height; first += part.size.height) {
      const int count = std::min(part.size.height, height - first);
      const AnyMutableView view(rows.view().rows(0, count));
      map.read_plane(first_plane_, {first, first + count}, view);
      add(view, first);
    }
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
