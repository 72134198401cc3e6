// SPDX-License-Identifier: Apache-2.0
/// Compares the image that a plan made with the reference.
#pragma once

#include <functional>
#include <string>
#include <tuple>

#include "core/strips.hpp"
#include "jobs/progress.hpp"
#include "tessera/options.hpp"

namespace tessera {

struct ReferenceCheck {
  int rows = 0;              ///< output rows compared
  int all_rows = 0;          ///< all output rows
  double max_error = 0;      ///< largest difference, beyond the rounding of integers
  double bound = 0;          ///< the largest that is allowed
  std::string disagreement;  ///< empty, or the first pixel outside the bound

  static constexpr auto fields() {
    using C = ReferenceCheck;
    return std::tuple{
        field("rows", &C::rows, "output rows compared"),
        field("all_rows", &C::all_rows, "all output rows"),
        field("max_error", &C::max_error, "largest difference from the reference"),
        field("bound", &C::bound, "the largest difference allowed"),
        field("disagreement", &C::disagreement, "empty, or the first pixel that is wrong")};
  }
  std::string describe() const;
};

/// The parts of a check: an image, the plan's result for it, and how to compute it again.
struct ReferenceEvidence {
  RowSource& input;
  RowSource& result;
  StripPlan reference;                   ///< serial; called from many threads, row by row
  std::function<double(AnyView)> bound;  ///< bound of the difference, for this part of the input
  double reads = 1;          ///< about how many samples the reference reads per output sample
  Type written = Type::f64;  ///< of the result: files of i16 are read as f32
};

/// Computes the reference for all rows, or for bands of rows over the whole height if all rows
/// would take too long, and compares.
ReferenceCheck check_against_reference(const ReferenceEvidence& evidence, Stream& stream,
                                       const Progress& progress);

}  // namespace tessera
