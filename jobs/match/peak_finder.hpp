// SPDX-License-Identifier: Apache-2.0
/// Looks for the peaks of a map while its strips are made, or in its file.
#pragma once

#include <vector>

#include "core/strips.hpp"
#include "io/image_file.hpp"
#include "tessera/match_template.hpp"

namespace tessera {

class PeakFinder {
 public:
  explicit PeakFinder(const PeakOptions& options) : options_(options) {}
  /// Looks at the maps of `strips`, whose output is `map`, while they run. One peak is the highest
  /// pixel, found strip by strip; for more a map must be kept in memory, or one of its planes if
  /// planes are made in turn.
  void watch(StripPlan& strips, const ImageInfo& map);
  /// Looks at a map that several ranks have made: none of them has seen all strips.
  void look_at(ImageSource& map);
  const std::vector<MatchPeak>& peaks() const { return peaks_; }

 private:
  void look(const MutablePiece& strip);
  void add(AnyView part, int first_row);

  PeakOptions options_;
  ImageInfo map_;
  Image kept_;
  int first_plane_ = 0;  ///< of the strips that come now
  std::vector<MatchPeak> peaks_;
};

}  // namespace tessera
