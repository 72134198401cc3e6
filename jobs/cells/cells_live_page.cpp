// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_live_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/base64.hpp"
#include "report/json.hpp"
#include "report/page.hpp"

namespace tessera {
namespace {

constexpr const char* kLiveScripts[] = {"page_elements.js", "page_picture.js", "page_bars.js",
                                        "cells_live.js"};
constexpr const char* kLiveStyles[] = {"cells_page.css", "cells_live.css"};
constexpr int kPictureStride = 8;

Json spots_in(const std::vector<CellTrack>& tracks, int frame) {
  Json spots = Json::array();
  for (const CellTrack& track : tracks) {
    const int index = track.spots.empty() ? -1 : frame - track.spots.front().frame;
    if (index < 0 || index >= static_cast<int>(track.spots.size())) continue;
    const CellSpot& spot = track.spots[static_cast<std::size_t>(index)];
    spots.push_back({{"track", track.id},
                     {"x", spot.x},
                     {"y", spot.y},
                     {"radius", spot.radius},
                     {"seen", spot.seen}});
  }
  return spots;
}

Json bins_of_speeds(const std::vector<SpeedBin>& histogram) {
  Json bins = Json::array();
  for (const SpeedBin& bin : histogram)
    bins.push_back({{"from", bin.from}, {"to", bin.to}, {"tracks", bin.tracks}});
  return bins;
}

std::string live_data(const LiveShot& shot, const std::string& waits) {
  const CellsFilmResult& result = shot.result;
  Json data;
  data["version"] = "tessera " TESSERA_VERSION;
  data["running"] = shot.ended.empty();
  data["ended"] = shot.ended;
  data["page_every"] = shot.page_every;
  data["last_frame_ms"] = shot.last_frame_ms;
  data["seconds"] = shot.seconds;
  data["ran"] = result.ran;
  data["film"] = to_json(result.film);
  data["frames_arrived"] = shot.arrived;
  data["frames_done"] = shot.done;
  data["counts"] = to_json(result.counts);
  data["um_per_second"] = to_json(result.calibration.um_per_second());
  data["histogram"] = bins_of_speeds(result.histogram);
  data["latency"] = to_json(shot.latency);
  data["waits"] = waits;
  data["messages"] = result.warnings;
  for (const std::string& note : result.notes) data["messages"].push_back(note);
  data["shown_frame"] = shot.shown_frame;
  data["spots"] = spots_in(result.tracks, shot.shown_frame);
  data["picture"] = nullptr;
  if (shot.picture)
    data["picture"] = {{"width", shot.picture->width},
                       {"height", shot.picture->height},
                       {"side", shot.picture->side},
                       {"levels", base64(shot.picture->levels)}};
  return script_json(data.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

std::string waits_text(const CellsOptions& given) {
  if (given.model == CellsModel::classic) return "Results do not wait for later frames.";
  const bool measured = !given.min_radius || !given.max_radius || given.relief == "auto";
  const std::string first =
      measured ? "The first 40 frames wait until radii and relief are measured in them, unless "
                 "--min-radius, --max-radius and --relief are given."
               : "";
  if (given.background == CellsBackground::still)
    return "Later frames show what stands still: results wait for up to 330 of them at the "
           "start of the film, later for about 165. With --background none they wait for none. " +
           first;
  return measured ? first + " Later results do not wait." : "Results do not wait for later frames.";
}

std::string live_page(const LiveShot& shot, const std::string& waits) {
  std::string page;
  fill_page(
      page_text("cells_live.html"), [&](std::string_view text) { page += text; },
      [&](std::string_view name) {
        if (name == "title") page += html_text(shot.result.film.name + ": live cells");
        if (name == "style")
          for (const char* style : kLiveStyles) page += page_text(style);
        if (name == "data") page += live_data(shot, waits);
        if (name == "script")
          for (const char* script : kLiveScripts) page += page_text(script);
      });
  return page;
}

bool KeptPictures::wants(int frame) { return frame % kPictureStride == 0; }

void KeptPictures::add(int frame, PreviewPicture picture, int done) {
  kept_.push_back({frame, std::move(picture)});
  forget_before(done);
}

void KeptPictures::forget_before(int done) {
  const auto later =
      std::ranges::find_if(kept_, [&](const Kept& kept) { return kept.frame >= done; });
  if (later != kept_.begin()) kept_.erase(kept_.begin(), later - 1);
}

const PreviewPicture* KeptPictures::newest(int done, int& frame) {
  forget_before(done);
  if (kept_.empty() || kept_.front().frame >= done) return nullptr;
  frame = kept_.front().frame;
  return &kept_.front().picture;
}

}  // namespace tessera
