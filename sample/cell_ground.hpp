// SPDX-License-Identifier: Apache-2.0
/// The background that cells roll over: texture and the vessel's walls in the scene's coordinates,
/// and the uneven light of the frame.
#pragma once

#include <cstdint>
#include <vector>

#include "sample/cell_film_options.hpp"
#include "sample/cell_vessel.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Smooth random values with mean 0 and standard deviation 1: white noise blurred by Gaussians. At
/// a scale of L pixels the autocorrelation falls to 1/e at a distance of L; scales are about an
/// octave apart, from fine to coarse, and each has the same variance.
std::vector<float> texture_field(int width, int height, std::uint64_t seed, double fine,
                                 double coarse, int threads);

class CellGround {
 public:
  /// `options` have no open values.
  CellGround(Size frame, std::uint64_t seed, const CellFilmOptions& options,
             const CellVessel& vessel, int threads);

  /// The lit background of a row of a frame: light x (ground + walls + texture).
  void row(int row, Place drift, float* values) const;

 private:
  Size frame_;
  int margin_, width_;
  std::vector<float> scene_, light_;
};

}  // namespace tessera
