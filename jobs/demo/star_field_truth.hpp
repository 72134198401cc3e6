// SPDX-License-Identifier: Apache-2.0
/// Compares a filtered field of points with the catalogue of the points drawn: a Gaussian filtered
/// by a Gaussian is a Gaussian, so every star's height is known.
#pragma once

#include <string>
#include <vector>

#include "sample/points.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// Reads the stars of `tessera sample points --truth` from a file.
std::vector<PointSource> read_stars(const std::string& path);

/// The shape of a star after filtering: its second moments, in pixels squared.
struct StarShape {
  double xx = 0, xy = 0, yy = 0;
};
/// For a star of width `sigma` and a filter of width `along` at `degrees` (counter-clockwise from
/// x) and `across` at a right angle to it.
StarShape shape_of_star(double sigma, double along, double across, double degrees);

/// Stars nearer to the image's edge than this are left out: borders change them.
inline constexpr int kStarMargin = 40;

/// The difference between the filtered image (f32) and the catalogue's stars on this background, on
/// and around them: its root mean square divided by the expected noise; 1 if all is right.
double misfit_over_noise(const Image& filtered, const std::vector<PointSource>& stars,
                         const StarShape& shape, double background, double noise);

/// Pixels above `threshold` at which an image equals its dilation: its peaks.
std::vector<Point> peaks_above(const Image& image, const Image& dilated, double threshold);

struct StarsFound {
  int there = 0;     ///< stars of the catalogue that are bright enough to be found
  int found = 0;     ///< of these, those with a peak at most four pixels away
  int mistaken = 0;  ///< peaks without any star of the catalogue

  bool all_right() const { return there > 0 && found == there && mistaken == 0; }
};
/// Stars below `least_flux` do not count.
StarsFound stars_found(const std::vector<Point>& peaks, const std::vector<PointSource>& stars,
                       double least_flux, Size size);

/// A grey picture (u8) in colour, with a frame around every peak; `corner` is the picture's
/// position in the image.
Image framed_peaks(const Image& picture, const std::vector<Point>& peaks, Point corner);

}  // namespace tessera
