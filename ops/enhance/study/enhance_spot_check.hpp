// SPDX-License-Identifier: Apache-2.0
/// Some rows of an enhanced image by the reference: all of them would take minutes. The limits
/// of contrast are those of the whole image.
#pragma once

#include <string>

#include "study/spot_rows.hpp"
#include "tessera/enhance.hpp"

namespace tessera {

class EnhanceSpotCheck {
 public:
  EnhanceSpotCheck(AnyView in, const std::string& steps)
      : reference_({in.size, in.type, kHost},
                   {.steps = steps, .backend = Backend::cpu, .method = "reference"}),
        truth_(rows_of(in)) {}

  /// Whether those rows are the same.
  bool agrees(AnyView out) const {
    return out.size == reference_.output().size && truth_.disagreement(out, 0).empty();
  }

 private:
  SpotRows rows_of(AnyView in) const {
    Stream examining;
    const EnhanceState state = reference_.examine(in, examining);
    return {reference_.output(), [&](const MutablePiece& made, Stream& stream) {
              reference_(state, Piece{in, 0}, made, stream);
            }};
  }

  Enhance reference_;
  SpotRows truth_;
};

}  // namespace tessera
