// SPDX-License-Identifier: Apache-2.0
/// The band of each pixel: what errors and widths owe to the channels that this pixel has.
///
///     FaradayBands plan(q.info(), axes, {.sigma = noise_of_channels});
///     plan({q, u}, bands);                       // seven planes, in the order of FaradayBand
///     maps(real, imaginary, bands, planes);      // FaradayMaps: errors pixel by pixel
///
/// Mosaics lack channels at their edges, and cubes of weights differ from pixel to pixel. With w_k
/// the weights of the channels at which Q and U of a pixel are finite, and sigma_k their noise,
///
///     noise    dF = sqrt(sum of w^2 sigma^2) / sum of w
///     mean     m = sum of w lambda^2 / sum of w
///     spread   s = sqrt(sum of w (lambda^2 - m)^2 / sum of w)
///     stretch  t = sqrt(sum of w^2 sigma^2 (lambda^2 - m)^2 / sum of w^2 sigma^2) / s
///     lean     r = (sum of w^2 sigma^2 (lambda^2 - m) / sum of w^2 sigma^2) / s
///
/// A source of amplitude A, without the bias of noise, in such a spectrum has a depth known to dF t
/// / (2 A s) and, with a = (l - m) / s, an angle at lambda^2 = l known to dF / (2 A) sqrt(1 + 2 a r
/// + a^2 t^2): the errors of a straight line through angles over lambda^2. If weights are 1 /
/// sigma^2, or all noise is the same and so are the weights, t is 1 and r is 0. They are taken to
/// be if sigma is not known.
///
/// Sums are in double and in the order of channels: every method gives the same bits.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "tessera/faraday.hpp"

namespace tessera {

enum class FaradayBand : unsigned char {
  noise,   ///< dF, in the unit of the spectra; NaN if sigma is not known
  fwhm,    ///< width of the RMSF by theory, rad/m^2; that of all channels if there is one frequency
  mean,    ///< of lambda^2, m^2
  spread,  ///< standard deviation of lambda^2, m^2
  channels,  ///< their number
  stretch,   ///< of the error of the depth by noise that does not fit the weights; 1: it does
  lean,      ///< of such noise towards long (above 0) or short wavelengths; 0: it does not
};
template <>
struct Names<FaradayBand> {
  static constexpr std::array<std::pair<std::string_view, FaradayBand>, 7> list{
      {{"noise", FaradayBand::noise},
       {"fwhm", FaradayBand::fwhm},
       {"mean", FaradayBand::mean},
       {"spread", FaradayBand::spread},
       {"channels", FaradayBand::channels},
       {"stretch", FaradayBand::stretch},
       {"lean", FaradayBand::lean}}};
};

struct FaradayBandsOptions {
  /// Noise of Q and U in every channel; empty: not known, or given voxel by voxel.
  std::vector<double> sigma = {};
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() { return run_fields<FaradayBandsOptions>(); }
};

/// Rows of cubes: planes are channels.
struct FaradayVoxels {
  AnyView q, u;
  /// Weights voxel by voxel, in Q's type; empty: those of the axes. Weights that are negative or
  /// not finite count as 0. Channels to which the axes give weight 0 never count.
  AnyView weight = {};
  /// Noise voxel by voxel, in Q's type; one plane: the same in all channels. Empty: the option.
  AnyView sigma = {};
};

/// Pixels are independent: rows may be given in pieces of any height. A pixel without channels has
/// NaN in all planes except `channels`, which is 0. Immutable; copies share.
class TESSERA_API FaradayBands : public ImagePlan {
 public:
  /// `image.size.planes` is the number of channels. Throws Error(usage) with what would be right.
  FaradayBands(const ImageInfo& image, const FaradayAxes& axes,
               const FaradayBandsOptions& options = {});

  void operator()(const FaradayVoxels& voxels, AnyMutableView bands) const;
  void operator()(const FaradayVoxels& voxels, AnyMutableView bands, Stream& stream) const;

  /// Q and U for FaradaySynth, whose weights W_k are the axes', so that it gives the sum with the
  /// weights w of the voxels: times w / W_k (sum of W) / (sum of w), both sums over the pixel's own
  /// channels; NaN where w is 0. The outputs may be the inputs.
  void weigh(const FaradayVoxels& voxels, AnyMutableView q, AnyMutableView u) const;
  void weigh(const FaradayVoxels& voxels, AnyMutableView q, AnyMutableView u, Stream& stream) const;
};

}  // namespace tessera
