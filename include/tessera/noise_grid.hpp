// SPDX-License-Identifier: Apache-2.0
/// Background and noise at nodes of a grid, bilinear between them, refined where nodes differ.
///
///     tessera::NoiseGrid plan({{4096, 4096}, tessera::Type::f32},
///                             {.box = {96, 96},
///                              .grid = tessera::NoiseBox{16, 16},
///                              .mode = tessera::NoiseMode::grid});
///     tessera::NoiseNodes nodes = plan.nodes();
///     plan.measure(nodes, {in, 0}, {0, plan.node_rows()}, stream);  // or some rows at a time
///     plan.settle(nodes);                                           // once all are measured
///     while (plan.find_cells(nodes))
///       plan.refine(nodes, {in, 0}, {0, plan.cell_rows()}, stream); // or some rows at a time
///     plan.draw(nodes, {0, 4096}, maps, stream);
///     plan.mask(in, maps);
///
/// Nodes lie at every `grid`-th pixel from 0, 0 on, and in the last row and column. Each has the
/// value that Noise in mode exact would give that pixel (whether it is blank itself does not
/// matter). Nodes without a value take that of the nearest that has one. The noise is never
/// negative.
///
/// Between nodes a map can be far from the exact one: a box that takes in a bright source changes
/// within a few pixels, by any factor (docs/noise.md has measurements). So cells between nodes are
/// refined where the maps are not straight. With t the option `refine`, a cell is refined if one of
/// its corners lies more than t times the noise from the straight line between its two neighbours,
/// along rows or columns, in any map (the noise is the smallest of the 3 by 3 nodes around it), or
/// if the noise at its corners differs by more than 2 t of the smallest, or if there are fewer than
/// three nodes along an axis. In refined cells quantiles and iqr are exact at every pixel; other
/// estimators are measured at points between, halving distances until no new point is more than
/// t / 2 times its noise from what was there before. Neighbours across an edge that turns out not
/// to be straight within t are refined next. In all other cells a noise that rises or falls
/// steadily from corner to corner is within 2 t of the exact one. With `two_pass` the noise is that
/// of the image minus these maps' background. `refine` 0 leaves all cells bilinear.
#pragma once

#include <vector>

#include "tessera/export.hpp"
#include "tessera/noise.hpp"

namespace tessera {

/// A cell between nodes: its first column and row of nodes.
struct NoiseCell {
  int row = 0, column = 0;
  // The check takes the 0 that comparisons are compared with for a pointer.
  auto operator<=>(const NoiseCell&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// Values at more points of a refined cell, bilinear between them: planes from `first_plane` on,
/// [plane][row][column]. The first and last points are those of the cell's corners.
struct NoisePatch {
  NoiseCell cell;
  int first_plane = 0, planes = 0;
  std::vector<int> columns, rows;  ///< positions in the image
  std::vector<double> values;

  std::size_t place(int plane, std::size_t row, std::size_t column) const {
    return (static_cast<std::size_t>(plane) * rows.size() + row) * columns.size() + column;
  }
};

/// Values at nodes: planes as in Noise::output(), [plane][row][column], f64 until drawn.
struct NoiseNodes {
  std::vector<int> columns, rows;  ///< their positions in the image
  int planes = 0;
  std::vector<double> values;
  std::vector<double> noise;        ///< one plane, if the maps are quantiles and cells are refined
  std::vector<NoiseCell> cells;     ///< to refine, found last; ascending
  std::vector<NoisePatch> patches;  ///< refined cells, ascending by plane and cell

  double& at(int plane, int row, int column) {
    return values[(static_cast<std::size_t>(plane) * rows.size() + static_cast<std::size_t>(row)) *
                      columns.size() +
                  static_cast<std::size_t>(column)];
  }
  double at(int plane, int row, int column) const {
    return const_cast<NoiseNodes*>(this)->at(plane, row, column);
  }
};

class TESSERA_API NoiseGrid : public ImagePlan {
 public:
  /// Throws Error(usage) with what would be right.
  explicit NoiseGrid(const ImageInfo& image, const NoiseOptions& options);

  NoiseNodes nodes() const;  ///< all NaN
  int node_rows() const;
  int cell_rows() const;  ///< one less
  long long node_count() const;
  Rows needs(Rows node_rows) const;  ///< the image rows that those rows of nodes read
  int source_row(int row) const;     ///< the image row that replaces a row outside, or kNoPixel

  /// Rows of nodes from a piece that holds the rows they need, on a stream; returns when done. With
  /// `two_pass` the noise is that of `in` minus the background in `nodes`, which must be settled:
  /// call measure for all rows, settle, measure_rms for all rows, settle. Until then the noise is
  /// NaN, or that of a single pass.
  void measure(NoiseNodes& nodes, const Piece& in, Rows node_rows, Stream& stream) const;
  void measure_rms(NoiseNodes& nodes, const Piece& in, Rows node_rows, Stream& stream) const;
  bool two_pass() const;
  /// Nodes without a value take the nearest one's; on a stream's threads, or on all.
  void settle(NoiseNodes& nodes, const Stream& stream) const;
  void settle(NoiseNodes& nodes) const;
  /// Finds the cells to refine, from settled nodes; false if there are none, or `refine` is 0. When
  /// these are refined their neighbours may have to be too: call both until it returns false. With
  /// `two_pass` it finds those of the background after the first settle, and those of the noise
  /// with `rms` after the second.
  bool find_cells(NoiseNodes& nodes, bool rms = false) const;
  /// Refines the cells found last, some rows of cells at a time, from a piece that holds
  /// needs({first, end + 1}) of rows [first, end) of cells; returns when done. refine_rms is for
  /// cells of the noise with `two_pass`.
  void refine(NoiseNodes& nodes, const Piece& in, Rows cell_rows, Stream& stream) const;
  void refine_rms(NoiseNodes& nodes, const Piece& in, Rows cell_rows, Stream& stream) const;
  /// All nodes of a whole image, measured in one or two passes, settled and refined.
  NoiseNodes measured(AnyView in, Stream& stream) const;
  /// Rows of the maps; `out` has output().type and those rows.
  void draw(const NoiseNodes& nodes, Rows rows, AnyMutableView out, const Stream& stream) const;
  /// NaN where the image is blank, unless `nomask`: `in` and `maps` are the same rows, on the host;
  /// on a stream's threads, or on all.
  void mask(AnyView in, AnyMutableView maps, const Stream& stream) const;
  void mask(AnyView in, AnyMutableView maps) const;
};

}  // namespace tessera
