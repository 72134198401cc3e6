// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_xml.hpp"

#include <fmt/format.h>

#include "core/folder.hpp"
#include "jobs/cells/xml_elements.hpp"

namespace tessera {

void write_isbi(const CellsFilmResult& result, TextFile& file) {
  XmlElements xml(file);
  xml.open("root");
  xml.open("TrackContestISBI2012",
           {{"snr", "?"}, {"density", "?"}, {"scenario", name_in_folder(result.film.name)}});
  for (const CellTrack& track : result.tracks) {
    xml.open("particle");
    for (const CellSpot& spot : track.spots)
      xml.empty("detection", {{"t", fmt::format("{}", spot.frame)},
                              {"x", fmt::format("{:.9g}", spot.x)},
                              {"y", fmt::format("{:.9g}", spot.y)},
                              {"z", "0"}});
    xml.close();
  }
  xml.close();
  xml.close();
}

}  // namespace tessera
