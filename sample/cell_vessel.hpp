// SPDX-License-Identifier: Apache-2.0
/// Where things are in a film of rolling cells: a gently curved vessel across the frame, and the
/// slow drift of the whole scene.
#pragma once

#include <cstdint>

#include "sample/cell_film_options.hpp"
#include "tessera/view.hpp"

namespace tessera {

struct Place {
  double x = 0, y = 0;
};

/// The vessel in the scene's coordinates, which are the frame's where the drift is 0.
class CellVessel {
 public:
  /// `options` are filled.
  CellVessel(Size frame, std::uint64_t seed, const CellFilmOptions& options);

  /// A point `along` pixels from the frame's middle, downstream, and `across` from the vessel's.
  Place at(double along, double across) const;
  /// The inverse.
  double along(Place place) const;
  double across(Place place) const;

  double half_width() const { return half_width_; }  ///< from the middle to a wall
  double length() const { return length_; }          ///< of the frame along the flow

  /// How far the scene has moved in a frame: nothing in the middle of the film.
  Place drift(int frame) const;
  bool in_frame(Place place) const;  ///< drift added

 private:
  double bend(double along) const;

  Size frame_;
  Place middle_, flow_, drift_;
  double middle_frame_, half_width_, length_, amplitude_, wave_, phase_;
};

}  // namespace tessera
