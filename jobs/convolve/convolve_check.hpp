// SPDX-License-Identifier: Apache-2.0
/// Holds a filtered image against the reference.
#pragma once

#include <string>
#include <tuple>

#include "core/strips.hpp"
#include "jobs/progress.hpp"
#include "tessera/convolve.hpp"

namespace tessera {

struct ConvolveCheck {
  int rows = 0;              ///< output rows compared
  int all_rows = 0;          ///< output rows there are
  double max_error = 0;      ///< largest difference, beyond the rounding of integers
  double bound = 0;          ///< the largest that is allowed
  std::string disagreement;  ///< empty, or the first pixel outside the bound

  static constexpr auto fields() {
    using C = ConvolveCheck;
    return std::tuple{
        field("rows", &C::rows, "output rows compared"),
        field("all_rows", &C::all_rows, "output rows there are"),
        field("max_error", &C::max_error, "largest difference from the reference"),
        field("bound", &C::bound, "the largest difference allowed"),
        field("disagreement", &C::disagreement, "empty, or the first pixel that is wrong")};
  }
  std::string describe() const;
};

/// What a check compares: an image, what a plan made of it, and how to make it again.
struct ConvolveEvidence {
  RowSource& input;
  RowSource& result;
  const Convolve& plan;
  AnyView filter;
  const ConvolveOptions& options;
};

/// Computes the reference for all rows, or for bands of rows over the whole height where all would
/// take too long, and compares.
ConvolveCheck check_convolve(const ConvolveEvidence& evidence, Stream& stream,
                             const Progress& progress);

}  // namespace tessera
