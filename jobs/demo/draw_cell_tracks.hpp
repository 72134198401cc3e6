// SPDX-License-Identifier: Apache-2.0
/// Pictures of a film whose cells were followed, from the tables that `tessera cells track` makes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// Which frames of a film become pictures, and their names.
struct ShownFrames {
  std::string film, tracks;               ///< the film; its tracks.csv
  int every = 1;                          ///< every how many frames one is taken
  std::vector<std::string> plain, drawn;  ///< one name per picture: without and with tracks
};

/// Frames, and the same with outlines, ids and recent positions. The film is 8-bit grey.
void draw_cell_tracks(const ShownFrames& shown);

/// The bars of histogram.csv of a calibrated film; `median` is in micrometres per second.
void draw_cell_speeds(const std::string& table, const std::string& film,
                      std::optional<double> median, const std::string& picture);

}  // namespace tessera
