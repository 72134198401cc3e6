// SPDX-License-Identifier: Apache-2.0
/// Films of white blood cells that roll through a vessel, with the truth: the position of every
/// cell.
///
///     frame = light x (ground + texture + walls) + cells + noise
///
/// The background (and the cells with it) drifts slowly, the light stays with the frame. A cell is
/// a disc with a soft edge, its contrast above or below the background there. Cells come in from
/// beyond the frame's edge upstream and leave downstream; some are present from the first frame;
/// some stop for a while; faster ones overtake slower ones.
#pragma once

#include <cstdint>
#include <vector>

#include "core/strips.hpp"
#include "sample/cell_film_options.hpp"
#include "sample/cell_ground.hpp"
#include "sample/cell_noise.hpp"
#include "sample/cell_paths.hpp"
#include "sample/cell_vessel.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// Which parts of a film are drawn: tests examine them separately.
struct CellFilmParts {
  bool ground = true, cells = true, noise = true;
};

/// The film as planes of rows. The same bytes on every machine, for any threads, and for frames in
/// any order.
class CellFilm : public RowSource {
 public:
  /// `frame` has one channel and one plane. u8 is rounded and saturated, u16 is 256 times as large,
  /// floats are grey levels. `threads` 0: as many as the environment allows. Throws
  /// Error(usage).
  CellFilm(Size frame, std::uint64_t seed, Type type = Type::u8,
           const CellFilmOptions& options = {}, int threads = 0, CellFilmParts parts = {});

  ImageInfo info() const override { return info_; }  ///< a plane is a frame
  void read(Rows rows, AnyMutableView to) override;
  /// Rows of one frame; `to` has one plane.
  void read_frame(int frame, Rows rows, AnyMutableView to) const;

  const CellFilmTruth& truth() const { return truth_; }
  const CellFilmOptions& options() const { return options_; }  ///< filled
  Place drift(int frame) const { return vessel_.drift(frame); }

 private:
  struct Disc {
    double x, y, radius, height;
  };
  std::vector<Disc> discs_in(int frame) const;
  void draw_row(int frame, int row, const std::vector<Disc>& discs, std::vector<float>& to) const;

  ImageInfo info_;
  std::uint64_t seed_;
  CellFilmOptions options_;
  CellFilmParts parts_;
  int threads_;
  CellVessel vessel_;
  CellGround ground_;
  CellFilmTruth truth_;
  NormalNumbers normal_;
};

}  // namespace tessera
