// SPDX-License-Identifier: Apache-2.0
#include "jobs/sample/cell_film_job.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/counted.hpp"
#include "jobs/cells/cells_summary.hpp"
#include "jobs/cells/cells_tables.hpp"
#include "jobs/cells/cells_xml.hpp"
#include "jobs/history.hpp"
#include "jobs/job_files.hpp"
#include "tessera/error.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

bool is_xml(const std::string& path) {
  if (path.ends_with(".xml")) return true;
  if (path.ends_with(".csv")) return false;
  throw Error(ErrorKind::usage,
              fmt::format("cells: truth '{}' has no known ending; use .csv or .xml", path));
}

/// The truth as a result, so that it is written in the same way.
CellsFilmResult as_result(const CellFilm& film, const CellFilmJob& job) {
  CellsFilmResult result;
  result.ran = "sample cells";
  result.film = {job.output,
                 "sample",
                 film.info().size.width,
                 film.info().size.height,
                 0,
                 film.info().size.planes};
  result.calibration = {job.writing.frame_rate, "given", {}};
  result.tracks = film.truth().tracks();
  summarise(result);
  return result;
}

void write_truth(const CellFilm& film, const CellFilmJob& job, TextFile& file) {
  const CellsFilmResult result = as_result(film, job);
  is_xml(job.truth) ? write_isbi(result, file) : write_tracks(result, file);
  file.flush();
}

void write_frames(const CellFilm& film, ImageSink& sink, StageSeconds& seconds,
                  const Progress& progress) {
  const Stopwatch all(seconds.all);
  ImageInfo one = film.info();
  one.size.planes = 1;
  Image frame(one);
  const Rows rows{0, one.size.height};
  for (int k = 0; k < film.info().size.planes; ++k) {
    {
      const Stopwatch work(seconds.work);
      film.read_frame(k, rows, frame.view());
    }
    {
      const Stopwatch write(seconds.write);
      sink.write_plane(k, rows, frame.view());
    }
    if (progress) progress(k + 1, film.info().size.planes);
  }
  const Stopwatch write(seconds.write);
  sink.finish();
}

}  // namespace

std::string CellFilmResult::describe() const {
  const std::string text = fmt::format(
      "{}: {}, seed {}: {} crossings, {} entries, {} exits, in {:.3g} s ({:.3g} frames/s)", output,
      made, seed, crossings, entries, exits, seconds.all, frames / seconds.all);
  return truth.empty() ? text : text + "; truth in " + truth;
}

CellFilmResult CellFilmJob::run(const Progress& progress) const {
  const Stream stream = settings.stream(kHost);
  if (!truth.empty()) is_xml(truth);  // before any work
  const CellFilm source({sample.size.width, sample.size.height},
                        static_cast<std::uint64_t>(sample.seed), sample.type, film,
                        stream.threads());
  WriteOptions how = writing;
  how.history = history_of("sample of " + tessera::describe(source.info()), changed_options(film));
  const auto sink = create_output(output, source.info(), how);
  std::optional<TextFile> list;
  if (!truth.empty()) list.emplace(truth, writing.force);
  const CellFilmTruth& known = source.truth();
  CellFilmResult result{.made = fmt::format("{} in {}", counted(known.cells.size(), "cell"),
                                            tessera::describe(source.info())),
                        .output = output,
                        .truth = truth,
                        .seed = sample.seed,
                        .frames = source.info().size.planes,
                        .cells = static_cast<int>(known.cells.size()),
                        .crossings = static_cast<int>(known.crossings.size()),
                        .entries = known.entries,
                        .exits = known.exits,
                        .seconds = {}};
  // The truth is written completely before the film is renamed: a full disk leaves both as they
  // were.
  if (list) write_truth(source, *this, *list);
  write_frames(source, *sink, result.seconds, progress);
  if (list) list->finish();
  return result;
}

}  // namespace tessera
