// SPDX-License-Identifier: Apache-2.0
/// What the methods of rank filters see: the checked problem, and what they must make of it.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/choice.hpp"
#include "core/plan_impl.hpp"
#include "ops/noise/noise_values.cuh"
#include "tessera/border.hpp"
#include "tessera/percentile_filter.hpp"
#include "tessera/rank_filter.hpp"
#include "tessera/view.hpp"

namespace tessera {

struct RankProblem {
  const char* operation = "rank";  ///< for messages: "rank", "median", "percentile_filter"
  ImageInfo image, output;         ///< both are the same
  Size footprint;                  ///< as given, with empty rows and columns at its sides
  /// The smallest box around the footprint's pixels; output (x, y) reads input
  /// (x + i - anchor.x, y + j - anchor.y). The anchor may lie outside the box.
  int width = 0, height = 0;
  Point anchor;
  std::vector<Point> pixels;  ///< of the footprint in that box, row by row
  /// Footprints of several planes: those of their pixels, in the same order; plane k of `depth`
  /// reads plane z + k - anchor_plane. Empty: a footprint of one plane.
  std::vector<int> planes;
  int depth = 1, anchor_plane = 0;
  double percent = 50;  ///< 0 to 100: which of the sorted values, by SciPy's rule
  Border border = Border::reflect;
  double constant = 0;  ///< a value of the image's type
  int device = 0;       ///< where the CUDA methods run

  int count() const { return static_cast<int>(pixels.size()); }
  bool is_flat() const { return planes.empty(); }
  bool is_box() const { return is_flat() && count() == 1LL * width * height; }
  /// The place of the result among n sorted values.
  int place(int n) const { return percentile_place(percent, n).index; }
  /// A box around its middle: what the methods of noise take.
  bool is_centred_box() const { return is_box() && anchor == Point{width / 2, height / 2}; }
  /// Every window has all of its values, unless some are NaN.
  bool windows_are_full() const { return border != Border::inside; }
  /// The rows that output rows read, outside the image or not.
  Rows reads(Rows out) const { return {out.first - anchor.y, out.end - anchor.y + height - 1}; }
  /// The same together with the output's own rows, so that a piece is never empty.
  Rows needs(Rows out) const {
    const Rows read = reads(out);
    return {std::min(read.first, out.first), std::max(read.end, out.end)};
  }
};

/// All throw Error(usage) with what would be right.
RankProblem make_rank_problem(const ImageInfo& image, AnyView footprint,
                              const RankOptions& options);
RankProblem make_box_problem(const ImageInfo& image, double percentile,
                             const PercentileOptions& options);

using RankRunner = RowsRunner;
using RankMethod = Method<RankProblem, RankRunner>;
const std::vector<RankMethod>& rank_methods();

using RankRunnerPointer = std::unique_ptr<const RankRunner>;
RankRunnerPointer make_rank_reference(const RankProblem&);
RankRunnerPointer make_rank_square_cpu(const RankProblem&);
RankRunnerPointer make_rank_network_cpu(const RankProblem&);
RankRunnerPointer make_rank_bisect_cpu(const RankProblem&);
RankRunnerPointer make_rank_histogram_cpu(const RankProblem&);
RankRunnerPointer make_rank_columns_cpu(const RankProblem&);
RankRunnerPointer make_rank_boxes_cpu(const RankProblem&);
RankRunnerPointer make_rank_square_cuda(const RankProblem&);
RankRunnerPointer make_rank_bisect_cuda(const RankProblem&);
RankRunnerPointer make_rank_warps_cuda(const RankProblem&);
RankRunnerPointer make_rank_boxes_cuda(const RankProblem&);

}  // namespace tessera
