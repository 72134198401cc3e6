// SPDX-License-Identifier: Apache-2.0
/// A sky of polarised sources as cubes of Stokes Q, U and I, with the truth: rotation measure, flux
/// and angle of every source.
///
///     const PolarisedSky sky({512, 512}, 1, {.sources = 50});
///     PolarisedCube q(sky, Stokes::q), u(sky, Stokes::u);      // one plane per frequency
///
/// Sources are Gaussian beams on pure noise. Flagged voxels are the same in all cubes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/strips.hpp"
#include "sample/cell_noise.hpp"
#include "sample/polarised_sources.hpp"

namespace tessera {

enum class Stokes : unsigned char { q, u, i };

/// The same bytes on every machine, for any threads and strips.
class PolarisedSky {
 public:
  /// `image` has one channel and one plane; type f32 or f64. `threads` 0: as many as the
  /// environment allows. Throws Error(usage).
  PolarisedSky(Size image, std::uint64_t seed, const PolarisedOptions& options = {},
               Type type = Type::f32, int threads = 0);

  ImageInfo info() const { return info_; }  ///< of each cube: one plane per frequency
  const std::vector<PolarisedSource>& truth() const { return truth_; }
  const std::vector<PolarisedChannel>& channels() const { return channels_; }
  std::vector<double> frequencies() const;

  void read(Stokes stokes, Rows rows, AnyMutableView to) const;

 private:
  /// A source in some rows: its beam is a column times a row.
  struct Beam {
    const PolarisedSource* source;
    int first_x = 0;
    std::vector<double> across, down;  ///< `down`: one per requested row
  };
  std::vector<Beam> beams_in(Rows rows) const;
  void draw_plane(Stokes stokes, int plane, Rows rows, const std::vector<Beam>& beams,
                  AnyMutableView to) const;
  void finish_row(Stokes stokes, int plane, int row, std::vector<double>& values) const;

  ImageInfo info_;
  std::uint64_t seed_;
  PolarisedOptions options_;
  int threads_;
  std::vector<PolarisedSource> truth_;
  std::vector<PolarisedChannel> channels_;
  NormalNumbers normal_;
};

/// One Stokes parameter of a sky, which outlives it.
class PolarisedCube : public RowSource {
 public:
  PolarisedCube(const PolarisedSky& sky, Stokes stokes) : sky_(sky), stokes_(stokes) {}
  ImageInfo info() const override { return sky_.info(); }
  void read(Rows rows, AnyMutableView to) override { sky_.read(stokes_, rows, to); }

 private:
  const PolarisedSky& sky_;
  Stokes stokes_;
};

}  // namespace tessera
