// SPDX-License-Identifier: Apache-2.0
/// Scores are made of squares of slopes. Float holds these for values near 1, so films with values
/// far from 1 are multiplied by a power of two.
#pragma once

#include "tessera/image.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// The scale of a film, which the first frame that is not all zeros decides. Frames of integers and
/// those on a device stay as they are.
class CellsScale {
 public:
  /// The frames, or `scaled`, which is made from them, if they must be scaled.
  AnyView of(AnyView frames, Image& scaled);

 private:
  int exponent_ = 0;
  bool known_ = false;
};

}  // namespace tessera
