// SPDX-License-Identifier: Apache-2.0
/// Some rows of a filtered image by the reference: all of them would take minutes.
#pragma once

#include <string>

#include "study/spot_rows.hpp"
#include "tessera/convolve.hpp"

namespace tessera {

class ConvolveSpotCheck {
 public:
  ConvolveSpotCheck(AnyView in, AnyView filter, ConvolveOptions options)
      : largest_(largest_magnitude(in)), truth_(rows_of(in, filter, options)) {}

  /// "" or the first pixel that is outside the plan's bound.
  std::string disagreement(const Convolve& plan, AnyView out) const {
    return truth_.disagreement(out, plan.error_bound(largest_));
  }

 private:
  static SpotRows rows_of(AnyView in, AnyView filter, ConvolveOptions options) {
    options.backend = Backend::cpu;
    options.method = "reference";
    options.output_type = Type::f64;
    const Convolve reference(in.info(), filter, options);
    return {reference.output(), [&](const MutablePiece& made, Stream& stream) {
              reference(Piece{in, 0}, made, stream);
            }};
  }

  double largest_;
  SpotRows truth_;
};

}  // namespace tessera
