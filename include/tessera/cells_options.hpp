// SPDX-License-Identifier: Apache-2.0
/// Options for finding and following cells (tessera/cells.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tessera/export.hpp"
#include "tessera/options.hpp"

namespace tessera {

enum class CellsModel : unsigned char { corrected, classic };
template <>
struct Names<CellsModel> {
  static constexpr std::array<std::pair<std::string_view, CellsModel>, 2> list{
      {{"corrected", CellsModel::corrected}, {"classic", CellsModel::classic}}};
};

/// Which cells to search for: brighter or darker than their surroundings.
enum class Polarity : unsigned char { both, bright, dark };
template <>
struct Names<Polarity> {
  static constexpr std::array<std::pair<std::string_view, Polarity>, 3> list{
      {{"both", Polarity::both}, {"bright", Polarity::bright}, {"dark", Polarity::dark}}};
};

/// Where to search for new cells: on the side they come from, or in the whole crop. `automatic`
/// is `entry` if the direction of flow is given.
enum class DetectWhere : unsigned char { automatic, entry, everywhere };
template <>
struct Names<DetectWhere> {
  static constexpr std::array<std::pair<std::string_view, DetectWhere>, 3> list{
      {{"auto", DetectWhere::automatic},
       {"entry", DetectWhere::entry},
       {"everywhere", DetectWhere::everywhere}}};
};

/// Whether the still scene of the film is subtracted before the search for cells. It is the median
/// of means of the surrounding frames, each shifted by the slow drift of the scene.
enum class CellsBackground : unsigned char { still, none };
template <>
struct Names<CellsBackground> {
  static constexpr std::array<std::pair<std::string_view, CellsBackground>, 2> list{
      {{"still", CellsBackground::still}, {"none", CellsBackground::none}}};
};

struct CellsOptions {
  CellsModel model = CellsModel::corrected;
  std::string crop = "auto";
  std::optional<double> flow;
  double speed = 0;
  std::optional<double> min_radius;
  std::optional<double> max_radius;
  double radius_step = 1;
  int samples = 150;
  Polarity polarity = Polarity::both;
  std::optional<double> threshold;
  int detect_every = 10;
  DetectWhere detect_where = DetectWhere::automatic;
  std::optional<int> entry;
  CellsBackground background = CellsBackground::still;
  std::string relief = "auto";
  int gap = 8;
  std::optional<int> min_frames;
  int max_cells = 256;
  Backend backend = Backend::automatic;
  std::string method = "auto";
  int device = 0;

  static constexpr auto fields() {
    using O = CellsOptions;
    return std::tuple_cat(
        std::tuple{
            field("model", &O::model,
                  "the method with its defects fixed, or the published program as it was"),
            field("crop", &O::crop,
                  "where to search for cells: X,Y,WIDTHxHEIGHT in pixels, or WIDTHxHEIGHT for the "
                  "centre; auto is the whole frame "
                  "(classic: rows 110 to 328)"),
            field("flow", &O::flow,
                  "direction in which cells roll, in degrees: 0 is right, 90 down; auto: unknown",
                  Range{}),
            field("speed", &O::speed, "expected speed of new cells along the flow",
                  Range{0, 100, "pixels per frame"}),
            field("min-radius", &O::min_radius,
                  "radius of the smallest circle; auto: measured in the film's first frames if "
                  "neither radius is given, otherwise 6",
                  Range{2, 100, "pixels"}),
            field("max-radius", &O::max_radius,
                  "radius of the largest circle; auto: measured likewise, or 14",
                  Range{2, 100, "pixels"}),
            field("radius-step", &O::radius_step, "from one circle to the next",
                  Range{0.25, 100, "pixels"}),
            field("samples", &O::samples, "number of points of a circle", Range{8, 1024}),
            field("polarity", &O::polarity,
                  "cells brighter or darker than the background, or both"),
            field("threshold", &O::threshold,
                  "the score that a cell needs; auto: 1.3 in films with background still, 1.8 "
                  "without and in a single frame",
                  Range{0}),
            field("detect-every", &O::detect_every,
                  "frames from one search for new cells to the next; 0: only in the first frame",
                  Range{0}),
            field("detect-where", &O::detect_where,
                  "search for new cells on the side they come from, or everywhere"),
            field("entry", &O::entry, "width of that side; auto: three diameters",
                  Range{.lowest = 1, .unit = "pixels"}),
            field("background", &O::background, "subtract the still scene of the film"),
            field("relief", &O::relief,
                  "pictures with relief: the direction from the bright to the dark side of cells, "
                  "in degrees, 0 is right, 90 down; none: frames are taken as they are; auto: "
                  "measured in the film's first frames"),
            field("gap", &O::gap, "how long a cell may be unseen before its track ends",
                  Range{0, 1000, "frames"}),
            field("min-frames", &O::min_frames,
                  "shorter tracks are not kept; auto: 10, in films of fewer than 20 frames half of "
                  "them",
                  Range{.lowest = 1, .unit = "frames"}),
            field("max-cells", &O::max_cells, "most cells followed at the same time",
                  Range{1, 4096}),
        },
        run_fields<O>());
  }

  /// Whether an option is only for films and unused for detection in a single frame.
  static constexpr bool is_for_films(std::string_view name) {
    constexpr std::string_view kNames[] = {"flow",       "speed",    "detect-every", "detect-where",
                                           "entry",      "gap",      "background",   "relief",
                                           "min-frames", "max-cells"};
    return std::ranges::find(kNames, name) != std::end(kNames);
  }
  /// Whether the classic model uses an option: settings that the published program fixes itself
  /// cannot be chosen.
  static constexpr bool is_for_classic(std::string_view name) {
    constexpr std::string_view kNames[] = {"model", "crop", "backend", "method", "device"};
    return std::ranges::find(kNames, name) != std::end(kNames);
  }
};

/// Throws Error(usage) for the first of these options that the model does not use. Plans do so
/// for options that differ from their defaults; a caller that knows which were given can be
/// stricter.
TESSERA_API void check_given_options(CellsModel model, const std::vector<std::string>& given);

}  // namespace tessera
