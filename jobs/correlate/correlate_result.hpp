// SPDX-License-Identifier: Apache-2.0
/// The result of an ensemble's correlation, and the files made.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "jobs/correlate/ensemble_state.hpp"
#include "jobs/correlate/profiles.hpp"
#include "jobs/timing.hpp"
#include "tessera/correlate.hpp"
#include "tessera/image.hpp"

namespace tessera {

/// A map of one setting of a sweep.
struct SweepLine {
  std::string setting, map;
  double at_zero = 0, error_at_zero = 0;  ///< mean and standard error at shift 0, 0
  std::optional<double> half_shift;       ///< where the radial mean has fallen to half of that

  static constexpr auto fields() {
    using S = SweepLine;
    return std::tuple{
        field("setting", &S::setting, "the values of the sweep's options"),
        field("map", &S::map, "the map"), field("at_zero", &S::at_zero, "its mean at shift 0, 0"),
        field("error_at_zero", &S::error_at_zero, "the standard error of that"),
        field("half_shift", &S::half_shift,
              "the shift, in pixels, at which its radial profile has fallen to half of that; none "
              "if it does not")};
  }
};

/// The JSON next to the maps; the same images and options give the same bytes.
struct CorrelateSummary {
  std::string ran;      ///< the plan in words
  std::string options;  ///< those that differ from the defaults
  int images = 0, left_out = 0;
  int width = 0, height = 0, planes = 0;  ///< of every image
  int max_shift = 0, first_shift_x = 0, first_shift_y = 0;
  std::string scale, normalise;
  std::vector<std::string> maps;     ///< names, in the order of the output's planes
  std::vector<double> mean_at_zero;  ///< of each map, at shift 0, 0
  std::vector<SweepLine> sweep;      ///< one line for every map of a sweep
  std::vector<SceneOutcome> bad;     ///< images left out or partly filled

  static constexpr auto fields() {
    using S = CorrelateSummary;
    return std::tuple{
        field("ran", &S::ran, "what ran"),
        field("options", &S::options, "options that differ from the defaults"),
        field("images", &S::images, "images in the mean"),
        field("left_out", &S::left_out, "images that could not be used"),
        field("width", &S::width, "of every image, in pixels"),
        field("height", &S::height, "of every image, in pixels"),
        field("planes", &S::planes, "of every image"),
        field("max_shift", &S::max_shift, "shifts are smaller than this"),
        field("first_shift_x", &S::first_shift_x, "the shift of a map's first column"),
        field("first_shift_y", &S::first_shift_y, "the shift of a map's first row"),
        field("scale", &S::scale, "what each shift's sum is divided by"),
        field("normalise", &S::normalise, "how planes were normalised"),
        field("maps", &S::maps, "means, then standard errors, in this order"),
        field("mean_at_zero", &S::mean_at_zero, "each map's mean at shift 0, 0"),
        field("sweep", &S::sweep, "with --sweep, one line for every setting and map"),
        field("bad", &S::bad, "images left out or filled"),
    };
  }
};

struct CorrelateResult : CorrelateSummary {
  std::string output, profiles, summary, picture;  ///< files made; "" if there is none
  std::vector<std::string> notes;  ///< a saved state that was not used, a picture not drawn
  int resumed = 0;                 ///< images done by an earlier run
  StageSeconds seconds;

  static constexpr auto fields() {
    using R = CorrelateResult;
    return std::tuple_cat(
        CorrelateSummary::fields(),
        std::tuple{
            field("output", &R::output, "the maps"),
            field("profiles", &R::profiles, "their profiles, CSV"),
            field("summary", &R::summary, "the summary, JSON"),
            field("picture", &R::picture, "the picture"),
            field("notes", &R::notes, "a saved state that was not used; how to draw the picture"),
            field("resumed", &R::resumed, "images done by an earlier run"),
            field("seconds", &R::seconds, "how long the stages took; they overlap")});
  }
  std::string describe() const;
  std::string sweep_text() const;  ///< the table of a sweep; "" without one
  /// One sentence per image that was left out and per warning.
  std::vector<std::string> complaints() const;
  /// 0; 4 if some images were left out or filled; 3 if all were left out.
  int exit_code() const;
};

/// Means and standard errors of all maps and curves. With a sweep every setting has its maps, one
/// setting after the other.
struct CorrelateFigures {
  std::vector<std::string> maps;                 ///< with their settings
  std::vector<std::string> plain_names;          ///< without them
  std::vector<std::string> swept;                ///< the options of the sweep
  std::vector<std::vector<std::string>> values;  ///< of them, of every map
  Size size;                                     ///< of one map
  Point first_shift;
  int max_shift = 0, images = 0;
  std::string scale;
  std::vector<ProfileCurve> curves;   ///< of every map
  std::vector<double> means, errors;  ///< map after map, then the curves map after map

  std::size_t map_at(std::size_t map) const { return map * map_values(); }
  std::size_t curve_at(std::size_t map, std::size_t curve) const {
    return maps.size() * map_values() +
           (map * curves.size() + curve) * static_cast<std::size_t>(max_shift);
  }

 private:
  std::size_t map_values() const { return static_cast<std::size_t>(size.width) * size.height; }
};

}  // namespace tessera
