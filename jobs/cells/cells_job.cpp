// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/folder.hpp"
#include "io/formats.hpp"
#include "jobs/batch_files.hpp"
#include "jobs/cells/cells_calibrate.hpp"
#include "jobs/cells/cells_corrections.hpp"
#include "jobs/cells/cells_follow.hpp"
#include "jobs/cells/cells_inside.hpp"
#include "jobs/cells/cells_outputs.hpp"
#include "jobs/cells/cells_pictures.hpp"
#include "jobs/cells/cells_summary.hpp"
#include "jobs/cells/film_files.hpp"
#include "jobs/cells/films_table.hpp"
#include "jobs/cells/followed_tracks.hpp"
#include "jobs/result.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

void check(const CellsJob& job) {
  check_cells_outputs(job);
  if (job.input == "-" && (job.film.overlay || job.film.report))
    throw Error(ErrorKind::usage,
                "cells: standard input cannot be read twice; give --overlay no --report no, or a "
                "film by name");
}

struct Followed {
  CellsFilmResult result;
  std::unique_ptr<TextFile> kept;  ///< the tracks before edits, if an earlier run has not kept them
};

// With edits, the tracks of an earlier run in the same folder are used if they depend on the same.
Followed followed_tracks(const CellsJob& job, FilmSource& source, const Cells& plan,
                         const Progress& progress) {
  Followed followed;
  CellsFilmResult& result = followed.result;
  const std::string path = joined(job.output, kFollowedName);
  const std::optional<TrackGrounds> grounds = track_grounds(job, plan);
  FollowedReading earlier;
  if (grounds && !job.film.edits.empty()) earlier = read_followed(path, *grounds, result);
  if (earlier.taken) {
    result.notes.push_back(fmt::format(
        "the film was not followed again: edits were applied to the tracks in {}", path));
    return followed;
  }
  follow_film(source, plan, job.settings, result, progress);
  if (grounds) followed.kept = begin_followed(path, *grounds, result);
  if (!earlier.why_not.empty())
    result.notes.push_back("the film was followed again: " + earlier.why_not);
  return followed;
}

Followed follow(const CellsJob& job, const Progress& progress) {
  CellsCorrections corrections;
  // Read first: mistakes in them are reported before the film is followed.
  if (!job.film.edits.empty()) corrections = read_corrections(job.film.edits);
  FilmSource source(job.input, job.reading);
  const Cells plan(source.frame(), options_for(source, job.options));
  std::optional<CellsInside> inside;
  if (!job.film.inside.empty())
    inside.emplace(job.film.inside, source.frame().size, job.reading.limits);
  prepare_folder(job);
  Followed followed = followed_tracks(job, source, plan, progress);
  CellsFilmResult& result = followed.result;
  name_film(job, source, result);
  if (inside) cut_to(*inside, result);
  correct_tracks(corrections, result);
  summarise(result);
  return followed;
}

CellsResult made_of(const CellsJob& job, const CellsFilmResult& result) {
  CellsResult made;
  made.ran = result.ran;
  made.output = job.output;
  made.film = result.film;
  made.calibration = result.calibration;
  made.counts = result.counts;
  made.background = result.background;
  made.uncertain = !result.doubts.empty();
  made.doubts = result.doubts;
  made.edits = result.edits;
  made.notes = result.notes;
  made.warnings = result.warnings;
  made.seconds = result.seconds;
  made.frames_per_second = result.frames_per_second;
  return made;
}

}  // namespace

void check_cells_outputs(const CellsJob& job) {
  check_measure(job.measure);
  check_ranges("cells", job.film);
  if (job.film.masks || job.film.ctc)
    if (const Format* tiff = format_of_name("masks.tif"); !tiff || !tiff->can_write())
      throw Error(ErrorKind::usage,
                  "cells: masks are TIFF files, which this build cannot write; leave out --masks "
                  "and --ctc");
}

void cut_to(const CellsInside& inside, CellsFilmResult& result) {
  const int least = *result.options.min_frames;
  const CellsCut cut = keep_inside(inside, least, result.tracks);
  if (std::string text = cut_text(cut, least); !text.empty())
    result.notes.push_back(std::move(text));
}

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
  check(*this);
  CellsJob job = *this;
  job.reading = limited(job.reading, job.settings);
  const auto started = std::chrono::steady_clock::now();
  Followed followed = follow(job, progress);
  return make_cells_files(job, followed.result, followed.kept.get(), started, progress);
}

CellsResult make_cells_files(const CellsJob& job, CellsFilmResult& result, TextFile* kept,
                             std::chrono::steady_clock::time_point started,
                             const Progress& progress) {
  {
    const Stopwatch watch(result.seconds.write);
    write_cells_tables(job, result, kept);
  }
  result.seconds.all =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  result.frames_per_second = result.film.frames / result.seconds.all;
  std::vector<std::string> files = cells_table_names();
  double picture_seconds = 0;
  {
    const Stopwatch watch(picture_seconds);
    for (std::string& name : make_cells_pictures(job, result, progress))
      files.push_back(std::move(name));
  }
  write_cells_summary(job, result);
  CellsResult made = made_of(job, result);
  made.files = std::move(files);
  made.picture_seconds = picture_seconds;
  return made;
}

bool is_film_batch(const CellsJob& job, const BatchOptions& options) {
  if (names_many(job.input) && !is_picture_sequence(job.input, job.reading)) return true;
  if (!options.files_at_once) return false;
  throw Error(ErrorKind::usage,
              fmt::format("--files-at-once needs several films; {} is one", job.input));
}

BatchResult run_films(const CellsJob& job, const BatchOptions& options, const Progress& progress) {
  check(job);
  if (!job.film.edits.empty())
    throw Error(ErrorKind::usage,
                fmt::format("--edits needs a single film; {} stands for several", job.input));
  check_films_tables(job.output, job.force);
  const std::string parameters = batch_parameters(
      "cells",
      {changed_options(job.options), changed_options(job.measure), changed_options(job.film),
       changed_options(job.reading), changed_options(job.reading.choice)},
      {});
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
  result.tables = write_films_tables(result, job.force);
  return result;
}

std::string CellsResult::describe() const {
  std::string text =
      fmt::format("{}\n{}: {} frame{}, ", ran, film.name, film.frames, film.frames == 1 ? "" : "s");
  if (uncertain) text += "uncertain (see the warnings): ";
  if (counts.tracks == 0) {
    text += "no cells";
  } else {
    text += fmt::format("{} cell{}", counts.tracks, counts.tracks == 1 ? "" : "s");
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
  if (edits > 0) text += fmt::format("\n{} edit{} applied", edits, edits == 1 ? "" : "s");
  return text + notes_text(notes);
}

}  // namespace tessera
