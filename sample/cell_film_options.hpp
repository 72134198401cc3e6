// SPDX-License-Identifier: Apache-2.0
/// Options of a film of rolling cells, and named sets of them.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <tuple>

#include "tessera/options.hpp"

namespace tessera {

/// How hard the cells are to find. `hard` is used to measure the quality of tracking: its numbers
/// are fixed and may not be made easier. The presets after it are `standard` with one difficulty
/// each that a tracker made for rolling cells over a still scene does not expect.
enum class CellFilmPreset : unsigned char {
  easy,
  standard,
  hard,
  brief,
  slow,
  dense,
  adherent,
  arrest,
  shift,
  texture,
  dic,
  drift,
  flicker,
  large
};
template <>
struct Names<CellFilmPreset> {
  static constexpr std::array<std::pair<std::string_view, CellFilmPreset>, 14> list{
      {{"easy", CellFilmPreset::easy},
       {"standard", CellFilmPreset::standard},
       {"hard", CellFilmPreset::hard},
       {"short", CellFilmPreset::brief},
       {"slow", CellFilmPreset::slow},
       {"dense", CellFilmPreset::dense},
       {"adherent", CellFilmPreset::adherent},
       {"arrest", CellFilmPreset::arrest},
       {"shift", CellFilmPreset::shift},
       {"texture", CellFilmPreset::texture},
       {"dic", CellFilmPreset::dic},
       {"drift", CellFilmPreset::drift},
       {"flicker", CellFilmPreset::flicker},
       {"large", CellFilmPreset::large}}};
};

/// Open values are taken from the preset. Grey levels are those of an 8-bit film.
struct CellFilmOptions {
  CellFilmPreset preset = CellFilmPreset::standard;
  std::optional<int> frames, cells;
  std::optional<double> radius_low, radius_high;
  std::optional<double> contrast_low, contrast_high, bright;
  std::optional<double> speed_low, speed_high, flow;
  std::optional<int> stops, arrests, adherent;
  std::optional<double> ground, walls;
  std::optional<double> texture, texture_fine, texture_coarse;
  std::optional<double> light, flicker, drift, sway, jump, rim, noise;
  std::optional<int> crossings, entries, exits;

  bool operator==(const CellFilmOptions&) const = default;
  static constexpr auto fields() {
    using O = CellFilmOptions;
    return std::tuple{
        field("preset", &O::preset, "difficulty of the film; other options override its values"),
        field("frames", &O::frames, "frames of the film", Range{1, 1e6}),
        field("cells", &O::cells, "different cells in the film", Range{0, 1e4}),
        field("radius-low", &O::radius_low, "the smallest cell, in pixels", Range{2, 200}),
        field("radius-high", &O::radius_high, "the largest cell, in pixels", Range{2, 200}),
        field("contrast-low", &O::contrast_low, "the faintest cell, in grey levels", Range{0, 255}),
        field("contrast-high", &O::contrast_high, "the strongest cell, in grey levels",
              Range{0, 255}),
        field("bright", &O::bright, "fraction of cells that are brighter than the background",
              Range{0, 1}),
        field("speed-low", &O::speed_low, "speed of the slowest cell, in pixels per frame",
              Range{0, 100}),
        field("speed-high", &O::speed_high, "speed of the fastest cell, in pixels per frame",
              Range{0, 100}),
        field("flow", &O::flow, "direction of the flow, in degrees: 0 is right, 90 is down",
              Range{-360, 360}),
        field("stops", &O::stops, "cells that stop once, for 10 to 40 frames", Range{0, 1e4}),
        field("arrests", &O::arrests,
              "cells that stop for good, in the second or third quarter of the film",
              Range{0, 1e4}),
        field("adherent", &O::adherent, "cells that never move", Range{0, 1e4}),
        field("ground", &O::ground, "mean grey level of the background", Range{0, 255}),
        field("walls", &O::walls, "depth of the vessel's walls, in grey levels", Range{0, 255}),
        field("texture", &O::texture, "standard deviation of the background, in grey levels",
              Range{0, 255}),
        field("texture-fine", &O::texture_fine, "the finest scale of the background, in pixels",
              Range{1, 200}),
        field("texture-coarse", &O::texture_coarse,
              "the coarsest scale of the background, in pixels", Range{1, 200}),
        field("light", &O::light, "unevenness of the light: 0.25 is from 75% to 125%", Range{0, 1}),
        field("flicker", &O::flicker,
              "change of light from frame to frame: 0.2 is from 80% to 120%", Range{0, 0.9}),
        field("drift", &O::drift, "speed of the whole scene, in pixels per frame", Range{0, 10}),
        field(
            "sway", &O::sway,
            "how far the scene moves to and fro every 45 frames, as if stretched by breathing, in "
            "pixels at the middle of the frame",
            Range{0, 50}),
        field("jump", &O::jump, "how far the whole scene jumps once, in mid-film, in pixels",
              Range{0, 200}),
        field("rim", &O::rim,
              "fraction of a cell's contrast that is light on one side and shade on the other, as "
              "in DIC",
              Range{0, 1}),
        field("noise", &O::noise, "standard deviation of white noise, in grey levels",
              Range{0, 255}),
        field("crossings", &O::crossings, "minimum number of times that a cell overtakes another",
              Range{0, 1e6}),
        field("entries", &O::entries, "minimum number of cells that enter during the film",
              Range{0, 1e4}),
        field("exits", &O::exits, "minimum number of cells that leave during the film",
              Range{0, 1e4}),
    };
  }
};

/// The same with nothing left open. Throws Error(usage) naming an impossible value.
CellFilmOptions filled(const CellFilmOptions& options);

}  // namespace tessera
