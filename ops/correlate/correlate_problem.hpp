// SPDX-License-Identifier: Apache-2.0
/// What the methods of correlate see: the checked problem, and what they must make of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/choice.hpp"
#include "tessera/correlate.hpp"
#include "tessera/stream.hpp"
#include "tessera/view.hpp"
#include "tune/table.hpp"

namespace tessera {

struct CorrelateProblem {
  ImageInfo image, output;
  int planes = 0;  ///< of one image: plane k is plane k / channels, channel k % channels
  int batch = 1;   ///< images; each has the next planes / channels planes of the view
  std::vector<CorrelateSum> sums;
  ShiftScale scale = ShiftScale::none;
  Point first_shift;               ///< of output column 0, row 0: 0 or 1 - max_shift
  int shifts_x = 0, shifts_y = 0;  ///< columns and rows of a map
  int device = 0;                  ///< where the CUDA methods run

  /// Every pair is a plane with itself: then opposite quadrants are equal, and the image's own
  /// planes need only one transform.
  bool same_planes() const {
    for (const CorrelateSum& sum : sums)
      for (const PlanePair& pair : sum.pairs)
        if (pair.first != pair.second) return false;
    return true;
  }
  long long pairs() const {
    long long count = 0;
    for (const CorrelateSum& sum : sums) count += std::ssize(sum.pairs);
    return count;
  }
};

/// Whether both views are the same pixels.
inline bool same_images(const AnyView& a, const AnyView& b) {
  return a.data == b.data && a.pixel == b.pixel && a.row == b.row && a.plane == b.plane;
}

/// A method, ready to run. Immutable: any number of threads run it, each on its own stream.
class CorrelateRunner {
 public:
  virtual ~CorrelateRunner() = default;
  /// Views fit the problem. `other` has the same data as `image` for an autocorrelation. Writes
  /// sums that are scaled already (correlate_scale.hpp).
  virtual void run(AnyView image, AnyView other, AnyMutableView map, Stream& stream) const = 0;
  virtual std::string describe() const = 0;  ///< "neon, transforms of 768x768"
};

using CorrelateMethod = Method<CorrelateProblem, CorrelateRunner>;
const std::vector<CorrelateMethod>& correlate_methods();

/// Multiply-adds of the four nested loops.
double correlate_products(const CorrelateProblem&);

/// The key of the problem in tuning tables.
ProblemKey problem_key(const CorrelateProblem&);

using CorrelateRunnerPointer = std::unique_ptr<const CorrelateRunner>;
CorrelateRunnerPointer make_correlate_reference(const CorrelateProblem&);
CorrelateRunnerPointer make_correlate_direct_cpu(const CorrelateProblem&);
CorrelateRunnerPointer make_correlate_fft_cpu(const CorrelateProblem&);
CorrelateRunnerPointer make_correlate_direct_cuda(const CorrelateProblem&);
CorrelateRunnerPointer make_correlate_fft_cuda(const CorrelateProblem&);

/// Why no CUDA method can run, and why the fft among them cannot: "" or the reason.
std::string why_no_correlate_on_device(const CorrelateProblem&);
std::string why_no_correlate_fft_on_device(const CorrelateProblem&);

}  // namespace tessera
