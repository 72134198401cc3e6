// SPDX-License-Identifier: Apache-2.0
/// A sky of Gaussian sources as a radio telescope or a camera sees it, with the truth: background
/// and noise at every pixel, and a list of the sources.
///
///     const Sky sky({1024, 768}, 1, {.sources = 50});
///     SkyRows image(sky, SkyMap::image), noise(sky, SkyMap::sigma);
///
///     image(x, y) = background(x, y) + sigma(x, y) N(0, 1) + sources, or NaN where nothing is seen
///
/// The noise of a pixel does not depend on that of others.
#pragma once

#include <cstdint>
#include <vector>

#include "core/strips.hpp"
#include "sample/sky_blanks.hpp"
#include "sample/sky_ground.hpp"
#include "sample/sky_sources.hpp"

namespace tessera {

/// `background` and `sigma` have no blanks.
enum class SkyMap : unsigned char { image, background, sigma };

/// The same bytes on every machine, for any threads and strips.
class Sky {
 public:
  /// `size` has one channel and one plane; type f32 or f64. `threads` 0: as many as the environment
  /// allows. Throws Error(usage).
  Sky(Size size, std::uint64_t seed, const SkyOptions& options = {}, Type type = Type::f32,
      int threads = 0);

  ImageInfo info() const { return info_; }  ///< of each map
  const std::vector<SkySource>& truth() const { return truth_; }

  void read(SkyMap map, Rows rows, AnyMutableView to) const;

 private:
  std::vector<double> row_of(SkyMap map, int row) const;
  void add_noise(int row, std::vector<double>& values) const;
  void add_sources(int row, std::vector<double>& values) const;

  ImageInfo info_;
  std::uint64_t seed_;
  bool noisy_;
  int threads_;
  SkyGround ground_;
  SkyBlanks blanks_;
  std::vector<SkySource> truth_;
  std::vector<SkyProfile> profiles_;  ///< one per source
  double reach_ = 0;                  ///< of the widest
};

/// One map of a sky, which outlives it.
class SkyRows : public RowSource {
 public:
  SkyRows(const Sky& sky, SkyMap map) : sky_(sky), map_(map) {}
  ImageInfo info() const override { return sky_.info(); }
  void read(Rows rows, AnyMutableView to) override { sky_.read(map_, rows, to); }

 private:
  const Sky& sky_;
  SkyMap map_;
};

}  // namespace tessera
