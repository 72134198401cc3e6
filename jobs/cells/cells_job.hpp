// SPDX-License-Identifier: Apache-2.0
/// A film to tracks, tables, XML, an overlay movie and a report.
///
///     CellsJob job{.input = "venule.avi", .output = "venule"};
///     job.options.flow = 0;
///     CellsResult result = job.run();
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "io/image_file.hpp"
#include "jobs/batch.hpp"
#include "jobs/cells/cells_result.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"

namespace tessera {

struct CellsJobOptions {
  std::optional<double> um_per_pixel, frame_rate;
  std::string edits;
  bool overlay = true, report = true;

  static constexpr auto fields() {
    using O = CellsJobOptions;
    return std::tuple{
        field("um-per-pixel", &O::um_per_pixel,
              "micrometres of a pixel: tables then have columns in micrometres too", more_than(0)),
        field("frame-rate", &O::frame_rate, "frames a second; auto is the film's own rate, or 30",
              more_than(0)),
        field("edits", &O::edits, "a table of manual corrections to replay, .csv"),
        field("overlay", &O::overlay, "make overlay.mp4, the film with its tracks drawn into it"),
        field("report", &O::report, "make report.html and a picture of the histogram"),
    };
  }
};

/// What was made.
struct CellsResult {
  std::string ran, output;
  CellsFilm film;
  CellsCalibration calibration;
  CellsCounts counts;
  int edits = 0;
  std::vector<std::string> files;     ///< in the output folder
  std::vector<std::string> notes;     ///< what the user should know; nothing is amiss
  std::vector<std::string> warnings;  ///< what is missing
  StageSeconds seconds;               ///< from opening the film to the tables
  double frames_per_second = 0;       ///< of the same
  double picture_seconds = 0;         ///< overlay and report, after that

  static constexpr auto fields() {
    using R = CellsResult;
    return std::tuple{
        field("ran", &R::ran, "what ran"),
        field("output", &R::output, "the folder"),
        field("film", &R::film, "the film"),
        field("calibration", &R::calibration, "pixels and frames in micrometres and seconds"),
        field("counts", &R::counts, "cells"),
        field("edits", &R::edits, "manual corrections replayed"),
        field("files", &R::files, "what is in the folder"),
        field("notes", &R::notes, "what there is to know"),
        field("warnings", &R::warnings, "what is missing"),
        field("seconds", &R::seconds, "from opening the film to the tables; stages overlap"),
        field("frames_per_second", &R::frames_per_second, "of the same"),
        field("picture_seconds", &R::picture_seconds, "overlay and report, after that"),
    };
  }
  std::string describe() const;
};

struct CellsJob {
  std::string input;   ///< a film: file, folder of pictures, pattern
  std::string output;  ///< a folder
  CellsOptions options;
  CellsMeasure measure;
  CellsJobOptions film;
  ReadOptions reading;
  RunSettings settings;
  bool force = false;

  /// A film that ends early gives the tracks of its frames before that, and a warning. Throws
  /// Error; what is wrong with options and outputs is said before anything is computed.
  CellsResult run(const Progress& progress = {}) const;
};

/// Every film of a folder or pattern, each to a folder of its name in the job's output folder;
/// goes on where an earlier run ended.
BatchResult run_films(const CellsJob& job, const BatchOptions& options,
                      const Progress& progress = {});

/// Whether the input stands for several films; throws Error(usage) for options of a batch
/// without one.
bool is_film_batch(const CellsJob& job, const BatchOptions& options);

}  // namespace tessera
