// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "jobs/cells/cells_tables.hpp"
#include "jobs/cells/trackmate_model.hpp"

namespace tessera {
namespace {

/// Columns before the features; they have no units.
struct LeadingColumn {
  const char *name, *title;
};
constexpr LeadingColumn kLeadingColumns[] = {
    {"LABEL", "Label"}, {"ID", "Spot ID"}, {"TRACK_ID", "Track ID"}};

// One of the four lines above the numbers.
template <class Leading, class Text>
std::string header_line(Leading leading, Text text) {
  std::string line;
  for (const LeadingColumn& column : kLeadingColumns) line += std::string(leading(column)) + ",";
  for (const TrackMateFeature& feature : kTrackMateSpotFeatures)
    line += std::string(text(feature)) + ",";
  line.back() = '\n';
  return line;
}

}  // namespace

void write_trackmate_spots(const CellsFilmResult& result, TextFile& file) {
  const TrackMateModel model(result);
  const auto name = [](const auto& column) { return column.name; };
  const auto title = [](const auto& column) { return column.title; };
  file.add(header_line(name, name));
  file.add(header_line(title, title));
  file.add(header_line(title, [](const TrackMateFeature& feature) { return feature.short_title; }));
  file.add(header_line([](const LeadingColumn&) { return ""; },
                       [&](const TrackMateFeature& feature) { return model.unit_of(feature); }));
  for (std::size_t k = 0; k < result.tracks.size(); ++k)
    for (std::size_t i = 0; i < result.tracks[k].spots.size(); ++i) {
      file.add(
          fmt::format("{},{},{}", model.label_of(k, i), model.id_of(k, i), result.tracks[k].id));
      for (const std::string& value : model.values_of(result.tracks[k].spots[i]))
        file.add("," + value);
      file.add("\n");
    }
}

}  // namespace tessera
