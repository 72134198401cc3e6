// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/trackmate_display.hpp"

#include <algorithm>

#include "report/json.hpp"

namespace tessera {

// TrackMate complains about a file without display settings. A value that is missing becomes its
// default in some versions and nothing in others, so all are given.
std::string trackmate_display(int tracks) {
  const double last = std::max(tracks - 1, 1);
  return Json{{"name", "Tessera"},
              {"spotUniformColor", "204, 51, 204, 255"},
              {"spotColorByType", "TRACKS"},
              {"spotColorByFeature", "TRACK_INDEX"},
              {"spotDisplayRadius", 1.0},
              {"spotDisplayedAsRoi", true},
              {"spotMin", 0.0},
              {"spotMax", last},
              {"spotShowName", false},
              {"trackMin", 0.0},
              {"trackMax", last},
              {"trackColorByType", "TRACKS"},
              {"trackColorByFeature", "TRACK_INDEX"},
              {"trackUniformColor", "204, 204, 51, 255"},
              {"undefinedValueColor", "0, 0, 0, 255"},
              {"missingValueColor", "89, 89, 89, 255"},
              {"highlightColor", "51, 230, 51, 255"},
              {"trackDisplayMode", "LOCAL_BACKWARD"},
              {"colormap", "Jet"},
              {"limitZDrawingDepth", false},
              {"drawingZDepth", 10.0},
              {"fadeTracks", true},
              {"fadeTrackRange", 30},
              {"useAntialiasing", true},
              {"spotVisible", true},
              {"trackVisible", true},
              {"font",
               {{"name", "Arial"},
                {"style", 1},
                {"size", 12},
                {"pointSize", 12.0},
                {"fontSerializedDataVersion", 1}}},
              {"lineThickness", 1.0},
              {"selectionLineThickness", 4.0},
              {"trackschemeBackgroundColor1", "128, 128, 128, 255"},
              {"trackschemeBackgroundColor2", "192, 192, 192, 255"},
              {"trackschemeForegroundColor", "0, 0, 0, 255"},
              {"trackschemeDecorationColor", "0, 0, 0, 255"},
              {"trackschemeFillBox", false},
              {"spotFilled", false},
              {"spotTransparencyAlpha", 1.0}}
      .dump();
}

}  // namespace tessera
