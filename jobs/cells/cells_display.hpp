// SPDX-License-Identifier: Apache-2.0
/// Frames of a film as people look at them: 8-bit grey.
#pragma once

#include <cstdint>

#include "io/image_file.hpp"
#include "tessera/image.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Reads a film, a frame a plane, once more. Colours are averaged. u8 stays as it is; other types
/// are stretched so that all but the darkest and brightest thousandth of the first frame fit.
class CellsDisplay {
 public:
  /// `film` must outlive it.
  explicit CellsDisplay(ImageSource& film);

  int width() const { return grey_.info().size.width; }
  int height() const { return grey_.info().size.height; }
  /// Frame `index` of those that are read; valid until the next call. In ascending order films are
  /// read in one go.
  View<const std::uint8_t> frame(int index);

 private:
  void find_range();

  ImageSource& film_;
  Image read_, grey_;
  bool ranged_;  ///< low_ and high_ are known
  double low_ = 0, high_ = 255;
};

}  // namespace tessera
