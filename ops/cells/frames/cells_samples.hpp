// SPDX-License-Identifier: Apache-2.0
/// A few frames of a film, evenly spaced, kept for a second look at its tracks
/// (look/cells_doubts.hpp).
#pragma once

#include <vector>

#include "tessera/image.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

class CellsSamples {
 public:
  struct Sample {
    int frame;
    Image planes;  ///< one per film, on the host
  };

  /// The next frame of every film, in any memory. All are copied at first, then every n-th; n
  /// doubles when there are too many.
  void offer(AnyView frames, Stream& stream);
  const std::vector<Sample>& kept() const { return kept_; }
  int offered() const { return next_; }  ///< frames
  /// Whether all frames are kept, and no more will be.
  bool is_full() const;
  /// Frames spread evenly, `count` of all films together, but at least one of each film.
  std::vector<AnyView> spread(std::size_t count) const;
  /// The same frames, changed: Image change(AnyView).
  template <class Change>
  CellsSamples each(Change change) const {
    CellsSamples others;
    others.next_ = next_;
    others.every_ = every_;
    for (const Sample& sample : kept_)
      others.kept_.push_back({sample.frame, change(sample.planes.view())});
    return others;
  }

 private:
  int next_ = 0, every_ = 1;
  std::vector<Sample> kept_;
};

}  // namespace tessera
