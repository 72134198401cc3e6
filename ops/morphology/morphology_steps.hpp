// SPDX-License-Identifier: Apache-2.0
/// What a plan of this operation runs: one pass of erode or dilate, or two and a difference.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/choice.hpp"
#include "ops/morphology/morphology_problem.hpp"
#include "ops/morphology/parts/morphology_difference.cuh"

namespace tessera {

/// The difference that ends the kinds which subtract.
enum class MorphologyDifference : unsigned char {
  none,
  input_minus_output,  ///< the output is that of the second pass
  output_minus_input,
  output_minus_middle  ///< the middle is the output of the first pass
};

struct MorphologySteps {
  MorphologyKind kind = MorphologyKind::erode;
  ImageInfo image, output;
  Size element;       ///< as given
  Point first_pixel;  ///< the input pixel that output 0, 0 lies on
  Border border = Border::inside;
  int device = 0;  ///< where the CUDA methods run
  MorphologySamples samples = MorphologySamples::numbers;
  MorphologyDifference difference = MorphologyDifference::none;
  std::vector<MorphologyProblem> passes;  ///< one, or two

  bool subtracts_middle() const { return difference == MorphologyDifference::output_minus_middle; }
  /// Whether the second pass reads what the first has made; else both read the image.
  bool chained() const { return passes.size() == 2 && !subtracts_middle(); }
  bool subtracts_image() const {
    return difference == MorphologyDifference::input_minus_output ||
           difference == MorphologyDifference::output_minus_input;
  }

  /// The rows of the first pass that output rows need of it. They lie outside the image only with
  /// border wrap, where the image between the passes repeats as the input does.
  Rows middle_rows(Rows out) const;
  /// The input rows that output rows read, outside the image or not; never none.
  Rows needs(Rows out) const;
  /// Throws Error(usage) if the piece lacks a row that these output rows need.
  void check_rows(const Piece& in, Rows out) const;
  DifferenceRule difference_rule() const { return static_cast<DifferenceRule>(samples); }
  /// Minuend and subtrahend of the difference at the end, `out` holding the output of the second
  /// pass.
  std::pair<AnyView, AnyView> operands(const Piece& in, const AnyView& middle,
                                       const MutablePiece& out) const;
};

/// Throws Error(usage) with what would be right.
MorphologySteps make_morphology_steps(MorphologyKind kind, const ImageInfo& image, AnyView element,
                                      const MorphologyOptions& options, MorphologySamples samples);

static_assert(static_cast<int>(DifferenceRule::shifted) ==
                  static_cast<int>(MorphologySamples::shifted) &&
              static_cast<int>(DifferenceRule::truth) ==
                  static_cast<int>(MorphologySamples::truth) &&
              static_cast<int>(DifferenceRule::i32) == static_cast<int>(MorphologySamples::i32) &&
              static_cast<int>(DifferenceRule::u32) == static_cast<int>(MorphologySamples::u32));

using MorphologyMethod = Method<MorphologySteps, RowsRunner>;
const std::vector<MorphologyMethod>& morphology_methods();

/// Both passes and the difference on one backend.
std::unique_ptr<const RowsRunner> make_morphology_steps_cpu(const MorphologySteps&,
                                                            MorphologyRunnerPointer first,
                                                            MorphologyRunnerPointer second);
std::unique_ptr<const RowsRunner> make_morphology_steps_cuda(const MorphologySteps&,
                                                             MorphologyRunnerPointer first,
                                                             MorphologyRunnerPointer second);

}  // namespace tessera
