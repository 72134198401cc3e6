// SPDX-License-Identifier: Apache-2.0
/// RM-CLEAN: takes the side lobes of the RMSF out of Faraday spectra (Heald 2009).
///
///     FaradayClean plan(spectra_info, faraday_rmsf(axes, true), {.cutoff = 3e-4});
///     plan({real, imaginary}, {clean_real, clean_imaginary});
///
/// Per pixel, while the largest |residual| is the cutoff or more: of the depth p where it is (the
/// first of equals) gain x residual becomes a component, and that much of the RMSF, laid over p, is
/// taken from the residual. The result is the components, each a Gaussian as wide as the main lobe,
/// and the residual. Pixels below the cutoff stay as they are; NaN pixels too.
///
/// With `window`, a second pass goes on within half a width round the components, down to that
/// value.
///
/// In double every method finds the components of the reference, one for one. In float restored
/// spectra agree with double's to 1e-4 of their peak, but where two depths were as high to 1e-6 and
/// rounding decided which came first (docs/accuracy.md).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "tessera/faraday.hpp"

namespace tessera {

struct FaradayCleanOptions {
  double cutoff = 0;
  double gain = 0.1;
  int iterations = 1000;
  std::optional<double> window;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = FaradayCleanOptions;
    return std::tuple_cat(
        std::tuple{
            field("cutoff", &O::cutoff, "clean down to this |residual|"),
            field("gain", &O::gain, "share of a peak that is taken at a time"),
            field("iterations", &O::iterations, "components a pixel, at most"),
            field("window", &O::window,
                  "then clean round the components found, down to this |residual|; auto: not"),
        },
        run_fields<O>());
  }
};

/// Dirty spectra, a plane a depth.
struct FaradayDirty {
  AnyView real, imaginary;
  /// One plane: the cutoff of every pixel, in the place of the option; may be empty.
  AnyView cutoff = {};
  /// RMSFs of pixels that lack channels, and for every pixel, row by row, which of them is its own;
  /// -1: the plan's. Host memory; empty: all have the plan's.
  std::span<const FaradayRmsf> own_rmsfs = {};
  std::span<const int> rmsf_of_pixel = {};
};

/// What is wanted; a view without data is not made.
struct FaradayCleaned {
  AnyMutableView real, imaginary;
  AnyMutableView components_real = {}, components_imaginary = {};
  AnyMutableView iterations = {};  ///< one plane, f32 or f64 as the spectra
};

/// Immutable; copies share. Spectra are f32 or f64; every pixel is on its own: rows may be given in
/// pieces of any height.
class TESSERA_API FaradayClean {
 public:
  /// Throws Error(usage) with what would be right.
  FaradayClean(const ImageInfo& spectra, const FaradayRmsf& rmsf,
               const FaradayCleanOptions& options = {});

  const ImageInfo& input() const;
  const FaradayRmsf& rmsf() const;
  const FaradayCleanOptions& options() const;
  Backend backend() const;
  std::string method() const;
  int device() const;

  void operator()(const FaradayDirty& dirty, const FaradayCleaned& cleaned) const;
  void operator()(const FaradayDirty& dirty, const FaradayCleaned& cleaned, Stream& stream) const;

  /// "faraday clean 512x512 f32, 401 depths, gain 0.1: cuda warps, device 0, 13 depths a thread, …"
  std::string describe() const;

  struct Impl;

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace tessera
