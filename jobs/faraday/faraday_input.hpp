// SPDX-License-Identifier: Apache-2.0
/// Q and U in the form the sum needs: planes of Q, then planes of U, divided by a model of Stokes I
/// if there is one, NaN at pixels that are not kept.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "jobs/faraday/faraday_agree.hpp"
#include "jobs/faraday/faraday_cube_file.hpp"
#include "jobs/faraday/faraday_memory.hpp"
#include "jobs/faraday/faraday_model_place.hpp"
#include "jobs/faraday/stokes_fitter.hpp"
#include "jobs/faraday/stokes_list.hpp"
#include "tessera/faraday.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// How Stokes I becomes a model: fitted in the run that divides by it (stokes_fitter.hpp), or taken
/// as it is.
struct FaradayFitting {
  std::optional<int> fit_i;
  StokesCurve curve = StokesFitOptions().curve;
  double snr = StokesFitOptions().snr;
  StokesLoss loss = StokesFitOptions().loss;
  std::string noise = "auto";
  bool allow_raw_model = false;

  static constexpr auto fields() {
    using F = FaradayFitting;
    return std::tuple{
        field("fit-i", &F::fit_i,
              "fit a curve of this order to Stokes I, pixel by pixel, and divide by it; below 0: "
              "the best up to that; auto: Stokes I is a model already",
              Range{-kMostStokesOrder, kMostStokesOrder}),
        field("fit-curve", &F::curve, "of fit-i: a polynomial of logarithms or of frequencies"),
        field("fit-snr", &F::snr,
              "of fit-i: pixels whose median(I) sqrt(channels) / noise is below are left out: "
              "NaN; 0: none",
              Range{0}),
        field("fit-loss", &F::loss, "of fit-i: squares, or cauchy: bad channels count less"),
        field("noise-i", &F::noise,
              "of fit-i: the noise of I, as for noise; auto: measured in every channel"),
        field("allow-raw-model", &F::allow_raw_model,
              "divide by a cube of Stokes I that scatters like data, not like a model"),
    };
  }
};

struct FaradayFiles {
  std::string q, u;
  std::string model;  ///< of Stokes I, a cube or a list (stokes_list.hpp); "": none
  std::string keep;   ///< pixels at which it is 0 or NaN are left out; "": all are kept
  FaradayAllowed allowed;
  FaradayFitting fitting;
};

/// Maps that a fit in the same run keeps.
enum FaradayFitted : int { kFittedAlpha, kFittedAlphaError, kFittedStatus, kFittedPlanes };

class FaradayInput : public RowSource {
 public:
  /// Throws Error for cubes that do not belong together. Files that are read whole count for the
  /// memory.
  FaradayInput(const FaradayFiles& files, const ReadOptions& reading, FaradayMemory& memory);

  const FaradayCubeSource& q() const { return *q_; }
  /// Sets the channels' frequencies in hertz, which a model given as a list and a fit need; call it
  /// before the functions below. Throws Error(usage) if the list does not match, or if the model is
  /// data (stokes_rough.hpp).
  void set_frequencies(const std::vector<double>& frequencies);
  /// The planes of the model around the frequency that results refer to, and the position between
  /// them.
  void refer_to(const FaradayAxes& axes);

  /// Whether the model differs from pixel to pixel.
  bool has_model_cube() const { return model_ != nullptr; }
  /// The model given as a list, one value per channel; empty: there is none.
  const std::vector<float>& model_list() const { return of_list_; }
  /// The factors by which it multiplies Q and U; after `refer_to`.
  std::vector<double> list_factors() const;

  /// All planes of Q, or of U.
  ImageInfo cube() const { return q_->info(); }
  ImageInfo info() const override;  ///< twice the planes: Q, then U
  void read(Rows rows, AnyMutableView to) override { read(rows, to, {}); }
  /// The same; `noise`, planes of the noise of channels, is divided by the model too.
  void read(Rows rows, AnyMutableView to, AnyMutableView noise);
  std::size_t scratch_bytes_a_row() const;

  /// One byte per channel: whether it has no pixel at which both are finite after division by the
  /// model. Searches each channel until it finds one, from the middle of the image: mosaics are
  /// empty at their edges.
  std::vector<unsigned char> find_dead();

  std::vector<std::string> warnings() const;

  /// The planes of FaradayFitted for all rows that were read; empty: nothing is fitted.
  const Image& fitted() const { return fitted_; }
  /// Fits only these pixels from now on; the others become NaN. Without a fit it does nothing.
  void fit_only(const std::vector<Point>& pixels);
  /// Rows of a model that is a cube, as they divide Q and U. `maps` receives the planes of
  /// StokesPlanes if they are fitted; it may be empty.
  void read_model(Rows rows, AnyMutableView to, AnyMutableView maps = {});
  /// The plan of the fit, or null.
  const StokesFit* fit_plan() const { return fitter_ ? &fitter_->plan() : nullptr; }
  const FaradayCubeSource* model() const { return model_.get(); }

 private:
  void look_for_pixels(Rows rows, bool by_plane, std::vector<unsigned char>& dead);
  bool has_model() const { return model_ || list_; }
  /// The cube itself is the model: a fitted one has values in all channels.
  bool divides_by_cube() const { return model_ && !files_.fitting.fit_i; }
  AnyView list_view(const Size& size) const;
  void divide_by_model(Rows rows, AnyMutableView q, AnyMutableView u, AnyMutableView noise);
  void leave_out_unkept(Rows rows, AnyMutableView q) const;

  std::unique_ptr<FaradayCubeSource> q_, u_, model_;
  std::optional<StokesList> list_;
  std::vector<float> of_list_;  ///< one value per channel
  const FaradayFiles files_;
  const ReadOptions reading_;
  FaradayMemory& memory_;
  std::unique_ptr<StokesFitter> fitter_;
  Image fitted_;
  Image keep_;
  FaradayModelPlace reference_;  ///< planes of the model
};

}  // namespace tessera
