// SPDX-License-Identifier: Apache-2.0
/// Compares maps and spectra of a synthetic polarised sky with its truth.
#pragma once

#include <string>
#include <vector>

#include "sample/polarised_sources.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// NAME_truth.csv of `tessera sample polarised`. Throws Error(input).
std::vector<PolarisedSource> read_polarised_truth(const std::string& path);

/// The source has a single depth.
inline bool is_thin(const PolarisedSource& source) {
  return source.second.flux == 0 && source.thickness == 0;
}

/// Known properties of a field besides its sources.
struct PolarisedField {
  double sigma = 0;  ///< standard deviation of a source, pixels
  double noise = 0;  ///< of a spectrum's real and imaginary part
  double fwhm = 0;   ///< of the RMSF, rad/m^2
};

/// Differences of pixels near thin sources whose intensity is at least twenty times the noise.
struct FaradayDistance {
  int pixels = 0;
  double rm = 0;         ///< rms, rad/m^2
  double rm_errors = 0;  ///< rms of the same in units of FWHM noise / (2 intensity), its error
  double pi_errors = 0;  ///< rms of intensities' differences, in units of the noise
};
FaradayDistance distance_of_maps(const Image& rm, const Image& pi,
                                 const std::vector<PolarisedSource>& truth,
                                 const PolarisedField& field);

/// A pixel's spectrum: magnitudes of a cube over its planes.
std::vector<double> spectrum_of(const Image& magnitude, int x, int y);

/// The largest value more than one and a half widths away from `rm`; `phi` are the depths.
double largest_side_lobe(const std::vector<double>& magnitude, const std::vector<double>& phi,
                         double rm, double fwhm);

}  // namespace tessera
