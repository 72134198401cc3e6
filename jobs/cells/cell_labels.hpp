// SPDX-License-Identifier: Apache-2.0
/// Label masks: every pixel of a frame holds the id of the cell it belongs to, or 0.
#pragma once

#include <cstdint>
#include <vector>

#include "tessera/cells.hpp"
#include "tessera/image.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// The largest id that a label of 16 bits can be.
inline constexpr int kLargestLabel = 65535;

/// Paints frames. A cell is the polygon of its outline, or its circle if it has no outline in that
/// frame. A pixel of several cells belongs to the one whose centre is nearest; of a cell that
/// others cut into pieces, only the piece at its centre is kept. A cell that would have no pixel,
/// behind others or outside the frame, gets the nearest one that is not the last of another cell: a
/// track is then in every one of its frames.
class CellLabels {
 public:
  CellLabels(int width, int height);

  /// The labels of cells that all have a spot in `frame`, packed; valid until the next call. Throws
  /// Error(failure) if there are more cells than pixels.
  AnyView paint(const std::vector<const CellTrack*>& tracks, int frame);

 private:
  using Owner = std::uint32_t;  ///< place in the list of cells, counted from 1

  void add(const CellSpot& spot, Owner cell);
  void keep_one_piece_each();
  void give_one_pixel(const CellSpot& spot, Owner cell);
  bool can_take(std::size_t pixel) const;

  Size size_;
  std::vector<Owner> owners_, kept_;
  std::vector<float> distances_;  ///< squared, from the owner's centre
  std::vector<long long> pixels_;
  Image labels_;
};

}  // namespace tessera
