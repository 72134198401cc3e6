// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_corrections.hpp"

#include <fmt/format.h>

#include "jobs/cells/cell_track_file.hpp"
#include "jobs/cells/trackmate_corrections.hpp"

namespace tessera {

CellsCorrections read_corrections(const std::string& path) {
  const std::string text = read_track_text(path);
  if (!is_xml(text)) return {text, parse_edits(path, text), {}};
  const TrackDocument document(path, text);
  if (!is_trackmate(document))
    document.refuse(document.root(),
                    fmt::format("<{}> does not hold corrections; it must be <TrackMate>, or the "
                                "file a table with the columns {}",
                                document.root().name(), kCellsEditsHeader));
  return {{}, {}, trackmate_tracks(document)};
}

void correct_tracks(const CellsCorrections& corrections, CellsFilmResult& result) {
  if (corrections.corrected) {
    take_corrected_tracks(*corrections.corrected, result);
    result.edits_text.reset();
    return;
  }
  result.next_track = replay_edits(corrections.edits, result.film, result.tracks);
  result.edits = static_cast<int>(corrections.edits.size());
  result.edits_text = corrections.text;
}

}  // namespace tessera
