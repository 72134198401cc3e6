// SPDX-License-Identifier: Apache-2.0
/// Filters by name. Each is an f64 image of weights.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tessera/export.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// Gaussian of standard deviation `sigma` pixels; radius -1 is ceil(4 sigma). Sums to 1.
TESSERA_API Image gaussian(double sigma, int radius = -1);
/// Gaussian with two widths, the first along `degrees` (counter-clockwise from x). Sums to 1.
TESSERA_API Image anisotropic_gaussian(double sigma_along, double sigma_across, double degrees,
                                       int radius = -1);
/// Mean of width x height pixels.
TESSERA_API Image box(int width, int height);
/// The outer product of 1, 2 … (n+1)/2 … 2, 1 with itself, summing to 1; n is odd.
TESSERA_API Image triangle(int n);
/// 3x3 derivative along 'x' or 'y', smoothed across.
TESSERA_API Image sobel(char axis);
/// 3x3 sum of second differences.
TESSERA_API Image laplacian();
/// Cosine of `wavelength` pixels along `degrees` under a Gaussian of `sigma`; radius -1 is
/// ceil(3 sigma).
TESSERA_API Image gabor(double wavelength, double degrees, double sigma, int radius = -1);

/// A filter from a word: "gauss:2.5", "gauss:2.5,6", "box:5x3" … Throws Error(usage) naming what
/// would be right.
TESSERA_API Image filter_from_text(std::string_view text);

/// How each named filter is written, with a sentence, for help texts.
struct FilterUsage {
  const char* name;  ///< "gauss"
  const char* form;  ///< "gauss:SIGMA[,RADIUS]"
  const char* help;
};
TESSERA_API const std::vector<FilterUsage>& filter_usages();

}  // namespace tessera
