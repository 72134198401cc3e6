// SPDX-License-Identifier: Apache-2.0
/// Strips of Q and U to strips of everything that is to be written: one image of many planes.
#pragma once

#include <limits>
#include <optional>
#include <utility>

#include "core/strips.hpp"
#include "jobs/faraday/faraday_patterns.hpp"
#include "tessera/faraday_maps.hpp"

namespace tessera {

/// The first plane of each result; -1: not wanted.
struct FaradayLayout {
  int real = -1, imaginary = -1, total = -1;
  int maps = -1;
  int fwhm = -1, pattern = -1;
  int rmsf_real = -1, rmsf_imaginary = -1, rmsf_total = -1;  ///< of every pixel
  int planes = 0;

  int add(int count) { return std::exchange(planes, planes + count); }
};

/// The brightest pixel seen so far; NaN if no pixel has a spectrum.
struct FaradaySeen {
  double max_pi = std::numeric_limits<double>::quiet_NaN();
  double peak_rm = std::numeric_limits<double>::quiet_NaN();
  Point brightest{-1, -1};
};

class FaradayStrips {
 public:
  /// `maps` begin with max-pi and peak-rm. `patterns`: null if no RMSF is wanted.
  FaradayStrips(const ImageInfo& cube, const FaradayAxes& axes, const FaradayOptions& options,
                const std::vector<FaradayMap>& maps, double fwhm, double noise,
                const FaradayLayout& layout, FaradayPatterns* patterns);

  const FaradaySynth& synth() const { return *synth_; }
  const FaradayMaps& maps() const { return *maps_; }
  const FaradaySeen& seen() const { return seen_; }

  /// From planes of Q, then of U, to the planes of the layout. It calls `this`, which must outlive
  /// it.
  StripPlan plan();
  /// Bytes per row that a strip takes besides its input and output.
  std::size_t scratch_bytes_a_row() const;

 private:
  bool on_device() const { return synth_->device() != kHost; }
  void run(const Piece& in, const MutablePiece& out, Stream& stream);
  void on_host(AnyView q, AnyView u, AnyMutableView out, Stream& stream);
  void through_device(AnyView both, AnyMutableView out, Stream& stream);
  void add_rmsfs(AnyView q, AnyView u, AnyMutableView out, const Stream& stream);
  void look(AnyView maps, int first_row);

  FaradayLayout layout_;
  FaradayPatterns* patterns_;
  std::optional<FaradaySynth> synth_;  ///< of the host, or of the device it runs on
  std::optional<FaradayMaps> maps_;
  FaradaySeen seen_;
};

}  // namespace tessera
