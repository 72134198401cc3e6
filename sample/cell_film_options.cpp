// SPDX-License-Identifier: Apache-2.0
#include "sample/cell_film_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/counted.hpp"
#include "sample/sample_checks.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr double kLongestDrift = 10'000;  // pixels

// The numbers of the specification of `cells`, with which its quality list is measured.
constexpr CellFilmOptions kHard{
    .preset = CellFilmPreset::hard,
    .frames = 300,
    .cells = 40,
    .radius_low = 7,
    .radius_high = 12,
    .contrast_low = 6,
    .contrast_high = 18,
    .bright = 0.75,
    .speed_low = 0.2,
    .speed_high = 4,
    .flow = 0,
    .stops = 8,
    .arrests = 0,
    .adherent = 0,
    .ground = 110,
    .walls = 14,
    .texture = 6,
    .texture_fine = 4,
    .texture_coarse = 30,
    .light = 0.25,
    .flicker = 0,
    .drift = 0.1,
    .sway = 0,
    .jump = 0,
    .rim = 0,
    .noise = 8,
    .crossings = 8,
    .entries = 10,
    .exits = 10,
};

constexpr CellFilmOptions standard() {
  CellFilmOptions o = kHard;
  o.preset = CellFilmPreset::standard;
  o.frames = 200;
  o.cells = 24;
  o.contrast_low = 15;
  o.contrast_high = 30;
  o.stops = 4;
  o.texture = 4;
  o.light = 0.15;
  o.drift = 0.05;
  o.noise = 5;
  o.crossings = 3;
  o.entries = 4;
  o.exits = 4;
  return o;
}

constexpr CellFilmOptions easy() {
  CellFilmOptions o = standard();
  o.preset = CellFilmPreset::easy;
  o.frames = 100;
  o.cells = 12;
  o.contrast_low = 25;
  o.contrast_high = 40;
  o.bright = 1;
  o.speed_low = 0.5;
  o.speed_high = 2.5;
  o.stops = 0;
  o.texture = 2;
  o.light = 0.1;
  o.drift = 0;
  o.noise = 3;
  o.crossings = 0;
  o.entries = 1;
  o.exits = 1;
  return o;
}

/// Nothing is required of the film but its number of cells.
constexpr CellFilmOptions free_of_counts(CellFilmOptions o) {
  o.stops = o.crossings = o.entries = o.exits = 0;
  return o;
}

constexpr CellFilmOptions changed_standard(CellFilmPreset preset) {
  CellFilmOptions o = free_of_counts(standard());
  o.preset = preset;
  switch (preset) {
    case CellFilmPreset::brief:
      o.frames = 60;
      break;
    case CellFilmPreset::slow:
      o.speed_low = 0.05;
      o.speed_high = 0.4;
      break;
    case CellFilmPreset::dense:
      o.frames = 150;
      o.cells = 140;
      o.radius_high = 10;
      o.speed_low = 0.5;
      o.speed_high = 2;
      break;
    case CellFilmPreset::adherent:
      o.adherent = 8;
      break;
    case CellFilmPreset::arrest:
      o.arrests = 8;
      break;
    case CellFilmPreset::shift:
      o.jump = 12;
      break;
    case CellFilmPreset::texture:
      o.texture = 10;
      o.sway = 3;
      break;
    case CellFilmPreset::dic:
      o.rim = 0.6;
      o.bright = 1;
      break;
    case CellFilmPreset::drift:
      o.drift = 0.5;
      break;
    case CellFilmPreset::flicker:
      o.flicker = 0.2;
      break;
    case CellFilmPreset::large:
      o.cells = 10;
      o.radius_low = 20;
      o.radius_high = 40;
      break;
    default:
      break;
  }
  return o;
}

CellFilmOptions numbers_of(CellFilmPreset preset) {
  switch (preset) {
    case CellFilmPreset::easy:
      return easy();
    case CellFilmPreset::standard:
      return standard();
    case CellFilmPreset::hard:
      return kHard;
    default:
      return changed_standard(preset);
  }
}

template <class T>
void take(std::optional<T>& value, const std::optional<T>& preset) {
  if (!value) value = preset;
}
void take(CellFilmPreset&, CellFilmPreset) {}

template <class T>
void require(const char* name, const std::optional<T>& value, double low, double high) {
  require_within("cells", name, static_cast<double>(*value), low, high);
}

void check(const CellFilmOptions& o) {
  check_ranges("cells", o);
  require("radius-low", o.radius_low, 2, *o.radius_high);
  require("contrast-low", o.contrast_low, 0, *o.contrast_high);
  require("speed-low", o.speed_low, 0, *o.speed_high);
  require("stops", o.stops, 0, *o.cells);
  require("arrests", o.arrests, 0, *o.cells - *o.stops);
  require("adherent", o.adherent, 0, *o.cells - *o.stops - *o.arrests);
  require("texture-fine", o.texture_fine, 1, *o.texture_coarse);
  require("entries", o.entries, 0, *o.cells);
  require("exits", o.exits, 0, *o.cells);
  // The scene is larger than the frame by its drift.
  if (const double way = *o.drift * *o.frames; way > kLongestDrift)
    throw Error(ErrorKind::usage,
                fmt::format("cells: drift {} moves the scene by {} pixels in {}; "
                            "it can move at most {} pixels in all",
                            *o.drift, way, counted(*o.frames, "frame"), kLongestDrift));
}

}  // namespace

CellFilmOptions filled(const CellFilmOptions& options) {
  CellFilmOptions all = options;
  const CellFilmOptions preset = numbers_of(options.preset);
  std::apply([&](const auto&... f) { (take(all.*(f.member), preset.*(f.member)), ...); },
             CellFilmOptions::fields());
  if (!options.stops) all.stops = std::min(*all.stops, *all.cells);
  const auto limit = [&](std::optional<int>& count, int others) {
    count = std::min(*count, std::max(0, *all.cells - others));
  };
  if (!options.arrests) limit(all.arrests, *all.stops);
  if (!options.adherent) limit(all.adherent, *all.stops + *all.arrests);
  if (options.frames || options.cells) {
    // The preset's minimum numbers belong to its own film; another film has those requested.
    all.crossings = options.crossings.value_or(0);
    all.entries = options.entries.value_or(0);
    all.exits = options.exits.value_or(0);
  }
  check(all);
  return all;
}

}  // namespace tessera
