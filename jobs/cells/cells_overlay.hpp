// SPDX-License-Identifier: Apache-2.0
/// The film with its tracks drawn on it: outlines, ids, and recent positions.
#pragma once

#include <string>

#include "jobs/cells/cells_result.hpp"
#include "jobs/cells/film_axes.hpp"
#include "jobs/progress.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// Which tracks are in a frame, for frames in ascending order.
class TracksInTurn {
 public:
  /// They must outlive it.
  explicit TracksInTurn(const std::vector<CellTrack>& tracks);

  /// Tracks with a spot in `frame`, counted in the film.
  const std::vector<const CellTrack*>& at(int frame);

 private:
  std::vector<const CellTrack*> all_, live_;  ///< all by their first frames
  std::size_t next_ = 0;
};

/// Draws tracks as they are in `frame` into RGB pixels of the film's size or larger.
void draw_tracks(const std::vector<const CellTrack*>& tracks, int frame,
                 const View<std::uint8_t>& picture);

/// A movie, such as an .mp4, at the film's own rate; the file is either the old one or complete.
/// The film is read again. Odd sides become one pixel larger.
void write_cells_overlay(const CellsFilmResult& result, const std::string& input,
                         const FilmReading& reading, const std::string& path, bool force,
                         const Progress& progress = {});

}  // namespace tessera
