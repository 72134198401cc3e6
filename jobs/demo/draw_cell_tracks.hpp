// SPDX-License-Identifier: Apache-2.0
/// Pictures of a film whose cells were followed, from the tables that `tessera cells track` makes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// Which frames of a film become pictures, and their names.
struct ShownFrames {
  std::string film, tracks;               ///< the film; tracks.csv of it
  int every = 1;                          ///< one frame in so many
  std::vector<std::string> plain, drawn;  ///< a name a picture: as it is, and with tracks
};

/// Frames, and the same with outlines, ids and where cells have just been. The film is 8-bit grey.
void draw_cell_tracks(const ShownFrames& shown);

/// Bars of histogram.csv of a film with micrometres; `median` is in micrometres a second.
void draw_cell_speeds(const std::string& table, const std::string& film,
                      std::optional<double> median, const std::string& picture);

}  // namespace tessera
