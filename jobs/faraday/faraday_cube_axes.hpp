// SPDX-License-Identifier: Apache-2.0
/// Which axis of a cube's file is which: x, y, and the one of frequencies or depths, wherever they
/// lie. Axes of length 1 count for nothing.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/header_cards.hpp"
#include "io/image_file.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Whether a CTYPE has the word in it, in capitals or not.
bool names_axis(const std::string& type, const std::string& word);

struct FaradayCubeAxes {
  std::vector<long long> lengths;  ///< of the file, the fastest first
  int x = -1, y = -1;              ///< which of them; -1: none, of length 1
  int spectral = -1;

  /// Of the cube as plans see it: planes along the spectral axis.
  Size size() const { return {length(x), length(y), 1, length(spectral)}; }
  /// Of the file's image: planes are all axes past the second.
  Size file_size() const;
  /// The same with another number of frequencies or depths.
  FaradayCubeAxes with_spectral(int planes) const;
  /// x and y alone: a map.
  FaradayCubeAxes map() const;
  /// Whether each frequency is a plane of the file.
  bool has_planes() const { return spectral >= 2 && y == 1 && x == 0; }

  /// Which planes of the file hold rows of the cube, which rows of theirs, and the part of `cube`
  /// that they are, turned as the file has it.
  using Visit = std::function<void(int plane, Rows rows, AnyMutableView part)>;
  void each_plane(Rows rows, AnyMutableView cube, const Visit& visit) const;

 private:
  int length(int axis) const {
    return axis < 0 ? 1 : static_cast<int>(lengths[static_cast<std::size_t>(axis)]);
  }
  /// By how many planes of the file two neighbours along an axis lie apart.
  long long planes_apart(int axis) const;
};

/// By the header where there is one: the spectral axis is the last whose CTYPE has `word` in it
/// ("FREQ", "FDEP"), else the last. Throws Error(input) for more than three axes longer than 1.
FaradayCubeAxes find_cube_axes(const std::string& path, const ImageSource& source,
                               const std::string& word);

}  // namespace tessera
