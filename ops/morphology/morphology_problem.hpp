// SPDX-License-Identifier: Apache-2.0
/// What the methods of erode and dilate see: the checked problem, and what they must make of it.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/choice.hpp"
#include "core/plan_impl.hpp"
#include "tessera/border.hpp"
#include "tessera/morphology.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"
#include "tune/table.hpp"

namespace tessera {

/// Pixels of the element that lie side by side: columns [first, first + length) of a row.
struct ElementRun {
  int row, first, length;
  bool operator==(const ElementRun&) const = default;
};

struct MorphologyProblem {
  MorphologyKind kind = MorphologyKind::erode;
  ImageInfo image, output;
  Size element;  ///< as given, with empty rows and columns at its sides
  /// The smallest box around the element's pixels, already rotated if it must be; output (x, y)
  /// reads input (x + i - anchor.x, y + j - anchor.y). The anchor may lie outside the box.
  int width = 0, height = 0;
  Point anchor;
  Point first_pixel;             ///< the input pixel that output 0, 0 lies on
  std::vector<ElementRun> runs;  ///< row by row, left to right
  Border border = Border::inside;
  double constant = 0;
  int device = 0;  ///< where the CUDA methods run

  bool is_box() const { return std::ssize(runs) == height && pixels() == 1LL * width * height; }
  long long pixels() const {
    long long sum = 0;
    for (const ElementRun& run : runs) sum += run.length;
    return sum;
  }
  /// The rows that output rows read, outside the image or not.
  Rows reads(Rows out) const { return {out.first - anchor.y, out.end - anchor.y + height - 1}; }
  /// The same together with the output's own rows, so that a piece is never empty.
  Rows needs(Rows out) const {
    const Rows read = reads(out);
    return {std::min(read.first, out.first), std::max(read.end, out.end)};
  }
  double bytes() const {
    return static_cast<double>(bytes_of(image)) + static_cast<double>(bytes_of(output));
  }
};

using MorphologyRunner = RowsRunner;
using MorphologyMethod = Method<MorphologyProblem, MorphologyRunner>;
const std::vector<MorphologyMethod>& morphology_methods();

/// The key of the problem in tuning tables.
ProblemKey problem_key(const MorphologyProblem&);

/// The constant outside as a sample of the image, its bits in the lowest bytes.
unsigned long long constant_bits(const MorphologyProblem&);

using MorphologyRunnerPointer = std::unique_ptr<const MorphologyRunner>;
MorphologyRunnerPointer make_morphology_reference(const MorphologyProblem&);
MorphologyRunnerPointer make_morphology_direct_cpu(const MorphologyProblem&);
MorphologyRunnerPointer make_morphology_separable_cpu(const MorphologyProblem&);
MorphologyRunnerPointer make_morphology_direct_cuda(const MorphologyProblem&);
MorphologyRunnerPointer make_morphology_separable_cuda(const MorphologyProblem&);

}  // namespace tessera
