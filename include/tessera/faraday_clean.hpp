// SPDX-License-Identifier: Apache-2.0
/// RM-CLEAN: removes the side lobes of the RMSF from Faraday spectra (Heald 2009).
///
///     FaradayClean plan(spectra_info, faraday_rmsf(axes, true), {.cutoff = 3e-4});
///     plan({real, imaginary}, {clean_real, clean_imaginary});
///
/// Per pixel, while the largest |residual| is at least the cutoff: at its depth p (the first of
/// equals) gain x residual becomes a component, and that much of the RMSF, centred on p, is
/// subtracted from the residual. The result is the sum of the components, each a Gaussian as wide
/// as the main lobe, and the residual. Pixels below the cutoff and NaN pixels stay as they are.
///
/// With `window`, a second pass continues within half a width around the components, down to that
/// value.
///
/// In double every method finds the components of the reference, one for one. In float restored
/// spectra agree with those in double to 1e-4 of their peak, except where two depths were equal to
/// 1e-6 and rounding decided which came first (docs/accuracy.md).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "tessera/faraday.hpp"

namespace tessera {

/// The options of how components are found.
template <class Options>
constexpr auto component_fields() {
  return std::tuple{
      field("gain", &Options::gain, "fraction of a peak that is subtracted at a time",
            more_than(0, 1)),
      field("iterations", &Options::iterations, "most components per pixel", Range{0}),
  };
}

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
        std::tuple{field("cutoff", &O::cutoff, "clean down to this |residual|")},
        component_fields<O>(),
        std::tuple{
            field("window", &O::window,
                  "then clean around the components found, down to this |residual|; auto: do not"),
        },
        run_fields<O>());
  }
};

/// Dirty spectra, one plane per depth.
struct FaradayDirty {
  AnyView real, imaginary;
  /// One plane: the cutoff of every pixel, instead of the option; may be empty.
  AnyView cutoff = {};
  /// RMSFs of pixels that lack channels, and for every pixel, row by row, the index of its own;
  /// -1: the plan's. Host memory; empty: all have the plan's.
  std::span<const FaradayRmsf> own_rmsfs = {};
  std::span<const int> rmsf_of_pixel = {};
  /// One plane: the window of every pixel, instead of the option; may be empty. A pixel at which it
  /// is NaN has no second pass.
  AnyView window = {};
};

/// The outputs wanted; a view without data is not computed.
struct FaradayCleaned {
  AnyMutableView real, imaginary;
  AnyMutableView components_real = {}, components_imaginary = {};
  AnyMutableView iterations = {};  ///< one plane, f32 or f64 as the spectra
};

/// Immutable; copies share. Spectra are f32 or f64; pixels are independent: rows may be given in
/// pieces of any height.
///
/// describe(): "faraday clean 512x512 f32, 401 depths, gain 0.1: cuda warps, device 0, 13 depths
/// per thread, …".
class TESSERA_API FaradayClean : public Plan {
 public:
  /// Throws Error(usage) with what would be right.
  FaradayClean(const ImageInfo& spectra, const FaradayRmsf& rmsf,
               const FaradayCleanOptions& options = {});

  const ImageInfo& input() const;
  const FaradayRmsf& rmsf() const;
  const FaradayCleanOptions& options() const;

  void operator()(const FaradayDirty& dirty, const FaradayCleaned& cleaned) const;
  void operator()(const FaradayDirty& dirty, const FaradayCleaned& cleaned, Stream& stream) const;
};

}  // namespace tessera
