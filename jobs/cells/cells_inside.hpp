// SPDX-License-Identifier: Apache-2.0
/// The part of the frame in which cells count: the vessel, as a polygon or a mask image.
#pragma once

#include <string>
#include <vector>

#include "jobs/cells/cells_result.hpp"
#include "jobs/cells/polygon.hpp"
#include "tessera/image_files.hpp"

namespace tessera {

class CellsInside {
 public:
  /// "X1,Y1 X2,Y2 X3,Y3 …", with three corners or more, which may cross itself (even-odd rule);
  /// else the name of an image of the frame's size, inside where it is not 0. Throws Error(usage)
  /// if the text, the size of the image or its contents do not fit, Error(input) if it cannot be
  /// read.
  CellsInside(const std::string& text, const Size& frame, const ReadLimits& limits = {});
  /// The same of an image in memory, which messages call `name`.
  CellsInside(const std::string& name, const Image& mask, const Size& frame);

  /// A position outside the frame is not inside.
  bool has(double x, double y) const;

 private:
  void read_mask(const std::string& name, const ReadLimits& limits);
  void take_mask(const std::string& name, const Image& image);

  Size frame_;
  Polygon corners_;
  std::vector<bool> mask_;  ///< empty if there are corners
};

/// Numbers of the tracks that changed.
struct CellsCut {
  int outside = 0;  ///< tracks that were never inside
  int ended = 0;    ///< tracks that were cut where the cell left, or began where it came in
  int dropped = 0;  ///< pieces of them with fewer spots than `least`
};

/// Keeps the spots inside. A cell that comes back is another track, with the next unused id; pieces
/// of tracks begin and end with a spot that was seen, and have at least `least` spots.
CellsCut keep_inside(const CellsInside& inside, int least, std::vector<CellTrack>& tracks);

/// One sentence for the notes; empty if nothing was cut.
std::string cut_text(const CellsCut& cut, int least);

}  // namespace tessera
