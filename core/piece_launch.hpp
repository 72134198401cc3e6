// SPDX-License-Identifier: Apache-2.0
/// Launches of kernels that make rows of an image from rows of another (PieceArgs).
#pragma once

#include <algorithm>

#include "core/kernel.hpp"
#include "core/piece_args.cuh"
#include "tessera/options.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// The steps of both views, for any arguments that have them.
template <class Args>
void fill_steps(Args& a, const AnyView& in, const AnyMutableView& out) {
  a.in_pixel = in.pixel;
  a.in_row = in.row;
  a.in_plane = in.plane;
  a.out_pixel = out.pixel;
  a.out_row = out.row;
  a.out_plane = out.plane;
}

/// Everything except `in`, `out` and `made`, which move_to_part sets.
inline void fill_piece(PieceArgs& a, const Piece& in, const MutablePiece& out, Size image,
                       int out_width, Point anchor, Border border) {
  fill_steps(a, in.view, out.view);
  a.width = image.width;
  a.height = image.height;
  a.channels = image.channels;
  a.held = in.rows();
  a.out_width = out_width;
  a.anchor_x = anchor.x;
  a.anchor_y = anchor.y;
  a.border = border;
}

/// Moves arguments to one part of a launch: output rows of the piece, from a plane on.
inline void move_to_part(PieceArgs& a, const Piece& in, const MutablePiece& out, Rows rows,
                         int plane) {
  a.in = in.view.address(0, 0, plane);
  a.out = out.view.address(0, rows.first, plane);
  a.made = {out.first_row + rows.first, out.first_row + rows.end};
}

/// Calls launch(rows, first plane, planes) for parts that a grid can hold.
template <class Launch>
void each_launch(const MutablePiece& out, long long rows_a_block, long long blocks_a_plane,
                 Launch launch) {
  const Size size = out.view.size;
  const int rows = static_cast<int>(std::min<long long>(kMostBlocks * rows_a_block, size.height));
  const int planes = static_cast<int>(kMostBlocks / blocks_a_plane);
  for (int row = 0; row < size.height; row += rows)
    for (int plane = 0; plane < size.planes; plane += planes)
      launch(Rows{row, std::min(row + rows, size.height)}, plane,
             std::min(planes, size.planes - plane));
}

inline unsigned blocks_for(long long work, long long each) {
  return static_cast<unsigned>((work + each - 1) / each);
}

}  // namespace tessera
