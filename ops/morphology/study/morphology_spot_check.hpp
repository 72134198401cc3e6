// SPDX-License-Identifier: Apache-2.0
/// Some rows of an eroded image by the reference: all of them would take minutes.
#pragma once

#include <string>

#include "study/spot_rows.hpp"
#include "tessera/morphology.hpp"

namespace tessera {

class ErosionSpotCheck {
 public:
  ErosionSpotCheck(AnyView in, AnyView element)
      : truth_({in.size, in.type}, [&](const MutablePiece& made, Stream& stream) {
          const Morphology reference(MorphologyKind::erode, in.info(), element,
                                     {.backend = Backend::cpu, .method = "reference"});
          reference(Piece{in, 0}, made, stream);
        }) {}

  /// "" or the first pixel that differs.
  std::string disagreement(AnyView out) const { return truth_.disagreement(out, 0); }

 private:
  SpotRows truth_;
};

}  // namespace tessera
