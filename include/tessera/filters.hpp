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
/// 3x3 derivative along 'x' or 'y', -1 0 1, smoothed across by 1 2 1.
TESSERA_API Image sobel(char axis);
/// The same, smoothed across by 3 10 3.
TESSERA_API Image scharr(char axis);
/// The same, summed across by 1 1 1.
TESSERA_API Image prewitt(char axis);
/// 3x3 sum of second differences.
TESSERA_API Image laplacian();
/// The radius at which scipy.ndimage ends a Gaussian: int(truncate sigma + 0.5).
TESSERA_API int gaussian_radius(double sigma, double truncate = 4);
/// The weights of scipy.ndimage.gaussian_filter1d: samples of a Gaussian that sum to 1, or of its
/// derivative of an order, turned so that sums over pixels are derivatives: with order 1 weights of
/// positive x are positive. With a sigma of 0 nothing is smoothed.
TESSERA_API std::vector<double> gaussian_line(double sigma, int order, int radius);

/// How wide a Gaussian is along x and y, and where it ends; radius -1 is gaussian_radius(sigma).
struct GaussianSize {
  double sigma_x = 1, sigma_y = 1;
  int radius_x = -1, radius_y = -1;
};
/// Derivative of a Gaussian, of these orders along x and y.
TESSERA_API Image gaussian_derivative(const GaussianSize& size, int order_x, int order_y);
/// Sum of the second derivatives of a Gaussian along x and y.
TESSERA_API Image laplacian_of_gaussian(const GaussianSize& size);
/// A Gaussian minus a wider one.
TESSERA_API Image difference_of_gaussians(const GaussianSize& low, const GaussianSize& high);
/// The pixel, and `amount` times its difference from the mean under a Gaussian.
TESSERA_API Image unsharp(const GaussianSize& size, double amount = 1);
/// Cosine of `wavelength` pixels along `degrees` under a Gaussian of `sigma`; radius -1 is
/// ceil(3 sigma).
TESSERA_API Image gabor(double wavelength, double degrees, double sigma, int radius = -1);

/// The filter whose weight at column i, row j is row[i] * column[j].
TESSERA_API Image outer(const std::vector<double>& row, const std::vector<double>& column);

/// A filter as a sum of terms, each the product of a row and a column: instead of width * height
/// multiplications per pixel it takes width + height per term.
///
///     Image round = gaussian(2), striped = gabor(8, 30, 5);
///     FilterSplit split = separable(round.view());           // one term, split.exact()
///     FilterSplit gabor_split = low_rank(striped.view());    // two terms
struct FilterSplit {
  struct Term {
    std::vector<double> row, column;  ///< sum|row| is at most 1/2, so that no row sum overflows
  };
  std::vector<Term> terms;    ///< empty: no split was found
  int width = 0, height = 0;  ///< of the filter
  double magnitude = 0;       ///< sum |weight|
  double term_magnitude = 0;  ///< sum of sum|row| * sum|column| over the terms
  double residual = 0;        ///< sum |weight - sum of terms|

  /// Whether one term is the filter up to the rounding of its weights.
  TESSERA_API bool exact() const;
  /// How far filtering with the terms, rows first, may be from filtering with the exact weights,
  /// relative to the largest |pixel|: the residual and the rounding of sums with epsilon `eps`.
  TESSERA_API double bound(double eps) const;
};

/// The product of a row and a column closest to the filter around its largest weight: exact if
/// the filter is such a product, as Gaussians, boxes and Sobel filters are. Weights must be finite.
TESSERA_API FilterSplit separable(AnyView filter);

/// separable() if that is exact; otherwise as few terms (of the singular value decomposition) as
/// keep bound(eps) within the bound of direct sums, 2 n eps sum|weight|; no terms if that would
/// take more multiplications than direct sums. Sides up to 512; takes seconds there, milliseconds
/// up to 64.
TESSERA_API FilterSplit low_rank(AnyView filter, double eps = 0x1p-23);

/// A filter from a word: "gauss:2.5", "gaussian:2.5,6", "box:5x3", "box:5" … Throws Error(usage)
/// naming what would be right.
TESSERA_API Image filter_from_text(std::string_view text);

/// How each named filter is written, with one sentence, for help texts.
struct FilterUsage {
  const char* name;  ///< "gauss"
  const char* form;  ///< "gauss:SIGMA[,RADIUS]"
  const char* help;
  const char* other = "";  ///< another name that is read for it, "gaussian"; "" if there is none

  bool is_called(std::string_view word) const {
    return word == name || (!word.empty() && word == other);
  }
};
TESSERA_API const std::vector<FilterUsage>& filter_usages();

}  // namespace tessera
