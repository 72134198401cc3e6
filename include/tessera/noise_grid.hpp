// SPDX-License-Identifier: Apache-2.0
/// Background and noise at nodes of a grid, bilinear between them.
///
///     tessera::NoiseGrid plan({{4096, 4096}, tessera::Type::f32},
///                             {.box = {96, 96},
///                              .grid = tessera::NoiseBox{16, 16},
///                              .mode = tessera::NoiseMode::grid});
///     tessera::NoiseNodes nodes = plan.nodes();
///     plan.measure(nodes, {in, 0}, {0, plan.node_rows()}, stream);  // or some rows at a time
///     plan.settle(nodes);                                           // once all are measured
///     plan.draw(nodes, {0, 4096}, maps, stream);
///     plan.mask(in, maps);
///
/// Nodes lie at every `grid`-th pixel from 0, 0 on, and in the last row and column. Each has the
/// value that Noise in mode exact would give that pixel (whether it is blank itself does not
/// matter). Nodes without a value take that of the nearest that has one. The noise is never
/// negative.
#pragma once

#include <vector>

#include "tessera/export.hpp"
#include "tessera/noise.hpp"

namespace tessera {

/// Values at nodes: planes as in Noise::output(), [plane][row][column], f64 until drawn.
struct NoiseNodes {
  std::vector<int> columns, rows;  ///< their positions in the image
  int planes = 0;
  std::vector<double> values;

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
  long long node_count() const;
  Rows needs(Rows node_rows) const;  ///< the image rows that those rows of nodes read
  int source_row(int row) const;     ///< the image row that replaces a row outside, or kNoPixel

  /// Rows of nodes from a piece that holds the rows they need, on a stream; returns when done. With
  /// `two_pass` the noise is that of `in` minus the background in `nodes`, which must be settled:
  /// call measure for all rows, settle, measure_rms for all rows, settle. Until then the noise may
  /// be NaN.
  void measure(NoiseNodes& nodes, const Piece& in, Rows node_rows, Stream& stream) const;
  void measure_rms(NoiseNodes& nodes, const Piece& in, Rows node_rows, Stream& stream) const;
  bool two_pass() const;
  /// Nodes without a value take the nearest one's; on a stream's threads, or on all.
  void settle(NoiseNodes& nodes, const Stream& stream) const;
  void settle(NoiseNodes& nodes) const;
  /// All nodes of a whole image, measured in one or two passes and settled.
  NoiseNodes measured(AnyView in, Stream& stream) const;
  /// Rows of the maps; `out` has output().type and those rows.
  void draw(const NoiseNodes& nodes, Rows rows, AnyMutableView out, const Stream& stream) const;
  /// NaN where the image is blank, unless `nomask`: `in` and `maps` are the same rows, on the host;
  /// on a stream's threads, or on all.
  void mask(AnyView in, AnyMutableView maps, const Stream& stream) const;
  void mask(AnyView in, AnyMutableView maps) const;
};

}  // namespace tessera
