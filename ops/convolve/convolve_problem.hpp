// SPDX-License-Identifier: Apache-2.0
/// What the methods of convolve see: the checked problem, and what they must make of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/choice.hpp"
#include "core/plan_impl.hpp"
#include "ops/convolve/filters/filter_split.hpp"
#include "tessera/border.hpp"
#include "tessera/convolve.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"
#include "tune/table.hpp"

namespace tessera {

struct ConvolveProblem {
  ImageInfo image, output;
  int filter_width = 0, filter_height = 0;
  Point anchor;                 ///< 0,0 with border valid: output pixel 0 reads from input pixel 0
  std::vector<double> weights;  ///< row by row, turned already if flip was asked for
  Border border = Border::reflect_101;
  double constant = 0, scale = 1;
  bool finite_weights = true;
  Type sums = Type::f32;             ///< f32 or f64: the type of weights and sums
  int device = 0;                    ///< where the CUDA methods run
  int split_side = kQuickSplitSide;  ///< filters up to this side are split into few terms

  /// The product of a row and a column that is nearest, and the split into few terms (one, if that
  /// is exact); found when first asked for, and shared by copies. Weights must be finite.
  const FilterSplit& split_in_one() const {
    return splits->one.get(
        [this] { return tessera::split_in_one(weights, filter_width, filter_height); });
  }
  const FilterSplit& split_in_few() const;

  Rows needs(Rows out) const {
    return {out.first - anchor.y, out.end - anchor.y + filter_height - 1};
  }
  double flops() const {
    return 2.0 * static_cast<double>(weights.size()) * static_cast<double>(output.size.samples());
  }
  double bytes() const {
    return static_cast<double>(bytes_of(image)) + static_cast<double>(bytes_of(output));
  }

  struct Splits {
    LazySplit one, few;
  };
  std::shared_ptr<Splits> splits = std::make_shared<Splits>();
};

class ConvolveRunner : public RowsRunner {
 public:
  /// Largest distance of any sample from the exact result, over the largest |input sample|; 0: as
  /// direct.
  virtual double error_factor() const { return 0; }
};

/// The direct method can also do a part of one plane, on the calling thread: other methods use that
/// for tiles that hold NaN or infinity.
class ConvolveDirectCpu : public ConvolveRunner {
 public:
  virtual void run_part(const Piece& in, const MutablePiece& out, int plane, Rows rows,
                        int first_column, int columns) const = 0;
};

using ConvolveMethod = Method<ConvolveProblem, ConvolveRunner>;
const std::vector<ConvolveMethod>& convolve_methods();
std::vector<ConvolveMethod> convolve_cuda_methods();  ///< the part of them for GPUs

/// Reasons of separable, lowrank and the FFT methods to refuse on every backend.
std::string why_not_separable(const ConvolveProblem&);
std::string why_not_lowrank(const ConvolveProblem&);
std::string why_no_fft(const ConvolveProblem&);
/// Whether the FFT methods keep to direct's bound too: measured from 9x9 weights on
/// (docs/accuracy.md), but border inside multiplies the remaining error by its factor.
bool fft_keeps_the_bound(const ConvolveProblem&);

/// The key of the problem in tuning tables.
ProblemKey problem_key(const ConvolveProblem&);

std::unique_ptr<const ConvolveRunner> make_convolve_reference(const ConvolveProblem&);
std::unique_ptr<const ConvolveRunner> make_convolve_direct_cpu(const ConvolveProblem&);
std::unique_ptr<const ConvolveDirectCpu> make_convolve_direct_parts(const ConvolveProblem&);
std::unique_ptr<const ConvolveRunner> make_convolve_fft_cpu(const ConvolveProblem&);
/// The part of it for large tiles.
std::unique_ptr<const ConvolveRunner> make_convolve_large_fft_cpu(const ConvolveProblem&);
std::unique_ptr<const ConvolveRunner> make_convolve_running_cpu(const ConvolveProblem&);
std::unique_ptr<const ConvolveRunner> make_convolve_separable_cpu(const ConvolveProblem&);
std::unique_ptr<const ConvolveRunner> make_convolve_lowrank_cpu(const ConvolveProblem&);
std::unique_ptr<const ConvolveRunner> make_convolve_direct_cuda(const ConvolveProblem&);
std::unique_ptr<const ConvolveRunner> make_convolve_running_cuda(const ConvolveProblem&);
std::unique_ptr<const ConvolveRunner> make_convolve_separable_cuda(const ConvolveProblem&);
std::unique_ptr<const ConvolveRunner> make_convolve_lowrank_cuda(const ConvolveProblem&);
std::unique_ptr<const ConvolveRunner> make_convolve_fft_cuda(const ConvolveProblem&);
std::unique_ptr<const ConvolveRunner> make_convolve_fft_library_cuda(const ConvolveProblem&);
/// The same on a plane whose sides are `padded(n)`, at least n.
std::unique_ptr<const ConvolveRunner> make_convolve_fft_library_padded(const ConvolveProblem&,
                                                                       int (*padded)(int n));

/// Further reasons of the CUDA methods to refuse: "" or the reason.
std::string why_not_running_on_device(const ConvolveProblem&);
std::string why_not_separable_on_device(const ConvolveProblem&);
std::string why_no_fft_tiles_on_device(const ConvolveProblem&);
std::string why_no_fft_library_on_device(const ConvolveProblem&);

}  // namespace tessera
