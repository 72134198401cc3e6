// SPDX-License-Identifier: Apache-2.0
/// Strips of Q and U to strips of everything that is to be written: one image of many planes.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/strips.hpp"
#include "jobs/faraday/faraday_patterns.hpp"
#include "jobs/faraday/faraday_pixel_rmsfs.hpp"
#include "jobs/faraday/faraday_strip_clean.hpp"
#include "jobs/faraday/faraday_voxels.hpp"
#include "tessera/faraday_maps.hpp"

namespace tessera {

/// The first plane of each result; -1: not wanted.
struct FaradayLayout {
  int real = -1, imaginary = -1, total = -1;
  int maps = -1;
  int fwhm = -1, pattern = -1;
  int rmsf_real = -1, rmsf_imaginary = -1, rmsf_total = -1;  ///< of every pixel
  int clean_real = -1, clean_imaginary = -1, clean_total = -1;
  int part_real = -1, part_imaginary = -1, part_total = -1;  ///< components
  int iterations = -1;
  int fitted = -1;  ///< maps of the fit to Stokes I (FaradayFitted)
  int planes = 0;

  int add(int count) { return std::exchange(planes, planes + count); }
};

/// The brightest pixel seen so far; NaN if no pixel has a spectrum.
struct FaradaySeen {
  double max_pi = std::numeric_limits<double>::quiet_NaN();
  double peak_rm = std::numeric_limits<double>::quiet_NaN();
  double noise = std::numeric_limits<double>::quiet_NaN();  ///< by theory
  Point brightest{-1, -1};
};

/// The input, the plans and the layout of strips.
struct FaradayStripsOf {
  const FaradayVoxelInput& input;
  const FaradayAxes& axes;
  const std::vector<double>& sigma;  ///< of channels; may be empty
  FaradayOptions options;
  std::vector<FaradayMap> maps;  ///< begin with max-pi and peak-rm
  double fwhm = 0;               ///< of the RMSF of all channels
  FaradayLayout layout;
  FaradayPatterns* patterns = nullptr;            ///< null if no RMSF is wanted
  std::optional<FaradayCleanOptions> clean = {};  ///< none: spectra stay dirty
  int gathered = 0;  ///< if above 0: pixels are taken out of the image, as a row of this length
};

class FaradayStrips {
 public:
  explicit FaradayStrips(const FaradayStripsOf& of);

  const FaradaySynth& synth() const { return *synth_; }
  const FaradayMaps& maps() const { return *maps_; }
  const FaradayStripClean* clean() const { return clean_ ? &*clean_ : nullptr; }
  const FaradaySeen& seen() const { return seen_; }
  /// Pixels of the fit to Stokes I, if its maps are wanted.
  const StokesFitCounts& fit_counts() const { return fit_counts_; }
  /// Joins what all ranks have seen and cleaned, on each of them (core/ranks.hpp).
  void join_ranks();

  /// From planes of the input to the planes of the layout. It calls `this`, which must outlive it.
  StripPlan plan();
  /// Bytes per row that a strip takes besides its input and output.
  std::size_t scratch_bytes_a_row() const;

 private:
  /// A strip of spectra in memory of the host or of the device that makes them.
  struct Spectra;

  /// The input, or the row of pixels taken out of it.
  ImageInfo image() const;
  bool on_device() const { return synth_->device() != kHost; }
  int rows_at_once() const;
  void run(const Piece& in, const MutablePiece& out, Stream& stream);
  void run_rows(const Piece& in, const MutablePiece& out, Stream& stream);
  /// Whether pixels need RMSFs that are made from their own channels.
  bool has_own_rmsfs() const;
  std::vector<int> find_patterns(const Piece& q, AnyView u, AnyMutableView bands, Stream& stream);
  void make_spectra(AnyView q_and_u, AnyView bands, const FaradayOwnRmsfs& own, AnyMutableView out,
                    Stream& stream);
  void add_widths(AnyView bands, AnyMutableView out) const;
  void add_rmsfs(const std::vector<int>& patterns, const FaradayPixelRmsfs* own, AnyMutableView out,
                 const Stream& stream) const;
  void add_fitted(const MutablePiece& out);
  void look(AnyView maps, AnyView bands, int first_row);

  FaradayStripsOf of_;
  std::optional<FaradaySynth> synth_;  ///< of the host, or of the device it runs on
  std::optional<FaradayMaps> maps_;
  std::optional<FaradayBands> bands_;
  std::optional<FaradayPixelRmsfPlan> pixel_rmsfs_;  ///< of pixels by themselves
  std::optional<FaradayStripClean> clean_;
  FaradaySeen seen_;
  StokesFitCounts fit_counts_;
};

}  // namespace tessera
