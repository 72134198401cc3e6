// SPDX-License-Identifier: Apache-2.0
/// Point sources under a Gaussian beam on a flat background, with a list of them.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "core/strips.hpp"
#include "tessera/image.hpp"
#include "tessera/options.hpp"

namespace tessera {

struct PointsOptions {
  int sources = 200;
  double sigma = 1.5;
  double flux_low = 100;
  double flux_high = 10000;
  double slope = 1.5;
  double background = 100;
  double noise = 0;
  double separation = 0;

  static constexpr auto fields() {
    using O = PointsOptions;
    return std::tuple{
        field("sources", &O::sources, "number of sources", Range{0}),
        field("sigma", &O::sigma, "width of a source: standard deviation in pixels",
              Range{0.1, 1000}),
        field("flux-low", &O::flux_low, "minimum flux: the sum of a source over all pixels",
              Range{1e-30, 1e30}),
        field("flux-high", &O::flux_high, "maximum flux", Range{1e-30, 1e30}),
        field("slope", &O::slope,
              "the number of sources brighter than S is proportional to S to the power -slope",
              Range{0.01, 10}),
        field("background", &O::background, "value without sources", Range{}),
        field("noise", &O::noise, "standard deviation of the Gaussian noise per pixel", Range{0}),
        field("separation", &O::separation, "minimum distance between two sources, in pixels",
              Range{0}),
    };
  }
};

/// The true position of a source: pixel centres have whole coordinates.
struct PointSource {
  double x = 0, y = 0, flux = 0;
};

/// The field as a source of rows. The same bytes on every machine, for any threads and strips.
class Points : public RowSource {
 public:
  /// `size` has one channel and one plane; type f32, f64, or u16 and u8 (rounded, saturated).
  /// `threads` 0: as many as the environment allows. Throws Error(usage).
  Points(Size size, std::uint64_t seed, Type type = Type::f32, const PointsOptions& options = {},
         int threads = 0);

  ImageInfo info() const override { return info_; }
  void read(Rows rows, AnyMutableView to) override;
  const std::vector<PointSource>& truth() const { return truth_; }  ///< from top to bottom

 private:
  std::vector<double> row_values(int row) const;

  ImageInfo info_;
  std::uint64_t seed_;
  PointsOptions options_;
  int threads_;
  std::vector<PointSource> truth_;
};

/// The truth as text: a line "x,y,flux", then one for each source.
std::string truth_as_csv(const std::vector<PointSource>& truth);

}  // namespace tessera
