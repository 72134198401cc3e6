// SPDX-License-Identifier: Apache-2.0
/// Scores are made of squares of slopes, which float holds of values near 1: films whose values are
/// far from that are multiplied by a power of two.
#pragma once

#include "tessera/image.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// The scale of a film, which the first frame that is not all zeros decides. Frames of integers and
/// those on a device stay as they are.
class CellsScale {
 public:
  /// The frames, or where they must be scaled `scaled`, which is made of them.
  AnyView of(AnyView frames, Image& scaled);

 private:
  int exponent_ = 0;
  bool known_ = false;
};

}  // namespace tessera
