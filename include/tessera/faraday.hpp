// SPDX-License-Identifier: Apache-2.0
/// Rotation measure synthesis: polarised emission over frequency becomes emission over Faraday
/// depth.
///
///     FaradayChannels channels{frequencies_in_hertz};
///     FaradayAxes axes = faraday_axes(channels, FaradayOptions{.phi_max = 1000, .dphi = 5});
///     FaradaySynth plan(q.info(), axes);
///     plan(q, u, real, imaginary);      // planes of q and u are channels, of the results depths
///
/// With l2_k = (c / f_k)^2 and weights w_k, the spectrum of a pixel at depth phi_p is
///
///     F_p = K sum over k of w_k (Q_k + i U_k) exp(-2 i phi_p (l2_k - l2_0)),   K = 1 / sum of w_k
///
/// where both sums leave out channels in which Q or U of that pixel is not finite. A pixel without
/// any is NaN. l2_0 is the weighted mean of l2 over channels that count; a channel that is flagged
/// at every pixel must be given weight 0 (find_dead_channels); isolated flags do not move l2_0.
///
/// Phases are computed in double and reduced before they are rounded, so any grid of depths is
/// right, symmetric about zero or not, regular or not. In float, max |error| <= 1e-5 of a pixel's
/// mean |Q + i U| for every method (docs/accuracy.md); in double 1e-12.
///
/// Lengths are metres, depths rad/m^2, frequencies hertz.
#pragma once

#include <complex>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "tessera/export.hpp"
#include "tessera/image.hpp"
#include "tessera/options.hpp"
#include "tessera/plan.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

struct FaradayChannels {
  std::vector<double> frequency;  ///< Hz, in any order
  /// Empty: all 1. Values that are not finite count as 0; negative ones are refused.
  std::vector<double> weight = {};
};

struct FaradayOptions {
  std::optional<double> phi_max;
  std::optional<double> dphi;
  double samples = 5;
  std::string phi = "auto";
  std::optional<double> lambda0;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = FaradayOptions;
    return std::tuple_cat(
        std::tuple{
            field("phi-max", &O::phi_max,
                  "the largest Faraday depth; auto: where a channel loses half of its "
                  "sensitivity, or ten widths of the RMSF if that is more",
                  Range{.lowest = 0, .unit = "rad/m^2"}),
            field("dphi", &O::dphi, "step of the depths; auto: from samples",
                  more_than(0, Range::kOpen, "rad/m^2")),
            field("samples", &O::samples, "depths per width of the RMSF, if dphi is auto",
                  more_than(0)),
            field("phi", &O::phi,
                  "depths as LOW,HIGH,STEP in rad/m^2, symmetric or not; auto: -phi-max to "
                  "phi-max"),
            field("lambda0", &O::lambda0,
                  "wavelength squared that angles refer to; auto: the weighted mean; 0: the "
                  "real part of the RMSF is narrowest",
                  Range{.lowest = 0, .unit = "m^2"}),
        },
        run_fields<O>());
  }
};

/// Channels and depths as used in the sum.
struct FaradayAxes {
  std::vector<double> frequency;  ///< Hz, in the order given
  std::vector<double> lambda2;    ///< m^2
  std::vector<double> weight;
  double weight_sum = 0;
  double lambda2_0 = 0;
  std::vector<double> phi;  ///< depths, rad/m^2
  double dphi = 0;          ///< of a regular grid of two depths or more, else 0
  /// Theoretical width of the RMSF: 3.8 / (largest - smallest lambda2 that counts) (Dickey 2019);
  /// if lambda2_0 is 0, that of its real part: 2 / (largest + smallest).
  double fwhm = 0;
  double max_scale = 0;  ///< pi / the smallest lambda2: wider structures are lost

  int channels() const { return static_cast<int>(lambda2.size()); }
  int depths() const { return static_cast<int>(phi.size()); }
  bool regular() const { return dphi > 0; }
  /// phi_p == -phi_(n - 1 - p) for all p, exactly.
  bool symmetric() const;
  /// The frequency that angles and models refer to: c / sqrt(lambda2_0); the mean if that is 0.
  double frequency_0() const;
};

/// For kept plans (kept_plans.hpp): all of its values.
TESSERA_API void add_to_key(class PlanKey& key, const FaradayAxes& axes);

/// Throws Error(usage): frequencies that are not positive, no two different ones that count, a grid
/// with no depths or too many. Two channels of one frequency both count.
TESSERA_API FaradayAxes faraday_axes(const FaradayChannels& channels,
                                     const FaradayOptions& options = {});
/// Depths of any kind and order.
TESSERA_API FaradayAxes faraday_axes(const FaradayChannels& channels, std::vector<double> depths,
                                     const FaradayOptions& options = {});

/// The response to a source of one depth: R(phi) = K sum of w_k exp(-2 i phi (l2_k - l2_0)) on a
/// grid of the same step, centred on zero, twice as wide, so that it can be laid over any depth.
struct FaradayRmsf {
  std::vector<double> phi;
  std::vector<std::complex<double>> value;
  double fwhm = 0;      ///< fitted or theoretical
  bool fitted = false;  ///< a Gaussian was fitted to the main lobe

  int centre() const { return static_cast<int>(phi.size()) / 2; }
};

/// `flagged`: channels that this pixel lacks, one byte each; empty: none. `fit`: the width by least
/// squares over the part of the main lobe above 0.4; otherwise the theoretical one, of channels
/// that count and are not flagged (of all that count if those have no two frequencies). Throws
/// Error(usage) for an irregular grid.
TESSERA_API FaradayRmsf faraday_rmsf(const FaradayAxes& axes, bool fit = false,
                                     std::span<const unsigned char> flagged = {});

/// Fits the width of an RMSF that was made in another way; it stays as it is if that fails.
TESSERA_API void fit_faraday_width(const FaradayAxes& axes, FaradayRmsf& rmsf);

/// Channels without a single pixel at which both are finite, as one byte each; host views of f32 or
/// f64, of one size.
TESSERA_API std::vector<unsigned char> find_dead_channels(AnyView q, AnyView u);

/// An image size and type, axes, and a chosen method. Immutable; copies share.
///
/// Q and U are f32 or f64 with one colour channel, one plane per frequency; the spectra have their
/// type, one plane per depth. Pixels are independent: rows may be given in pieces of any height.
///
/// describe(): "faraday 512x512 f32, 300 channels, 401 depths: cpu nufft, neon".
class TESSERA_API FaradaySynth : public ImagePlan {
 public:
  /// `image.size.planes` is the number of channels. Throws Error(usage) with what would be right.
  FaradaySynth(const ImageInfo& image, const FaradayAxes& axes, const FaradayOptions& options = {});

  const FaradayAxes& axes() const;

  /// Whole images or rows of them, on this thread's stream; returns when done.
  void operator()(AnyView q, AnyView u, AnyMutableView real, AnyMutableView imaginary) const;
  /// The same on a stream; work on a device is only enqueued.
  void operator()(AnyView q, AnyView u, AnyMutableView real, AnyMutableView imaginary,
                  Stream& stream) const;
};

/// Plan, run, return; for host views. Channels without data do not count.
struct FaradaySpectra {
  FaradayAxes axes;
  Image real, imaginary;
};
TESSERA_API FaradaySpectra faraday_synth(AnyView q, AnyView u, const FaradayChannels& channels,
                                         const FaradayOptions& options = {});

}  // namespace tessera
