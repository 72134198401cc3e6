// SPDX-License-Identifier: Apache-2.0
/// A smooth curve of Stokes I over frequency, fitted to every pixel of a cube: the model by which Q
/// and U are divided, and the map of spectral indices.
///
///     StokesFit plan(i.info(), frequencies, {.order = 2, .sigma = noise_of_channels});
///     Image model(i.info()), maps(plan.output());
///     plan({i.view()}, model.view(), maps.view());
///     maps.as<float>().at(x, y, 0, StokesPlanes::alpha);   // d ln I / d ln frequency
///
/// With x = frequency / reference and L = log10 x the curves are
///
///     log      I = c0 10^(c1 L + c2 L^2 + ...)        c1 is the spectral index alpha
///     linear   I = c0 + c1 x + c2 x^2 + ...           alpha = sum of k c_k / sum of c_k
///
/// as in RM-Tools (rmtools_fitIcube) and rm-lite. The sum over channels of ((I - model) / sigma)^2
/// is minimised; with loss cauchy that of s^2 ln(1 + ((I - model) / sigma)^2 / s^2), which channels
/// with interference do not pull. Errors are roots of the diagonal of the inverse of sum J^T J (of
/// the weighted J that scipy's curve_fit has for cauchy); alpha's error has the full covariance.
///
/// A channel counts in a pixel if I is finite and sigma finite and above 0. Pixels are left out,
/// with NaN in the model and in all results except channels, snr and status, if
///
///   * fewer than |order| + 2 channels count,
///   * median(I) sqrt(n) / median(sigma) of its n channels is below `snr` (0: no cut),
///   * its channels do not determine the curve, or no minimum is found,
///   * the model falls to `floor` median(sigma) / sqrt(n) or below in any channel of the cube, or
///     leaves the range of float: Q and U cannot be divided by it. A floor below 0 leaves out none.
///
/// All methods except the reference give the same bits, for any number of threads and any pieces.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tessera/plan.hpp"

namespace tessera {

enum class StokesCurve : unsigned char { log, linear };
template <>
struct Names<StokesCurve> {
  static constexpr std::array<std::pair<std::string_view, StokesCurve>, 2> list{
      {{"log", StokesCurve::log}, {"linear", StokesCurve::linear}}};
};

enum class StokesLoss : unsigned char { squares, cauchy };
template <>
struct Names<StokesLoss> {
  static constexpr std::array<std::pair<std::string_view, StokesLoss>, 2> list{
      {{"squares", StokesLoss::squares}, {"cauchy", StokesLoss::cauchy}}};
};

inline constexpr int kMostStokesOrder = 5;  ///< the range of `order` says it again

/// The value of plane `status`.
enum class StokesStatus : unsigned char {
  fitted,
  few_channels,   ///< fewer channels count than the order needs
  low_snr,        ///< below the cut
  undetermined,   ///< its channels do not determine the coefficients
  not_converged,  ///< no minimum after 300 steps
  below_floor,    ///< the model is too small in a channel, or not in the range of float
};
template <>
struct Names<StokesStatus> {
  static constexpr std::array<std::pair<std::string_view, StokesStatus>, 6> list{
      {{"fitted", StokesStatus::fitted},
       {"few-channels", StokesStatus::few_channels},
       {"low-snr", StokesStatus::low_snr},
       {"undetermined", StokesStatus::undetermined},
       {"not-converged", StokesStatus::not_converged},
       {"below-floor", StokesStatus::below_floor}}};
};

/// Where the planes of the results begin. Coefficients above the order of a pixel are 0, and so are
/// their errors and covariances.
struct StokesPlanes {
  static constexpr int coefficient = 0;  ///< c0 to c5
  static constexpr int error = 6;        ///< of c0 to c5
  static constexpr int covariance = 12;  ///< of c_i and c_j, j <= i: plane i (i + 1) / 2 + j
  static constexpr int alpha = 33;       ///< d ln I / d ln frequency at the reference
  static constexpr int alpha_error = 34;
  static constexpr int order = 35;
  static constexpr int reference = 36;    ///< Hz
  static constexpr int chi_squared = 37;  ///< the minimum: of loss cauchy if that is chosen
  static constexpr int reduced = 38;      ///< divided by channels - order - 1
  static constexpr int snr = 39;          ///< median(I) sqrt(n) / median(sigma)
  static constexpr int channels = 40;     ///< that count
  static constexpr int status = 41;       ///< StokesStatus
  static constexpr int count = 42;
};

struct StokesFitOptions {
  StokesCurve curve = StokesCurve::log;
  int order = 2;
  double snr = 5;
  double floor = 0.01;
  /// Nothing: each pixel's own, 1 / sqrt(mean of 1 / f^2) over its channels, as in RM-Tools.
  std::optional<double> reference;
  StokesLoss loss = StokesLoss::squares;
  double loss_scale = 3;
  int min_channels = 0;
  /// Noise of I in every channel; empty: given voxel by voxel.
  std::vector<double> sigma = {};
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = StokesFitOptions;
    return std::tuple_cat(
        std::tuple{
            field("curve", &O::curve, "the curve: a polynomial of logarithms or of frequencies"),
            field("order", &O::order,
                  "its order; below 0: the best up to that, by Akaike's criterion", Range{-5, 5}),
            field("snr", &O::snr,
                  "leave out pixels whose median(I) sqrt(channels) / noise is below; 0: none",
                  Range{0}),
            field("floor", &O::floor,
                  "leave out pixels whose curve falls to this multiple of noise / sqrt(channels); "
                  "below 0: none",
                  Range{}),
            field("reference", &O::reference,
                  "the frequency of the coefficients, in hertz; auto: that of each pixel's "
                  "channels",
                  more_than(0)),
            field("loss", &O::loss, "squares, or cauchy: bad channels count less"),
            field("loss-scale", &O::loss_scale, "how many times the noise is far away, for cauchy",
                  more_than(0)),
            field("min-channels", &O::min_channels,
                  "channels that a pixel must have; 0: two more than the order", Range{0}),
        },
        run_fields<O>());
  }
};

/// Rows of cubes: planes are channels.
struct StokesVoxels {
  AnyView i;
  /// Noise voxel by voxel, in the type of I; one plane: the same in all channels. Empty: the
  /// option.
  AnyView sigma = {};
};

/// Pixels are independent: rows may be given in pieces of any height. Immutable; copies share.
class TESSERA_API StokesFit : public ImagePlan {
 public:
  /// `image.size.planes` is the number of channels, `frequencies` theirs in hertz. Throws
  /// Error(usage) with what would be right.
  StokesFit(const ImageInfo& image, const std::vector<double>& frequencies,
            const StokesFitOptions& options = {});

  /// `model` has the size of I, and may be left empty; `maps` are the planes of StokesPlanes, and
  /// output() is their size.
  void operator()(const StokesVoxels& voxels, AnyMutableView model, AnyMutableView maps) const;
  void operator()(const StokesVoxels& voxels, AnyMutableView model, AnyMutableView maps,
                  Stream& stream) const;
};

}  // namespace tessera
