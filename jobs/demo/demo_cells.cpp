// SPDX-License-Identifier: Apache-2.0
// A film of rolling white blood cells with known tracks: cells are found, followed and scored.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "jobs/demo/demo_part.hpp"
#include "jobs/demo/draw_cell_tracks.hpp"
#include "jobs/demo/find_demo_means.hpp"

namespace tessera {
namespace {

constexpr double kFramesPerSecond = 30, kMicrometresPerPixel = 0.32;
/// The limits for hard films.
constexpr double kFoundNeeded = 0.95, kFalseAllowed = 0.05, kNearNeeded = 0.85;
/// Two crossings may be lost even if there are few.
constexpr double kLostAllowed = 0.1, kLeastLost = 2;
constexpr double kVelocityAllowance = 0.03;
constexpr const char *kFilm = "film.npy", *kSpeeds = "speeds.png";

struct Film {
  std::string words = "--preset hard";  ///< of the sample
  std::string troubles =
      "enter, leave and overtake one another, with noise, uneven light and a drifting scene";
  int frames = 300, cells = 40;
  int shown_every = 3;
  bool report = true;
  bool speeds = gnuplot_is_here();
  std::string picture = photo_ending();

  std::vector<std::string> shown(const char* name) const {
    std::vector<std::string> files;
    for (int frame = 0; frame < frames; frame += shown_every)
      files.push_back(fmt::format("frames/{}{:03}{}", name, frame, picture));
    return files;
  }
  double rate() const { return kFramesPerSecond / shown_every; }
};

Film film_of(bool quick) {
  if (!quick) return {};
  return {.words = "--preset easy --size 320x240 --frames 200 --cells 8",
          .troubles = "enter and leave, with noise",
          .frames = 200,
          .cells = 8,
          .shown_every = 20,
          .report = false};
}

DemoCheck judge(const Json& score) {
  const auto whole = [&](const char* name) { return score.at(name).get<int>(); };
  const int cells = whole("cells"), tracks = whole("tracks"), there = whole("there");
  const int crossings = whole("crossings"), lost = crossings - whole("crossings_kept");
  const double may_be_lost = std::max(kLeastLost, std::floor(kLostAllowed * crossings));
  const Json& error = score.at("velocity_error");
  const double velocity = error.is_null() ? NAN : error.get<double>();
  const bool right = cells > 0 && score.at("found_share") >= kFoundNeeded &&
                     whole("false_tracks") <= kFalseAllowed * tracks && there > 0 &&
                     whole("near") >= kNearNeeded * there && lost <= may_be_lost &&
                     velocity <= kVelocityAllowance;
  return {right,
          fmt::format("{} of {} cells found ({:.0f}% needed), {} false tracks among {} ({:.0f}% "
                      "allowed); {} of {} within 2 pixels at frame 60 ({:.0f}% needed), {} of {} "
                      "crossings not kept apart ({:.0f} allowed); error of velocities {:.4f} "
                      "pixels per frame ({} allowed)",
                      whole("found"), cells, 100 * kFoundNeeded, whole("false_tracks"), tracks,
                      100 * kFalseAllowed, whole("near"), there, 100 * kNearNeeded, lost, crossings,
                      may_be_lost, velocity, kVelocityAllowance)};
}

/// The page plays a film as single pictures, which no command makes.
void draw_pictures(const Film& film, const Json& counts) {
  std::filesystem::create_directories("frames");
  draw_cell_tracks(
      {kFilm, "out/tracks.csv", film.shown_every, film.shown("film"), film.shown("tracks")});
  if (!film.speeds) return;
  std::optional<double> median;
  if (const Json& speed = counts.at("median_speed"); !speed.is_null())
    median = speed.get<double>() * kFramesPerSecond * kMicrometresPerPixel;
  draw_cell_speeds("out/histogram.csv", kFilm, median, kSpeeds);
}

std::vector<DemoPicture> outputs(const Film& film) {
  std::vector<DemoPicture> pictures{{film.shown("tracks"),
                                     "The same with outlines, ids and the paths of the last second",
                                     film.rate()}};
  if (film.speeds) pictures.push_back({{kSpeeds}, "How fast the cells roll"});
  return pictures;
}

constexpr const char* kCellsPython = R"(import numpy as np
import tessera

film = tessera.read("film.npy")
tracks = tessera.track_cells(film, flow=0{})
ids = np.unique(tracks["TRACK_ID"])
speeds = [tracks["SPEED"][tracks["TRACK_ID"] == track].mean() for track in ids]
print(len(ids), "cells, median speed", np.median(speeds), "pixels per frame")

score = tessera.score_cells("truth.csv", tracks)
print(score["found"], "of", score["cells"], "found,", score["false_tracks"], "false tracks")
)";

}  // namespace

DemoPart demo_cells(const DemoOptions& options) {
  Film film = film_of(options.quick);
  if (film.picture == ".png") film.shown_every *= 5;  // noise does not compress without loss
  DemoPart part;
  part.operation = "cells";
  part.field = "Intravital microscopy";
  part.title = "White blood cells found and followed";
  part.story = fmt::format(
      "A film of a venule, {} frames at {} per second: {} white blood cells roll along it, {}. The "
      "question is how fast they roll. Each cell is found by its outline and followed from frame "
      "to frame; the tracks are then compared with the true ones.",
      film.frames, kFramesPerSecond, film.cells, film.troubles);
  part.commands = {
      {fmt::format("tessera sample cells {} {} --seed {} --truth truth.csv", kFilm, film.words,
                   options.seed)},
      {fmt::format(
           "tessera cells track {} -o out --flow 0 --frame-rate {} --um-per-pixel {} --overlay "
           "no{}{}",
           kFilm, kFramesPerSecond, kMicrometresPerPixel, film.report ? "" : " --report no",
           options.backend_words()),
       true},
      {"tessera cells score truth.csv out/tracks.csv"}};
  part.python = fmt::format(kCellsPython, options.backend_argument());
  part.inputs = {
      {film.shown("film"),
       fmt::format("One frame in {} of the film, at its original speed", film.shown_every),
       film.rate()}};
  part.outputs = outputs(film);
  part.check = [film](const std::vector<Json>& said) {
    draw_pictures(film, said.at(1).at("counts"));
    return judge(said.at(2));
  };
  return part;
}

}  // namespace tessera
