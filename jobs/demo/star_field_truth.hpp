// SPDX-License-Identifier: Apache-2.0
/// A field of points that was filtered, held against the catalogue of what was drawn: a Gaussian
/// under a Gaussian is a Gaussian, so every star's height is known.
#pragma once

#include <string>
#include <vector>

#include "sample/points.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// The stars of `tessera sample points --truth`, by file.
std::vector<PointSource> read_stars(const std::string& path);

/// How wide a star is after filtering: its second moments, in pixels squared.
struct StarShape {
  double xx = 0, xy = 0, yy = 0;
};
/// Of a star of width `sigma` under a filter that is `along` wide at `degrees` (counter-clockwise
/// from x) and `across` wide at a right angle.
StarShape shape_of_star(double sigma, double along, double across, double degrees);

/// Stars nearer to the image's edge than this are left out: borders change them.
inline constexpr int kStarMargin = 40;

/// How far the filtered image (f32) is from the catalogue's stars on this background, on and around
/// them: the root of the mean square, over the noise that is to be there. 1 where all is right.
double misfit_over_noise(const Image& filtered, const std::vector<PointSource>& stars,
                         const StarShape& shape, double background, double noise);

/// Pixels above `threshold` where an image is as high as its dilation: the tops of what is there.
std::vector<Point> peaks_above(const Image& image, const Image& dilated, double threshold);

struct StarsFound {
  int there = 0;     ///< stars of the catalogue that are bright enough to be found
  int found = 0;     ///< of these, those with a peak at most four pixels away
  int mistaken = 0;  ///< peaks without any star of the catalogue

  bool all_right() const { return there > 0 && found == there && mistaken == 0; }
};
/// Stars count from `least_flux` on.
StarsFound stars_found(const std::vector<Point>& peaks, const std::vector<PointSource>& stars,
                       double least_flux, Size size);

/// A grey picture (u8) in colour, with a frame around every peak; `corner` is where the picture
/// was cut from.
Image framed_peaks(const Image& picture, const std::vector<Point>& peaks, Point corner);

}  // namespace tessera
