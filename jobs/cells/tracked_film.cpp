// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/tracked_film.hpp"

#include <fmt/format.h>

#include "core/folder.hpp"
#include "io/formats.hpp"
#include "jobs/cells/cells_corrections.hpp"
#include "jobs/cells/cells_follow.hpp"
#include "jobs/cells/cells_outputs.hpp"
#include "jobs/cells/cells_pictures.hpp"
#include "jobs/cells/cells_summary.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

std::optional<CellsInside> vessel_of(const CellsJob& job, const Size& frame) {
  if (job.inside_mask) return CellsInside(job.film.inside, job.inside_mask, frame);
  if (job.film.inside.empty()) return {};
  return CellsInside(job.film.inside, frame, job.reading.limits);
}

// With edits, the tracks of an earlier run in the same folder are used if they depend on the same.
TrackedFilm followed_tracks(const CellsJob& job, FilmSource& source, const Cells& plan,
                            const Progress& progress) {
  TrackedFilm tracked;
  CellsFilmResult& result = tracked.result;
  const bool has_folder = !job.output.empty();
  const std::string path = joined(job.output, kFollowedName);
  const std::optional<TrackGrounds> grounds = track_grounds(job, plan);
  FollowedReading earlier;
  if (grounds && has_folder && !job.film.edits.empty())
    earlier = read_followed(path, *grounds, result);
  if (earlier.taken) {
    result.notes.push_back(fmt::format(
        "the film was not followed again: edits were applied to the tracks in {}", path));
    return tracked;
  }
  follow_film(source, plan, job.settings, result, progress);
  if (grounds && has_folder) tracked.kept = begin_followed(path, *grounds, result);
  if (grounds && !has_folder) tracked.before_edits = {*grounds, result};
  if (!earlier.why_not.empty())
    result.notes.push_back("the film was followed again: " + earlier.why_not);
  return tracked;
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

void cut_to(const CellsInside& inside, CellsFilmResult& result) {
  const int least = *result.options.min_frames;
  const CellsCut cut = keep_inside(inside, least, result.tracks);
  if (std::string text = cut_text(cut, least); !text.empty())
    result.notes.push_back(std::move(text));
}

void check_cells_outputs(const CellsJob& job) {
  check_measure(job.measure);
  check_ranges("cells", job.film);
  if (job.film.masks || job.film.ctc)
    if (const Format* tiff = format_of_name("masks.tif"); !tiff || !tiff->can_write())
      throw Error(ErrorKind::usage,
                  "cells: masks are TIFF files, which this build cannot write; leave out --masks "
                  "and --ctc");
}

CellsJob checked_job(const CellsJob& job) {
  check_cells_outputs(job);
  if (job.input == "-" && (job.film.overlay || job.film.report))
    throw Error(ErrorKind::usage,
                "cells: standard input cannot be read twice; give --overlay no --report no, or a "
                "film by name");
  CellsJob checked = job;
  checked.reading = limited(job.reading, job.settings);
  return checked;
}

TrackedFilm track_film(const CellsJob& job, const Progress& progress) {
  double seconds = 0;
  TrackedFilm tracked;
  {
    const Stopwatch watch(seconds);
    CellsCorrections corrections;
    // Read first: mistakes in them are reported before the film is followed.
    if (!job.film.edits.empty()) corrections = read_corrections(job.film.edits);
    FilmSource source(job.input, job.reading);
    const Cells plan(source.frame(), options_for(source, job.options));
    const std::optional<CellsInside> inside = vessel_of(job, source.frame().size);
    if (!job.output.empty()) prepare_folder(job);
    tracked = followed_tracks(job, source, plan, progress);
    CellsFilmResult& result = tracked.result;
    name_film(job, source, result);
    if (inside) cut_to(*inside, result);
    correct_tracks(corrections, result);
    summarise(result);
  }
  tracked.result.seconds.all = seconds;
  return tracked;
}

CellsResult write_files(const CellsJob& job, CellsFilmResult& result, TextFile* kept,
                        const Progress& progress) {
  double tables = 0, pictures = 0;
  {
    const Stopwatch watch(tables);
    write_cells_tables(job, result, kept);
  }
  result.seconds.write += tables;
  result.seconds.all += tables;
  result.frames_per_second = result.film.frames / result.seconds.all;
  std::vector<std::string> files = cells_table_names();
  {
    const Stopwatch watch(pictures);
    for (std::string& name : make_cells_pictures(job, result, progress))
      files.push_back(std::move(name));
  }
  write_cells_summary(job, result);
  CellsResult made = made_of(job, result);
  made.files = std::move(files);
  made.picture_seconds = pictures;
  return made;
}

CellsResult write_film(const CellsJob& job, const TrackedFilm& tracked, const Progress& progress) {
  prepare_folder(job);
  std::unique_ptr<TextFile> kept;
  if (const auto& before = tracked.before_edits)
    kept = begin_followed(joined(job.output, kFollowedName), before->grounds, before->result);
  CellsFilmResult result = tracked.result;
  return write_files(job, result, kept.get(), progress);
}

}  // namespace tessera
