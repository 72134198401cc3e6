// SPDX-License-Identifier: Apache-2.0
/// Frames as they are shown: 8 bits of grey.
#pragma once

#include <cstdint>

#include "tessera/image.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// u8 stays as it is; other types are stretched so that all pixels of the first frame except the
/// darkest and the brightest thousandth fit.
class GreyLevels {
 public:
  explicit GreyLevels(const ImageInfo& frame);

  /// Packed; valid until the next call and as long as the frame.
  View<const std::uint8_t> of(const Image& frame);

 private:
  void find_range(const Image& frame);

  Image grey_;
  bool ranged_;  ///< low_ and high_ are known
  double low_ = 0, high_ = 255;
};

}  // namespace tessera
