// SPDX-License-Identifier: Apache-2.0
/// A film to tracks, tables, XML, an overlay movie and a report.
///
///     CellsJob job{.input = "venule.avi", .output = "venule"};
///     job.options.flow = 0;
///     CellsResult result = job.run();
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "jobs/batch.hpp"
#include "jobs/cells/cells_result.hpp"
#include "jobs/cells/film_axes.hpp"
#include "jobs/cells/film_source.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "tessera/image.hpp"

namespace tessera {

struct CellsJobOptions {
  std::optional<double> um_per_pixel, frame_rate;
  std::string edits;
  std::string inside;
  bool overlay = true, report = true;
  bool masks = false, ctc = false, geff = false;

  static constexpr auto fields() {
    using O = CellsJobOptions;
    return std::tuple{
        field(
            "um-per-pixel", &O::um_per_pixel,
            "micrometres per pixel, for columns in micrometres; auto: as the film says, if it does",
            more_than(0)),
        field("frame-rate", &O::frame_rate, "frames per second; auto: the film's own rate, or 30",
              more_than(0)),
        field("edits", &O::edits,
              "manual corrections to apply: a table, .csv, or tracks corrected in TrackMate, .xml"),
        field("inside", &O::inside,
              "keep only cells inside the vessel: a polygon 'X1,Y1 X2,Y2 X3,Y3 ...' in pixels, or "
              "an image of the frame's size that is not 0 there"),
        field("overlay", &O::overlay, "make overlay.mp4, the film with the tracks drawn on it"),
        field("report", &O::report, "make report.html and a picture of the histogram"),
        field("masks", &O::masks, "make masks.tif, in which pixels of a cell have its track's id"),
        field("ctc", &O::ctc, "make ctc, a folder in the layout of the Cell Tracking Challenge"),
        field("geff", &O::geff, "make tracks.geff, a graph in the Graph Exchange File Format"),
    };
  }
};

/// The result of the job.
struct CellsResult {
  std::string ran, output;
  CellsFilm film;
  CellsCalibration calibration;
  CellsCounts counts;
  CellsChoice background;
  bool uncertain = false;           ///< the counts may be wrong
  std::vector<std::string> doubts;  ///< why; they are warnings too
  int edits = 0;
  std::vector<std::string> files;     ///< in the output folder
  std::vector<std::string> notes;     ///< notes for the user; nothing is wrong
  std::vector<std::string> warnings;  ///< what is missing
  StageSeconds seconds;               ///< from opening the film to writing the tables
  double frames_per_second = 0;       ///< over the same time
  double picture_seconds = 0;         ///< overlay and report, after the tables

  static constexpr auto fields() {
    using R = CellsResult;
    return std::tuple{
        field("ran", &R::ran, "what ran"),
        field("output", &R::output, "the folder"),
        field("film", &R::film, "the film"),
        field("calibration", &R::calibration, "pixels and frames in micrometres and seconds"),
        field("counts", &R::counts, "cells"),
        field("background_choice", &R::background, "the background that was used"),
        field("uncertain", &R::uncertain, "whether the counts may be wrong"),
        field("doubts", &R::doubts, "why they may be wrong"),
        field("edits", &R::edits, "manual corrections applied"),
        field("files", &R::files, "files in the folder"),
        field("notes", &R::notes, "notes"),
        field("warnings", &R::warnings, "what is missing"),
        field("seconds", &R::seconds,
              "from opening the film to writing the tables; stages overlap"),
        field("frames_per_second", &R::frames_per_second, "over the same time"),
        field("picture_seconds", &R::picture_seconds, "overlay and report, after the tables"),
    };
  }
  std::string describe() const;
};

struct CellsJob {
  std::string input;   ///< a film: file, folder of pictures, pattern; its name, if it is in memory
  std::string output;  ///< a folder
  CellsOptions options;
  CellsMeasure measure;
  CellsJobOptions film;
  FilmReading reading;
  RunSettings settings;
  bool force = false;
  /// The vessel as an image of the frame's size, other than 0 inside it; film.inside is then only
  /// its name.
  Image inside_mask = {};

  /// A film that ends early gives the tracks of the frames before that, and a warning. Throws
  /// Error; faults of options and outputs are reported before anything is computed.
  CellsResult run(const Progress& progress = {}) const;
};

/// Enters a film's name, choices and calibration, with their notes before the others.
void name_film(const CellsJob& job, const FilmSource& source, CellsFilmResult& result);

/// Every film of a folder or pattern, each to a folder of its name in the job's output folder;
/// continues where an earlier run stopped.
BatchResult run_films(const CellsJob& job, const BatchOptions& options,
                      const Progress& progress = {});

/// Whether the input stands for several films; throws Error(usage) if options of a batch are given
/// for a single film.
bool is_film_batch(const CellsJob& job, const BatchOptions& options);

}  // namespace tessera
