// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_follow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/counted.hpp"
#include "core/parallel.hpp"
#include "jobs/cells/cells_motion.hpp"

namespace tessera {
namespace {

/// One frame being decoded, one being followed, and one between them because their times differ.
constexpr int kFramesInFlight = 3;

/// A scene that moves by more pixels is worth a note.
constexpr double kDriftToSay = 2;

std::vector<CellTrack> tracks_of_one(const std::vector<CellDetection>& cells) {
  std::vector<CellTrack> tracks;
  for (const CellDetection& cell : cells)
    tracks.push_back({static_cast<int>(tracks.size()) + 1,
                      {{0, cell.x, cell.y, cell.radius, cell.score, true}}});
  return tracks;
}

void detect_one(FilmSource& source, const Cells& plan, Stream& stream, CellsFilmResult& result) {
  FilmFrame frame;
  {
    const Stopwatch watch(result.seconds.read);
    source.next(frame);
  }
  const Stopwatch watch(result.seconds.work);
  search_single(plan, frame.view, stream, result);
}

/// Confidence is high if nearly all objects that single frames show have a track, and nothing else
/// speaks against the tracks.
CellsChoice choice_of(const Cells& plan, const CellsOptions& used, const CellsVerdict& verdict) {
  CellsChoice choice{std::string(name_of(used.background)), "", "unknown", verdict.clear,
                     verdict.missed};
  const bool still = used.background == CellsBackground::still;
  if (used.background != plan.options().background)
    choice.why = "the film is too short to tell what stands still";
  else
    choice.why = still ? "what stands still was subtracted; cells that stand were kept"
                       : "frames were searched as they are";
  if (!verdict.doubts.empty())
    choice.confidence = "low";
  else if (verdict.clear > 0)
    choice.confidence = "high";
  return choice;
}

void follow_all(FilmSource& source, const Cells& plan, Stream& stream, CellsFilmResult& result,
                const Progress& progress) {
  StageSeconds& seconds = result.seconds;
  CellsState state = plan.start();
  const auto read = [&](FilmFrame& frame) {
    const Stopwatch watch(seconds.read);
    return source.next(frame);
  };
  const auto work = [&](FilmFrame& frame) {
    const Stopwatch watch(seconds.work);
    plan.add(state, frame.view, stream);
  };
  const auto tell = [&, done = 0](FilmFrame&) mutable {
    if (progress) progress(++done, source.frames());
  };
  ordered<FilmFrame>(read, work, tell, kFramesInFlight);
  const Stopwatch watch(seconds.work);
  finish_following(plan, state, stream, result);
}

// Cells are searched for where the largest circle plus two pixels is inside the frame.
std::string why_none_fits(const Cells& plan) {
  const Size frame = plan.frame().size;
  const double largest = *plan.options().max_radius;
  if (plan.options().model == CellsModel::classic ||
      std::min(frame.width, frame.height) >= 2 * std::lround(largest) + 5)
    return "";
  return fmt::format(
      "no circle of radius {} fits into frames of {}x{}; give a smaller --max-radius", largest,
      frame.width, frame.height);
}

void say_what_to_know(const FilmSource& source, const Cells& plan, CellsFilmResult& result) {
  const int frames = source.read_so_far(), least = *result.options.min_frames;
  for (std::string& note : source.notes()) result.notes.push_back(std::move(note));
  if (const std::string why = why_none_fits(plan); !why.empty())
    result.notes.push_back(why);
  else if (source.frames() == 1)
    result.notes.push_back("the film has one frame: its cells are found, but they have no speed");
  else if (frames < least)
    result.notes.push_back(
        fmt::format("the film has {}, and tracks need {}; give a smaller --min-frames",
                    counted(frames, "frame"), least));
  else if (result.tracks.empty())
    result.notes.push_back(result.why_no_tracks.empty()
                               ? "no cells were found"
                               : "no cells were found: " + result.why_no_tracks);
  if (result.options.background != plan.options().background)
    result.notes.push_back(
        fmt::format("the film has {}, too few to tell what stands still: nothing was subtracted",
                    counted(frames, "frame")));
  if (result.options.relief != plan.options().relief && result.options.relief != "none")
    result.notes.push_back(fmt::format(
        "the picture has relief: cells are bright on one side and dark on the other, in the "
        "direction of {} degrees, and were searched in frames integrated along it; --relief none "
        "takes frames as they are",
        result.options.relief));
  if (result.options.max_radius != plan.options().max_radius)
    result.notes.push_back(fmt::format(
        "cells with radii of {} to {} pixels were searched for: {} in the first "
        "frames {} a median of {:.1f}; --min-radius and --max-radius overrule",
        *result.options.min_radius, *result.options.max_radius,
        counted(result.sizes.size(), "round object"), result.sizes.size() == 1 ? "has" : "have",
        result.sizes[result.sizes.size() / 2]));
  if (const double drift = largest_drift(result.drift); drift > kDriftToSay)
    result.notes.push_back(fmt::format(
        "the scene moves by up to {:.1f} pixels: speeds, paths and classes of cells are relative "
        "to it, positions are those in the frame",
        drift));
  for (const std::string& doubt : result.doubts) result.warnings.push_back(doubt);
  if (!source.damage().empty())
    result.warnings.push_back(
        fmt::format("{}; tracks cover the {} before", source.damage(), counted(frames, "frame")));
}

}  // namespace

FilmReading limited(FilmReading reading, const RunSettings& settings) {
  if (reading.limits.bytes == 0) reading.limits.bytes = settings.reader_bytes();
  return reading;
}

CellsOptions options_for(const FilmSource& source, CellsOptions options) {
  if (source.frames() == 1 && options.model == CellsModel::corrected)
    options.background = CellsBackground::none;
  return options;
}

void finish_following(const Cells& plan, CellsState& state, Stream& stream,
                      CellsFilmResult& result) {
  plan.finish(state, stream);
  const CellsVerdict verdict = plan.verdict(state);
  result.doubts = verdict.doubts;
  result.why_no_tracks = verdict.why_no_tracks;
  result.options = plan.used_options(state);
  result.background = choice_of(plan, result.options, verdict);
  result.sizes = plan.sizes(state);
  result.drift = plan.drift(state);
  if (const int merged = plan.merged_sides(state); merged > 0)
    result.notes.push_back(
        fmt::format("the picture has relief: {} the bright or dark side of another cell and {} "
                    "merged with it",
                    merged == 1 ? "1 track was" : fmt::format("{} tracks were", merged),
                    merged == 1 ? "was" : "were"));
  result.tracks = plan.tracks(state);
}

void search_single(const Cells& plan, AnyView frame, Stream& stream, CellsFilmResult& result) {
  result.options = plan.options();
  result.tracks = tracks_of_one(plan.detect(frame, stream));
}

void follow_film(FilmSource& source, const Cells& plan, const RunSettings& settings,
                 CellsFilmResult& result, const Progress& progress) {
  Stream stream = settings.stream(plan.device());
  if (source.frames() == 1)
    detect_one(source, plan, stream, result);
  else
    follow_all(source, plan, stream, result, progress);
  describe_followed(source, plan, result);
}

void describe_followed(const FilmSource& source, const Cells& plan, CellsFilmResult& result) {
  result.ran = plan.describe();
  for (CellTrack& track : result.tracks)
    for (CellSpot& spot : track.spots) spot.frame += source.first_frame();
  result.film.format = source.format();
  result.film.width = source.frame().size.width;
  result.film.height = source.frame().size.height;
  result.film.first_frame = source.first_frame();
  result.film.frames = source.read_so_far();
  say_what_to_know(source, plan, result);
}

}  // namespace tessera
