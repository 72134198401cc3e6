// SPDX-License-Identifier: Apache-2.0
/// The meaning of the axes of a cube's file: x, y, and frequencies or depths, in any order. Axes of
/// length 1 do not count.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/header_cards.hpp"
#include "io/image_file.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// Whether a CTYPE contains the word, in upper or lower case.
bool names_axis(const std::string& type, const std::string& word);

struct FaradayCubeAxes {
  std::vector<long long> lengths;  ///< of the file, the fastest first
  int x = -1, y = -1;              ///< index of the axis; -1: none (length 1)
  int spectral = -1;
  int stokes = -1, stokes_at = 0;  ///< an axis of Stokes parameters, and the one to take

  /// The size of the cube as plans see it: planes along the spectral axis.
  Size size() const { return {length(x), length(y), 1, length(spectral)}; }
  /// The size of the file's image: planes are all axes after the second.
  Size file_size() const;
  /// The same with another number of frequencies or depths.
  FaradayCubeAxes with_spectral(int planes) const;
  /// Only x and y: a map.
  FaradayCubeAxes map() const;
  /// Whether each frequency is a plane of the file.
  bool has_planes() const { return spectral >= 2 && y == 1 && x == 0; }
  /// Which plane of the file it is.
  int file_plane(int channel) const {
    return static_cast<int>(channel * planes_apart(spectral) + stokes_planes());
  }

  /// The planes of the file that hold rows of the cube, the rows in them, and the corresponding
  /// part of `cube`, with axes in the file's order.
  using Visit = std::function<void(int plane, Rows rows, AnyMutableView part)>;
  void each_plane(Rows rows, AnyMutableView cube, const Visit& visit) const;

 private:
  int length(int axis) const {
    return axis < 0 ? 1 : static_cast<int>(lengths[static_cast<std::size_t>(axis)]);
  }
  /// The planes of the file before the first of the Stokes parameter.
  long long stokes_planes() const { return stokes < 0 ? 0 : stokes_at * planes_apart(stokes); }
  /// The distance, in planes of the file, between neighbours along an axis.
  long long planes_apart(int axis) const;
};

/// From the header if there is one: the spectral axis is the last whose CTYPE contains `word`
/// ("FREQ", "FDEP"), else the last. If an axis STOKES is longer than 1, `parameter` ('I', 'Q',
/// 'U') is taken. Throws Error(input) for more than three other axes longer than 1.
FaradayCubeAxes find_cube_axes(const std::string& path, const ImageSource& source,
                               const std::string& word, char parameter = 0);

}  // namespace tessera
