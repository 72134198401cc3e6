// SPDX-License-Identifier: Apache-2.0
/// One pass of erode or dilate as its methods see it: the checked problem, and what they must make
/// of it. Openings and the like are two passes (morphology_steps.hpp).
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
  MorphologyKind kind = MorphologyKind::erode;  ///< or dilate
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

/// An element as given: which of its pixels belong to it, row by row, and its anchor.
struct CheckedElement {
  Size size;
  std::vector<bool> members;
  Point anchor;
};
/// Throws Error(usage) naming `operation`.
CheckedElement check_element(const char* operation, AnyView element,
                             const MorphologyOptions& options);
MorphologyProblem make_morphology_pass(MorphologyKind kind, const ImageInfo& image,
                                       const CheckedElement& element,
                                       const MorphologyOptions& options);

class MorphologyRunner : public RowsRunner {
 public:
  /// A part of a larger piece of work that has the threads: on the host, this thread alone runs it.
  /// With border wrap its output rows may lie outside the image.
  virtual void run_part(const Piece& in, const MutablePiece& out, Stream& stream) const {
    run(in, out, stream);
  }
  virtual std::string describe_part() const { return describe(); }
};

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
