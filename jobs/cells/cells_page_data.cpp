// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/machine.hpp"
#include "jobs/cells/cells_flux.hpp"
#include "report/json.hpp"
#include "report/page.hpp"

namespace tessera {
namespace {

// About 20 bytes per spot: 20 MB at most.
constexpr long long kMostSpots = 1'000'000;

/// The spots a page keeps: one in `every`, and the last.
std::vector<std::size_t> kept_spots(std::size_t count, int every) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < count; i += static_cast<std::size_t>(every)) kept.push_back(i);
  if (count > 0 && kept.back() != count - 1) kept.push_back(count - 1);
  return kept;
}

/// Differences of thousandths; null for NaN.
template <class Value>
Json steps(const std::vector<std::size_t>& kept, const Value& value) {
  Json list = Json::array();
  long long last = 0;
  for (const std::size_t i : kept) {
    if (!std::isfinite(value(i))) {
      list.push_back(nullptr);
      continue;
    }
    const long long now = std::llround(1000 * value(i));
    list.push_back(now - last);
    last = now;
  }
  return list;
}

/// [first, last] of every run of frames in which the cell was not seen.
Json unseen(const CellTrack& track) {
  Json runs = Json::array();
  for (const CellSpot& spot : track.spots) {
    if (spot.seen) continue;
    if (!runs.empty() && runs.back()[1] == spot.frame - 1)
      runs.back()[1] = spot.frame;
    else
      runs.push_back({spot.frame, spot.frame});
  }
  return runs;
}

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json track_data(const CellTrack& track, const std::vector<double>& speeds,
                const CellTrackSummary& summary, int every) {
  const std::vector<CellSpot>& spots = track.spots;
  const std::vector<std::size_t> kept = kept_spots(spots.size(), every);
  return {{"id", summary.track},
          {"does", std::string(name_of(summary.does))},
          {"first_frame", summary.first_frame},
          {"last_frame", summary.last_frame},
          {"frames", summary.frames},
          {"seen", summary.seen},
          {"seconds", json_number(summary.seconds)},
          {"displacement", json_number(summary.displacement)},
          {"path_length", json_number(summary.path_length)},
          {"straightness", json_number(summary.straightness)},
          {"direction", json_number(summary.direction)},
          {"mean_speed", json_number(summary.mean_speed)},
          {"median_speed", json_number(summary.median_speed)},
          {"max_speed", json_number(summary.max_speed)},
          {"longest_rest", json_number(summary.longest_rest)},
          {"mean_radius", json_number(summary.mean_radius)},
          {"mean_score", json_number(summary.mean_score)},
          {"unseen", unseen(track)},
          {"steps",
           {{"x", steps(kept, [&](std::size_t i) { return spots[i].x; })},
            {"y", steps(kept, [&](std::size_t i) { return spots[i].y; })},
            {"radius", steps(kept, [&](std::size_t i) { return spots[i].radius; })},
            {"score", steps(kept, [&](std::size_t i) { return spots[i].score; })},
            {"speed", steps(kept, [&](std::size_t i) { return speeds[i]; })}}}};
}

Json film_data(const CellsFilmResult& result, const ShownFilm& shown) {
  Json film = to_json(result.film);
  film.update(to_json(result.calibration));
  film["shown"] = {{"width", shown.width}, {"height", shown.height}, {"rate", shown.rate}};
  return film;
}

/// Options as users type them.
template <class Options>
Json options_data(const Options& options) {
  Json facts = Json::object();
  for_each_option(options, [&](const char* name, const auto& value, const Help&) {
    facts[name] = to_text(value);
  });
  return facts;
}

// Nothing about times and threads: the same film and options make the same page.
Json facts_data(const CellsFilmResult& result) {
  Json measure = options_data(result.measure);
  measure["edits"] = std::to_string(result.edits);
  Json run{{"version", "tessera " TESSERA_VERSION},
           {"ran", result.ran},
           {"film", result.film.name},
           {"format", result.film.format}};
  if (result.options.backend == Backend::cuda)
    for (const DeviceInfo& device : this_machine().devices)
      if (device.index == result.options.device) run["device"] = device.name;
  Json cells = options_data(result.options);
  cells["background confidence"] = result.background.confidence;
  return {{"Cells", cells}, {"Measures", measure}, {"Run", run}};
}

/// Corrections made in the page continue the table so far (null: there cannot be one) with the
/// next unused id.
Json edits_data(const CellsFilmResult& result) {
  return {{"text", to_json(result.edits_text)}, {"next", result.next_track}};
}

/// Whether corrections leave the line of the flux in its place, and the centre of one that they
/// turn.
Json flux_data(const CellsFilmResult& result) {
  const SpotMotion middle = flux_middle(result);
  return {{"fixed", result.options.flow || result.measure.flux_line != "auto"},
          {"middle", {middle.x, middle.y}}};
}

Json messages(const CellsFilmResult& result, const std::string& note, int every) {
  Json list = Json::array();
  for (const std::vector<std::string>* texts : {&result.warnings, &result.notes})
    for (const std::string& text : *texts) list.push_back(text);
  if (!note.empty()) list.push_back(note);
  if (every > 1)
    list.push_back(fmt::format(
        "to stay small, this page has one position in {} of every track; tracks.csv has all",
        every));
  return list;
}

}  // namespace

int kept_every(const CellsFilmResult& result) {
  long long spots = 0;
  for (const CellTrack& track : result.tracks) spots += std::ssize(track.spots);
  return static_cast<int>(std::max(1LL, (spots + kMostSpots - 1) / kMostSpots));
}

std::string cells_page_data(const CellsFilmResult& result, const ShownFilm& shown,
                            const std::string& note) {
  const int every = kept_every(result);
  Json bins = Json::array(), tracks = Json::array();
  for (const SpeedBin& bin : result.histogram)
    bins.push_back(
        {{"from", bin.from}, {"to", bin.to}, {"tracks", bin.tracks}, {"spots", bin.spots}});
  for (std::size_t i = 0; i < result.tracks.size(); ++i)
    tracks.push_back(track_data(result.tracks[i], result.speeds[i], result.summaries[i], every));
  const Json all{{"film", film_data(result, shown)},
                 {"counts", to_json(result.counts)},
                 {"uncertain", !result.doubts.empty()},
                 {"messages", messages(result, note, every)},
                 {"facts", facts_data(result)},
                 {"histogram", bins},
                 {"measure", to_json(result.measure)},
                 {"flux", flux_data(result)},
                 {"edits", edits_data(result)},
                 {"radii",
                  {{"least", *result.options.min_radius},
                   {"most", *result.options.max_radius},
                   {"sizes", result.sizes}}},
                 {"every", every},
                 {"tracks", tracks}};
  return script_json(all.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace tessera
