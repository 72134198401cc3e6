// SPDX-License-Identifier: Apache-2.0
/// The result for a film's cells: tracks, speeds, summaries, counts. Tables, XML, overlay and
/// report are all made from a CellsFilmResult.
///
/// Lengths are in pixels and speeds in pixels per frame; the calibration turns them into
/// micrometres and seconds. Frames of tracks are counted in the film, from 0: with --first-frame
/// 100 the first frame that was read is frame 100.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "jobs/cells/cells_latency.hpp"
#include "jobs/timing.hpp"
#include "tessera/cells.hpp"
#include "tessera/options.hpp"

namespace tessera {

/// The behaviour of a cell, by its windowed speeds (docs/cells.md). `adherent`: it stands still for
/// at least --adherent-seconds without a break, or 90% of a shorter film that has 2 seconds.
/// `resting`: it stands still half of the time or more. `rolling`: all others. `unknown`: a single
/// spot, which has no speed.
enum class CellClass : unsigned char { rolling, resting, adherent, unknown };
template <>
struct Names<CellClass> {
  static constexpr std::array<std::pair<std::string_view, CellClass>, 4> list{
      {{"rolling", CellClass::rolling},
       {"resting", CellClass::resting},
       {"adherent", CellClass::adherent},
       {"unknown", CellClass::unknown}}};
};

/// The film, as far as it was read.
struct CellsFilm {
  std::string name;    ///< as it was given
  std::string format;  ///< "video", "TIFF" …
  int width = 0, height = 0;
  int first_frame = 0;                ///< the first frame read, counted in the film
  int frames = 0;                     ///< frames read
  std::optional<int> channel = {};    ///< of a stack, if one was chosen
  std::optional<std::string> z = {};  ///< the slice of a stack or "max", if it was chosen

  static constexpr auto fields() {
    using F = CellsFilm;
    return std::tuple{field("name", &F::name, "the film"),
                      field("format", &F::format, "format of its file or pictures"),
                      field("width", &F::width, "in pixels"),
                      field("height", &F::height, "in pixels"),
                      field("first_frame", &F::first_frame, "the first frame that was read"),
                      field("frames", &F::frames, "frames that were read"),
                      field("channel", &F::channel, "the channel that was chosen"),
                      field("z", &F::z, "the slice that was chosen, or max")};
  }
};

/// Pixels and frames in micrometres and seconds.
struct CellsCalibration {
  double frame_rate = 30;       ///< frames per second
  std::string frame_rate_from;  ///< "given", "film" or "assumed"
  std::optional<double> um_per_pixel;
  std::string um_per_pixel_from;  ///< "given", "film" or "unknown"

  double seconds(double frames) const { return frames / frame_rate; }
  /// Micrometres per second for one pixel per frame.
  std::optional<double> um_per_second() const {
    return um_per_pixel ? std::optional(*um_per_pixel * frame_rate) : std::nullopt;
  }

  static constexpr auto fields() {
    using C = CellsCalibration;
    return std::tuple{
        field("frame_rate", &C::frame_rate, "frames per second"),
        field("frame_rate_from", &C::frame_rate_from, "given, the film's own, or assumed"),
        field("um_per_pixel", &C::um_per_pixel, "micrometres per pixel"),
        field("um_per_pixel_from", &C::um_per_pixel_from, "given, the film's own, or unknown")};
  }
};

/// One row per track. Speeds are windowed: the slope of the straight line through the positions of
/// --speed-window frames.
struct CellTrackSummary {
  int track = 0;
  int first_frame = 0, last_frame = 0;
  int frames = 0, seen = 0;  ///< spots, and how many of them were seen, not interpolated
  double seconds = 0;        ///< from the first to the last spot
  double displacement = 0;   ///< between the first and the last smoothed position
  double path_length = 0;    ///< along the smoothed positions
  double straightness = 0;   ///< displacement / path length, 0 to 1; 0 for a path of length 0
  double direction = 0;      ///< of the displacement in degrees: 0 is right, 90 down
  double mean_speed = 0, median_speed = 0, max_speed = 0;
  double longest_rest = 0;  ///< longest time below --still-speed, seconds
  double mean_radius = 0, mean_score = 0;
  double mean_area = 0, mean_perimeter = 0, mean_elongation = 0;  ///< NaN: it has no outline
  CellClass does = CellClass::rolling;
};

/// A line that cells cross, and how many do.
struct CellsFlux {
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
  int crossings = 0;      ///< cells that end up on the other side
  double per_minute = 0;  ///< cells per minute of film

  static constexpr auto fields() {
    using F = CellsFlux;
    return std::tuple{field("x1", &F::x1, "the line's first end, in pixels"),
                      field("y1", &F::y1, "the line's first end, in pixels"),
                      field("x2", &F::x2, "the line's second end, in pixels"),
                      field("y2", &F::y2, "the line's second end, in pixels"),
                      field("crossings", &F::crossings, "cells that crossed it"),
                      field("per_minute", &F::per_minute, "cells per minute of film")};
  }
};

struct CellsCounts {
  int tracks = 0, rolling = 0, resting = 0;
  std::optional<int> adherent;                     ///< none: it cannot be judged
  std::optional<double> mean_speed, median_speed;  ///< of the tracks' mean speeds; none: no track
  std::optional<CellsFlux> flux;                   ///< none if no direction is known

  static constexpr auto fields() {
    using C = CellsCounts;
    return std::tuple{
        field("tracks", &C::tracks, "cells that were followed"),
        field("rolling", &C::rolling, "those that roll"),
        field("resting", &C::resting, "those that stand still half of the time"),
        field("adherent", &C::adherent, "those that adhere; null: it cannot be judged"),
        field("mean_speed", &C::mean_speed, "of the tracks, pixels per frame"),
        field("median_speed", &C::median_speed, "of the tracks, pixels per frame"),
        field("flux", &C::flux, "cells that cross a line")};
  }
};

/// Speeds from `from` up to `to`, pixels per frame.
struct SpeedBin {
  double from = 0, to = 0;
  int tracks = 0;  ///< tracks whose mean speed is in this range
  int spots = 0;   ///< windowed speeds in this range
};

/// How speeds are measured and cells classified.
struct CellsMeasure {
  int speed_window = 15;
  double still_speed = 0.1;
  double adherent_seconds = 30;
  std::string flux_line = "auto";

  static constexpr auto fields() {
    using M = CellsMeasure;
    return std::tuple{
        field("speed-window", &M::speed_window,
              "frames over which a line is fitted to measure a speed: with fewer, noise looks like "
              "speed",
              Range{5}),
        field("still-speed", &M::still_speed, "pixels per frame below which a cell stands still",
              Range{0}),
        field(
            "adherent-seconds", &M::adherent_seconds,
            "a cell that stands still for this time is adherent; in a shorter film, for 90% of it, "
            "if it has 2 seconds",
            more_than(0)),
        field("flux-line", &M::flux_line,
              "count cells that cross this line, X1,Y1,X2,Y2; auto: through the middle, across the "
              "flow"),
    };
  }
};

/// The background that was used, why, and how far single frames agree with the tracks.
struct CellsChoice {
  std::string used, why;
  std::string confidence = "unknown";  ///< "high", "low" or "unknown"
  int clear = 0, missed = 0;  ///< round objects in single frames, and those without a track

  static constexpr auto fields() {
    using C = CellsChoice;
    return std::tuple{field("used", &C::used, "still or none"), field("why", &C::why, "the reason"),
                      field("confidence", &C::confidence,
                            "high, low, or unknown if no frame shows clear objects"),
                      field("clear", &C::clear, "round objects that are clear in single frames"),
                      field("missed", &C::missed, "those of them without a track")};
  }
};

struct CellsFilmResult {
  std::string ran;  ///< the plan in words
  CellsFilm film;
  CellsCalibration calibration;
  CellsOptions options;  ///< as used by the plan, automatic values filled in
  CellsMeasure measure;
  std::string inside;                       ///< the vessel, as it was given; empty: the frame
  std::vector<CellTrack> tracks;            ///< ordered by id, edits applied
  std::vector<std::vector<double>> speeds;  ///< windowed, of every spot of every track
  std::vector<CellTrackSummary> summaries;  ///< of every track
  CellsCounts counts;
  CellsChoice background;           ///< and how well it fits
  std::string why_no_tracks;        ///< the step that left none
  std::vector<CellDrift> drift;     ///< of the scene, one per frame; empty: it is not known
  std::vector<double> sizes;        ///< radii measured in the first frames, if none were given
  std::vector<SpeedBin> histogram;  ///< empty without tracks that have a speed
  int edits = 0;                    ///< manual corrections that were replayed
  int next_track = 1;               ///< the next unused id: the one that a split gives
  /// The table of edits, as it was given; none if the tracks were corrected in TrackMate.
  std::optional<std::string> edits_text = "";
  std::vector<std::string> notes;       ///< notes for the user; nothing is wrong
  std::vector<std::string> doubts;      ///< reasons why the tracks may be wrong: exit code 4
  std::vector<std::string> warnings;    ///< what is missing, and the doubts: exit code 4
  StageSeconds seconds;                 ///< from opening the film to tracks
  double frames_per_second = 0;         ///< over the same time
  std::optional<CellsLatency> latency;  ///< of a film that was followed while it was recorded
};

}  // namespace tessera
