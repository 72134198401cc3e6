// SPDX-License-Identifier: Apache-2.0
/// Rows of a cube of Stokes I with their noise, and the curves fitted to them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "jobs/faraday/faraday_noise.hpp"
#include "jobs/faraday/stokes_noise.hpp"
#include "tessera/stokes_fit.hpp"

namespace tessera {

/// Pixels that are fitted, and the noise of channels.
struct StokesFitChoices {
  std::string noise = "auto";
  std::optional<double> threshold;

  static constexpr auto fields() {
    using C = StokesFitChoices;
    return std::tuple{
        field("noise", &C::noise,
              "the noise of I: a number, a file with one per channel, a map or a cube; auto: "
              "measured in every channel, by medians in two passes"),
        field("threshold", &C::threshold,
              "fit only pixels that are above this in any channel; below 0: in multiples of the "
              "channel's noise, such as -3; auto: all"),
    };
  }
};

/// Pixels by StokesStatus.
struct StokesFitCounts {
  std::array<long long, Names<StokesStatus>::list.size()> of{};

  void add(AnyView status);
  long long operator[](StokesStatus status) const { return of[static_cast<std::size_t>(status)]; }
  long long pixels() const;
  /// "3 of 12 pixels are fitted; 8 low-snr, 1 few-channels".
  std::string text() const;
};

/// A source of planes of I, then planes of noise if that differs from pixel to pixel. Pixels that
/// are not to be fitted have NaN.
class StokesFitter : public RowSource {
 public:
  /// Measures the noise if it is to be. Throws Error for noise that does not fit the cube.
  StokesFitter(FaradayCubeSource& cube, const std::vector<double>& frequencies,
               StokesFitOptions options, const StokesFitChoices& choices,
               const ReadOptions& reading, FaradayMemory& memory);

  const StokesFit& plan() const { return *plan_; }
  /// Pixels besides these are not fitted from now on.
  void fit_only(const std::vector<Point>& pixels);
  /// The noise of channels; empty if it differs from pixel to pixel.
  const std::vector<double>& sigma() const { return sigma_; }

  ImageInfo info() const override;
  void read(Rows rows, AnyMutableView to) override;
  std::size_t scratch_bytes_a_row() const;
  /// Fits a strip that `read` has filled; `model` may be empty.
  void fit(AnyView strip, AnyMutableView model, AnyMutableView maps, Stream& stream) const;

 private:
  int channels() const { return cube_.info().size.planes; }
  int sigma_planes() const { return noise_.cube ? channels() : noise_.map ? 1 : 0; }

  FaradayCubeSource& cube_;
  FaradayNoise noise_;
  std::vector<double> sigma_;
  Image emission_;
  std::optional<StokesFit> plan_;
};

}  // namespace tessera
