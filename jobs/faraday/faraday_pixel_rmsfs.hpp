// SPDX-License-Identifier: Apache-2.0
/// RMSFs of single pixels, whose weights are their own or which lack channels in too many ways to
/// keep them all: the spectra of Q = 1, U = 0 with these weights.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "jobs/faraday/faraday_block.hpp"
#include "tessera/faraday_bands.hpp"

namespace tessera {

/// RMSFs that pixels of a strip have instead of that of all channels.
struct FaradayOwnRmsfs {
  std::span<const FaradayRmsf> rmsfs = {};
  std::span<const int> of_pixel = {};  ///< -1: that of all channels
};

/// The RMSFs of a strip, pixel by pixel.
struct FaradayPixelRmsfs {
  std::unique_ptr<FaradayBlock> real, imaginary;  ///< planes are depths of the RMSF
  std::vector<FaradayRmsf> rmsfs;                 ///< one per pixel that has channels
  std::vector<int> of_pixel;                      ///< -1: it has none
};

class FaradayPixelRmsfPlan {
 public:
  /// `fit`: widths are fitted, not theoretical.
  FaradayPixelRmsfPlan(const ImageInfo& cube, const FaradayAxes& axes, bool fit);

  /// Widths are those in `bands`, or they are fitted and put there.
  FaradayPixelRmsfs make(const FaradayVoxels& voxels, const FaradayBands& weights,
                         AnyMutableView bands, Stream& stream) const;
  double bytes_a_row() const;
  /// Those of some pixels, counted row by row, with the weights of the axes. The RMSF of a pixel
  /// does not depend on the others.
  std::vector<FaradayRmsf> make_of(std::span<const int> pixels, const FaradayVoxels& voxels,
                                   AnyView bands, Stream& stream) const;

 private:
  FaradayAxes axes_;  ///< depths are those of the RMSF
  bool fit_;
  FaradaySynth synth_;
};

}  // namespace tessera
