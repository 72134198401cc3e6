// SPDX-License-Identifier: Apache-2.0
/// Geometry of a film of rolling cells: a gently curved vessel across the frame, and the
/// slow drift of the whole scene.
#pragma once

#include <cstdint>

#include "sample/cell_film_options.hpp"
#include "tessera/view.hpp"

namespace tessera {

struct Place {
  double x = 0, y = 0;
};

/// The vessel in the scene's coordinates, which are the frame's if the drift is 0.
class CellVessel {
 public:
  /// `options` have no open values.
  CellVessel(Size frame, std::uint64_t seed, const CellFilmOptions& options);

  /// A point `along` pixels from the frame's centre, downstream, and `across` from the vessel's.
  Place at(double along, double across) const;
  /// The inverse.
  double along(Place place) const;
  double across(Place place) const;

  double half_width() const { return half_width_; }  ///< from the centre to a wall
  double length() const { return length_; }          ///< of the frame along the flow

  /// The displacement of the scene in a row of a frame. It is the same in all rows, and zero in the
  /// middle of the film, unless the scene sways: that moves the last rows three times as far as the
  /// first, as tissue does that is stretched by a breath.
  Place drift(int frame, double row) const;
  Place drift(int frame) const { return drift(frame, middle_.y); }
  /// Where a point of the scene is seen.
  Place seen(Place scene, int frame) const;
  double farthest_drift() const;     ///< along either axis, over all frames and rows
  bool in_frame(Place place) const;  ///< with the drift added

 private:
  double bend(double along) const;

  Size frame_;
  Place middle_, flow_, drift_, jump_, sway_;
  int frames_;
  double middle_frame_, half_width_, length_, amplitude_, wave_, phase_;
};

}  // namespace tessera
