// SPDX-License-Identifier: Apache-2.0
/// Maps of the strongest source in every Faraday spectrum: depth, polarised intensity, angles,
/// errors.
///
///     FaradayMaps plan(spectra_info, axes, fwhm, {FaradayMap::rm, FaradayMap::pi});
///     plan(real, imaginary, maps);            // one plane per map
///
/// The fit takes the largest |F| except at the first and last depth; a parabola through it and its
/// neighbours gives depth and amplitude between grid points. If it opens upwards, or its top lies
/// outside the grid, the fitted values are NaN. The first of equals counts, NaN never does; a pixel
/// with nothing but NaN is NaN in all maps.
///
/// Every method computes in double and gives the reference's numbers to the last bit, except
/// angles on a GPU, which has its own arc tangent (docs/accuracy.md).
#pragma once

#include <complex>
#include <limits>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "tessera/faraday.hpp"

namespace tessera {

enum class FaradayMap : unsigned char {
  max_pi,         ///< the largest |F| of the grid, including the first and last depth
  peak_rm,        ///< its depth
  rm,             ///< fitted depth, rad/m^2
  rm_error,       ///< of rm: dF stretch / (2 amplitude spread) (faraday_bands.hpp)
  pi,             ///< fitted amplitude
  pi_debiased,    ///< sqrt(pi^2 - 2.3 dF^2) if pi >= 5 dF, else pi
  snr,            ///< pi / dF
  angle,          ///< 0.5 atan2(Im, Re) at the fitted depth, degrees in [0, 180)
  angle_error,    ///< degrees (faraday_bands.hpp)
  angle_0,        ///< the same at lambda = 0
  angle_0_error,  ///< degrees; times sqrt((n - 1) / (n - 2)) for n channels, as in RM-Tools
  noise,          ///< dF: theoretical, or measured away from the peak
  second_moment,  ///< spread of |F| over depth, rad/m^2
  rm_error_fwhm,  ///< RM-Tools' estimate of rm_error: fwhm dF / (2 amplitude), 9 to 34% larger
};
template <>
struct Names<FaradayMap> {
  static constexpr std::array<std::pair<std::string_view, FaradayMap>, 14> list{
      {{"max-pi", FaradayMap::max_pi},
       {"peak-rm", FaradayMap::peak_rm},
       {"rm", FaradayMap::rm},
       {"rm-error", FaradayMap::rm_error},
       {"pi", FaradayMap::pi},
       {"pi-debiased", FaradayMap::pi_debiased},
       {"snr", FaradayMap::snr},
       {"angle", FaradayMap::angle},
       {"angle-error", FaradayMap::angle_error},
       {"angle-0", FaradayMap::angle_0},
       {"angle-0-error", FaradayMap::angle_0_error},
       {"noise", FaradayMap::noise},
       {"second-moment", FaradayMap::second_moment},
       {"rm-error-fwhm", FaradayMap::rm_error_fwhm}}};
};

struct FaradayMapsOptions {
  /// Theoretical dF; NaN: measured in every spectrum, as median(|x - median x|) / 0.6745 over
  /// finite real and imaginary parts away from the peak: with s = 2 ceil(fwhm / dphi), depths peak
  /// - s to peak + s - 1 are left out, unless less than 30% remained.
  double noise = std::numeric_limits<double>::quiet_NaN();
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = FaradayMapsOptions;
    return std::tuple_cat(
        std::tuple{field("noise", &O::noise, "of the spectra; nan: measured away from the peak")},
        run_fields<O>());
  }
};

/// One spectrum's values, in the order of FaradayMap, in double.
struct FaradayPeak {
  int index = -1;  ///< of the largest |F| except at the first and last depth; -1: there is none
  double max_pi = 0, peak_rm = 0, rm = 0, rm_error = 0, pi = 0, pi_debiased = 0, snr = 0;
  double angle = 0, angle_error = 0, angle_0 = 0, angle_0_error = 0, noise = 0, second_moment = 0;
  double rm_error_fwhm = 0;
  double real = 0, imaginary = 0;  ///< F at the fitted depth, between its neighbours
};

/// The definition: all maps are this, pixel by pixel. `noise` NaN: measured. Mean, spread and
/// number of channels are those that count in the axes: for a pixel that lacks some, give axes in
/// which their weight is 0.
TESSERA_API FaradayPeak faraday_peak(std::span<const std::complex<double>> spectrum,
                                     const FaradayAxes& axes, double fwhm, double noise);

/// Theoretical dF: sqrt(sum of w^2 sigma^2) / sum of w, with one sigma per channel.
TESSERA_API double faraday_noise(const FaradayAxes& axes, std::span<const double> sigma);

/// The output has one plane per map, in the order requested. Rows may be given in pieces of any
/// height. Immutable; copies share.
class TESSERA_API FaradayMaps : public ImagePlan {
 public:
  /// Throws Error(usage) with what would be right.
  FaradayMaps(const ImageInfo& spectra, const FaradayAxes& axes, double fwhm,
              const std::vector<FaradayMap>& maps, const FaradayMapsOptions& options = {});

  /// All pixels have the channels of the axes, the width of the plan and its noise.
  void operator()(AnyView real, AnyView imaginary, AnyMutableView maps) const;
  void operator()(AnyView real, AnyView imaginary, AnyMutableView maps, Stream& stream) const;
  /// Each has its own (faraday_bands.hpp), in the type of the spectra; where the noise in `bands`
  /// is NaN, it is the plan's. Views of bands without data: none.
  void operator()(AnyView real, AnyView imaginary, AnyView bands, AnyMutableView maps) const;
  void operator()(AnyView real, AnyView imaginary, AnyView bands, AnyMutableView maps,
                  Stream& stream) const;
};

}  // namespace tessera
