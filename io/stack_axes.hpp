// SPDX-License-Identifier: Apache-2.0
/// How the planes of a stack are arranged and scaled, as far as its file says.
#pragma once

#include <string>
#include <vector>

namespace tessera {

struct StackAxes {
  std::string from;  ///< the program or format that says so, "ImageJ" or "OME"; empty: nothing does
  int frames = 1, slices = 1, channels = 1;
  /// The plane of the file for every frame, slice and channel, channels fastest; -1 if the file has
  /// none. Empty if nothing is known: then planes are frames.
  std::vector<int> planes;
  double um_per_pixel = 0;         ///< micrometres; 0: not known
  double seconds_per_frame = 0;    ///< 0: not known
  bool uneven = false;             ///< frames are not evenly spaced; the interval is the mean
  std::vector<std::string> notes;  ///< what the file says and cannot be used, and why
  /// Why its planes cannot be told apart, to follow "FILE: "; empty if they can.
  std::string wrong;

  bool operator==(const StackAxes&) const = default;
  /// Whether the sizes are positive and there is one plane for each place.
  bool consistent() const;
  /// The plane of a place inside the sizes.
  int plane(int frame, int slice, int channel) const;
  /// "12 frames, 5 slices and 2 channels": all axes with more than one place; "1 frame" if none
  /// has.
  std::string text() const;
};

/// Axes whose planes follow one another in the file, fastest axis first: "CZT" is ImageJ's order.
/// `order` has each of the letters C, Z and T once.
StackAxes axes_in_order(const std::string& order, int frames, int slices, int channels);

}  // namespace tessera
