// SPDX-License-Identifier: Apache-2.0
/// What the first frames of a film show before its cells are followed: candidates, radii, the
/// choices that `cells track` makes by itself, and its command line.
///
///     CellsPreviewJob job{.track = {.input = "venule.avi"}, .page = "preview.html"};
///     CellsPreview preview = job.run();
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "jobs/cells/cells_job.hpp"
#include "jobs/cells/cells_preview_choices.hpp"
#include "jobs/cells/detect_job.hpp"
#include "jobs/progress.hpp"

namespace tessera {

/// A cell that was followed, in one frame.
struct PreviewSpot {
  int track = 0;
  double x = 0, y = 0, radius = 0;

  static constexpr auto fields() {
    using S = PreviewSpot;
    return std::tuple{
        field("track", &S::track, "id of the track"), field("x", &S::x, "to the right, in pixels"),
        field("y", &S::y, "down, in pixels"), field("radius", &S::radius, "in pixels")};
  }
};

/// A frame with its candidates, which are found in this frame alone.
struct PreviewFrame {
  int frame = 0;
  int bright = 0, dark = 0;
  std::vector<DetectedCell> candidates;
  std::vector<PreviewSpot> followed;

  static constexpr auto fields() {
    using F = PreviewFrame;
    return std::tuple{
        field("frame", &F::frame, "counted in the film, from 0"),
        field("bright", &F::bright, "candidates that are brighter than the background"),
        field("dark", &F::dark, "candidates that are darker"),
        field("candidates", &F::candidates, "circles that are found in this frame alone"),
        field("followed", &F::followed, "cells that are followed through the frames read")};
  }
};

/// Radii from `from` up to `to`, in pixels.
struct RadiusBin {
  double from = 0, to = 0;
  int count = 0;

  static constexpr auto fields() {
    using B = RadiusBin;
    return std::tuple{field("from", &B::from, "in pixels"), field("to", &B::to, "in pixels"),
                      field("count", &B::count, "radii in this range")};
  }
};

struct PreviewRadii {
  double least = 0, most = 0;  ///< that are searched for
  std::string of;              ///< the objects that were measured, in words
  std::vector<double> sizes;   ///< ascending
  std::vector<RadiusBin> histogram;

  static constexpr auto fields() {
    using R = PreviewRadii;
    return std::tuple{field("least", &R::least, "smallest radius that is searched for, in pixels"),
                      field("most", &R::most, "largest radius that is searched for, in pixels"),
                      field("of", &R::of, "the objects that were measured"),
                      field("sizes", &R::sizes, "their radii, ascending, in pixels"),
                      field("histogram", &R::histogram, "their number by radius")};
  }
};

struct CellsPreview {
  std::string ran, output;  ///< output: the page
  CellsFilm film;           ///< as far as it was read
  int film_frames = 0;      ///< that `cells track` would read
  CellsCalibration calibration;
  CellsOptions options;  ///< as `cells track` uses them
  std::vector<PreviewChoice> choices;
  double candidate_threshold = 0;  ///< of single frames, in which nothing is subtracted
  PreviewRadii radii;
  std::vector<PreviewFrame> frames;
  int tracks = 0;
  std::string command;
  bool uncertain = false;           ///< the tracks of the frames read may be wrong
  std::vector<std::string> doubts;  ///< why; they are warnings too
  std::vector<std::string> notes, warnings;
  StageSeconds seconds;

  static constexpr auto fields() {
    using P = CellsPreview;
    return std::tuple{
        field("ran", &P::ran, "what ran"),
        field("output", &P::output, "the page"),
        field("film", &P::film, "the film, as far as it was read"),
        field("film_frames", &P::film_frames, "frames that cells track would read"),
        field("calibration", &P::calibration, "pixels and frames in micrometres and seconds"),
        field("options", &P::options, "options as cells track uses them"),
        field("choices", &P::choices, "choices of cells track, and their reasons"),
        field("candidate_threshold", &P::candidate_threshold,
              "threshold of candidates: that of single frames"),
        field("radii", &P::radii, "radii that were measured and are searched for"),
        field("frames", &P::frames, "some of the frames with their candidates"),
        field("tracks", &P::tracks, "cells that were followed through the frames read"),
        field("command", &P::command, "command line that follows the whole film"),
        field("uncertain", &P::uncertain, "whether these tracks may be wrong"),
        field("doubts", &P::doubts, "why they may be wrong"),
        field("notes", &P::notes, "notes"),
        field("warnings", &P::warnings, "what is missing, and the doubts"),
        field("seconds", &P::seconds, "how long the stages took; they overlap"),
    };
  }
  std::string describe() const;
};

/// What `cells preview --json` prints.
std::string preview_json(const CellsPreview& preview);

struct CellsPreviewJob {
  CellsJob track;                     ///< what is previewed; its output and outputs are not used
  std::string page = "preview.html";  ///< the page to write; empty: none
  bool force = false;

  /// Follows the first frames as `track` would, and searches a few of them once more, each by
  /// itself. Throws Error; faults of options and the page's name are reported before that.
  CellsPreview run(const Progress& progress = {}) const;
};

}  // namespace tessera
