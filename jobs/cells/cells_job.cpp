// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/counted.hpp"
#include "core/ranks.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/cells/cells_calibrate.hpp"
#include "jobs/cells/cells_outputs.hpp"
#include "jobs/cells/film_files.hpp"
#include "jobs/cells/films_table.hpp"
#include "jobs/cells/tracked_film.hpp"
#include "jobs/result.hpp"
#include "tessera/error.hpp"

namespace tessera {

void name_film(const CellsJob& job, const FilmSource& source, CellsFilmResult& result) {
  result.film.name = job.input;
  result.measure = job.measure;
  result.inside = job.film.inside;
  result.film.channel = job.reading.choice.channel;
  if (job.reading.choice.z) result.film.z = to_text(*job.reading.choice.z);
  std::vector<std::string> notes;
  result.calibration = calibrate(job, source, notes);
  result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
}

CellsResult CellsJob::run(const Progress& progress) const {
  const CellsJob job = checked_job(*this);
  TrackedFilm tracked = track_film(job, progress);
  return write_files(job, tracked.result, tracked.kept.get(), progress);
}

bool is_film_batch(const CellsJob& job, const BatchOptions& options) {
  if (names_many(job.input) && !is_picture_sequence(job.input, job.reading)) return true;
  if (!options.files_at_once) return false;
  throw Error(ErrorKind::usage,
              fmt::format("--files-at-once needs several films; {} is one", job.input));
}

BatchResult run_films(const CellsJob& job, const BatchOptions& options, const Progress& progress) {
  checked_job(job);
  if (!job.film.edits.empty())
    throw Error(ErrorKind::usage,
                fmt::format("--edits needs a single film; {} stands for several", job.input));
  check_films_tables(job.output, job.force);
  const std::string parameters = batch_parameters(
      "cells",
      {changed_options(job.options), changed_options(job.measure), changed_options(job.film),
       changed_options(job.reading), changed_options(job.reading.choice)},
      {});
  const bool all_films_here = ranks().first();
  const auto work = [&job](const BatchItem& item, bool replace, const Progress& inner) {
    CellsJob one = job;
    one.input = item.input;
    one.output = item.output;
    one.force = replace;
    one.settings.sharers = item.sharers;
    return one.run(inner).warnings;
  };
  BatchResult result = run_batch({job.input, job.output, "", parameters, job.force,
                                  files_at_once(options, job.settings), kCellsSummaryName},
                                 work, progress);
  const UnsharedRun by_rank_0;  // which knows all films
  if (all_films_here) result.tables = write_films_tables(result, job.force);
  return result;
}

std::string CellsResult::describe() const {
  std::string text = fmt::format("{}\n{}: {}, ", ran, film.name, counted(film.frames, "frame"));
  if (uncertain) text += "uncertain (see the warnings): ";
  if (counts.tracks == 0) {
    text += "no cells";
  } else {
    text += counted(counts.tracks, "cell");
    if (counts.mean_speed)
      text += fmt::format(": {} rolling, {} resting, {}", counts.rolling, counts.resting,
                          counts.adherent ? fmt::format("{} adherent", *counts.adherent)
                          : uncertain     ? "adhesion cannot be judged"
                                          : "film too short to judge adhesion");
    if (counts.mean_speed) text += fmt::format("; {:.3g} px/frame", *counts.mean_speed);
    if (counts.mean_speed && calibration.um_per_second())
      text += fmt::format(" ({:.3g} um/s)", *counts.mean_speed * *calibration.um_per_second());
    if (counts.flux) text += fmt::format("; flux {:.3g} per minute", counts.flux->per_minute);
  }
  text += "\n" + calibration_text(calibration);
  if (!background.used.empty())
    text += fmt::format("\nbackground {} (confidence {})", background.used, background.confidence);
  text += fmt::format("\n{}: {}\n{:.3g} s, {:.3g} frames/s (read {:.3g} s, work {:.3g} s)", output,
                      fmt::join(files, ", "), seconds.all, frames_per_second, seconds.read,
                      seconds.work);
  if (picture_seconds > 0.05) text += fmt::format(", pictures {:.3g} s", picture_seconds);
  if (edits > 0) text += fmt::format("\n{} applied", counted(edits, "edit"));
  return text + notes_text(notes);
}

}  // namespace tessera
