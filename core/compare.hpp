// SPDX-License-Identifier: Apache-2.0
/// Compares a result with the truth: used by tests, benchmarks and `--check`.
#pragma once

#include <string>

#include "tessera/image.hpp"
#include "tessera/view.hpp"

namespace tessera {

struct Comparison {
  double largest_error = 0;  ///< beyond rounding to the result's own integers
  std::string disagreement;  ///< empty, or the first pixel outside the bound, with both values
};

/// `truth` is f64. An integer result may differ by its rounding, half a unit, besides the bound,
/// and is compared with the truth saturated to its range (NaN as 0). NaN and infinity must be the
/// same.
Comparison compare(AnyView truth, AnyView result, double bound);

/// A packed f64 copy of a host view: the input of a reference.
Image as_double(AnyView view);

/// The largest |sample| that is finite; 0 for an empty view.
double largest_magnitude(AnyView view);

}  // namespace tessera
