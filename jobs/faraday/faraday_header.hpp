// SPDX-License-Identifier: Apache-2.0
/// Headers of the results from Q and U, as in RM-Tools.
#pragma once

#include <optional>
#include <string>

#include "io/header_cards.hpp"
#include "jobs/faraday/faraday_cube_axes.hpp"

namespace tessera {

/// A regular axis of depths.
struct FaradayDepthAxis {
  int count = 0;
  double first = 0, step = 0;

  /// The pixel in the middle, counted from 1 as FITS does, and its depth.
  int reference() const { return count / 2 + 1; }
  double at_reference() const { return first + (reference() - 1) * step; }
};

/// The contents of a file, besides its axes.
struct FaradayContent {
  std::string stokes;               ///< "Q", "U", or "" for their magnitude
  std::optional<std::string> unit;  ///< nothing: as in the input
};

/// For a cube over depths: all of the input's cards except those of the spectral axis.
HeaderCards depth_header(const HeaderCards& input, const FaradayCubeAxes& axes,
                         const FaradayDepthAxis& depths, double lambda2_0,
                         const FaradayContent& content);

/// For a file that is already a cube of depths, with another Stokes parameter: "Q", "U", or "" for
/// their magnitude.
HeaderCards with_stokes(HeaderCards depth_header, const FaradayCubeAxes& axes,
                        const std::string& stokes);

/// For files with values per RMSF, not per pixel: x and y mean nothing.
HeaderCards without_sky(HeaderCards header, const FaradayCubeAxes& axes);

/// For a map that keeps the input's axes, with length 1 along depths and Stokes. CRPIX and CRVAL
/// of such axes mean nothing, and are those that RM-Tools leaves in.
HeaderCards flat_header(const HeaderCards& depth_header, const FaradayCubeAxes& axes,
                        const std::string& unit);
/// The same for the number of RM-CLEAN's iterations.
HeaderCards iterations_header(const HeaderCards& depth_header, const FaradayCubeAxes& axes);

/// For a map of two axes.
HeaderCards map_header(const HeaderCards& depth_header, const FaradayCubeAxes& axes,
                       const std::string& unit);

}  // namespace tessera
