// SPDX-License-Identifier: Apache-2.0
// track_cells: the job of `tessera cells track` on an array or a file, in two steps: the film is
// followed, and the files are written if they are wanted.
#include <nanobind/nanobind.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>

#include "jobs/cells/cells_tables.hpp"
#include "jobs/cells/tracked_film.hpp"
#include "python/arrays.hpp"
#include "python/cell_film_keywords.hpp"
#include "python/cell_tables.hpp"
#include "python/cells_keywords.hpp"
#include "python/doors.hpp"
#include "python/item_arrays.hpp"
#include "python/keyword_names.hpp"
#include "python/long_call.hpp"
#include "python/options_python.hpp"
#include "python/text.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

CellsJob job_of(const nb::kwargs& keywords) {
  CellsJob job;
  FilmKeywords film;
  HostOptions host;
  take_options("track_cells", keywords, job.options, job.measure, film, job.reading.choice,
               static_cast<ReadOptions&>(job.reading), job.reading.limits, host);
  check_given_options(job.options.model, cells_options_in(keywords));
  job.input = film.name;
  job.film = film;
  job.film.edits = film.edits_file.name;
  job.film.inside = film.vessel.text;
  job.film.overlay = job.film.report = false;  // write() asks for files
  job.inside_mask = film.vessel.mask;
  job.settings.threads = host.threads;
  job.settings.memory_limit.bytes = host.memory_bytes();
  return job;
}

void take_path(nb::handle given, const nb::kwargs& keywords, CellsJob& job) {
  if (keywords.contains("name"))
    throw_usage("track_cells: name is for arrays; leave it out for a film in a file");
  job.input = path_text("track_cells: film", given);
  if (job.input == "-")
    throw_usage("track_cells: film is '-', standard input; give an array or the path of a file");
  if (is_film_batch(job, {}))
    throw_usage("track_cells: " + job.input + " stands for several films; give one of them");
}

/// A film that was followed, with what its files are made from.
class FilmOfCells {
 public:
  FilmOfCells(nb::handle given, const nb::kwargs& keywords) : job_(job_of(keywords)) {
    if (is_path(given)) {
      take_path(given, keywords, job_);
    } else {
      array_ = look_at_values(given, "track_cells: film");
      job_.reading.in_memory = frames_of("track_cells: film", array_, true);
    }
    wait_for_the_array();
    const LongCall unlocked;
    job_ = checked_job(job_);
    tracked_ = track_film(job_);
  }

  const CellsFilmResult& result() const { return tracked_.result; }

  nb::list write(nb::handle folder, const nb::kwargs& keywords) const {
    FilesKeywords files;
    take_options("write", keywords, files);
    CellsJob job = job_;
    job.output = path_text("write: folder", folder);
    job.film.overlay = files.overlay;
    job.film.report = files.report;
    job.film.masks = files.masks;
    job.film.ctc = files.ctc;
    job.film.geff = files.geff;
    job.force = files.force;
    wait_for_the_array();
    const CellsResult made = written(job);
    warn(added("write: ", result().notes, made.notes));
    warn(added("write: ", result().warnings, made.warnings));
    nb::list names;
    for (const std::string& name : made.files) names.append(to_python(name));
    return names;
  }

 private:
  CellsResult written(const CellsJob& job) const {
    LongCall unlocked;
    const Progress hears_signals = [&](long long, long long) { unlocked.poll(); };
    return naming_keywords([&] { return write_film(checked_job(job), tracked_, hears_signals); });
  }

  // Another stream may still be filling it; the job has streams of its own.
  void wait_for_the_array() const {
    if (array_.device != kHost) library_stream(array_).wait();
  }

  static std::vector<std::string> added(const std::string& before,
                                        const std::vector<std::string>& old,
                                        const std::vector<std::string>& now) {
    std::vector<std::string> sentences;
    for (std::size_t i = old.size(); i < now.size(); ++i)
      sentences.push_back(before + with_keywords(now[i]));
    return sentences;
  }

  Array array_;  ///< of a film that is not a file: kept, for pictures
  CellsJob job_;
  TrackedFilm tracked_;
};

/// Doubts come first among the warnings.
void warn_of(const CellsFilmResult& result) {
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < result.warnings.size(); ++i)
    sentences.push_back((i < result.doubts.size() ? "track_cells: uncertain: " : "track_cells: ") +
                        with_keywords(result.warnings[i]));
  warn(sentences);
}

nb::object track_cells(nb::handle film, const nb::kwargs& keywords) {
  auto followed = naming_keywords([&] { return std::make_unique<FilmOfCells>(film, keywords); });
  const CellsFilmResult& result = followed->result();
  warn_of(result);
  const nb::object summary = nb::module_::import_("json").attr("loads")(summary_json(result));
  const nb::dict tracks = track_table(result), cells = cell_table(result),
                 histogram = speed_table(result);
  return nb::module_::import_("tessera.cell_tracks")
      .attr("CellTracks")(tracks, "summary"_a = summary, "cells"_a = cells,
                          "histogram"_a = histogram, "film"_a = nb::cast(std::move(followed)));
}

constexpr const char* kTrack =
    R"(Finds white blood cells in a film and follows them, as `tessera cells track` does.

film: (frames, rows, columns), grey; uint8, uint16, float32 or float64, of NumPy, CuPy, torch or
    anything with __dlpack__ or __cuda_array_interface__. Any strides, no copy. Also bool, other
    integers up to 32 bits (int16 as float32), float16 and the other byte order, in a copy.
    Give one slice and channel of a stack: stack[:, z, channel].
    Or the path of a film: a video, a TIFF stack, an NPY file, a folder or pattern of pictures; its
    own pixel size and frame rate are used unless um_per_pixel and frame_rate are given.
Returns CellTracks, a dict of NumPy arrays of one length, one row per cell and frame, by track and frame:
TRACK_ID (from 1), FRAME (from 0), POSITION_X, POSITION_Y (pixels; 0, 0 is the centre of the first),
RADIUS, SCORE (negative: brighter than the background), SPEED (pixels per frame, windowed),
SEEN (False: bridged), and AREA, PERIMETER and ELONGATION (1 or more) of the outline, NaN where none
was measured. The columns are those of tracks.csv: T (seconds) is there if the frame rate is given or the
film's own, columns in micrometres if the pixel size is. Its attributes are summary, cells, classes, flux,
histogram, options, uncertain and reasons; its write() makes the files of the command. A UserWarning says
why the tracks are uncertain, if they are, and which option decides.

>>> import pandas
>>> result = tessera.track_cells(film, flow=0, frame_rate=30, um_per_pixel=0.32)
>>> tracks = pandas.DataFrame(result)
>>> tracks.groupby("TRACK_ID").SPEED_UM_S.mean()
>>> result.summary["counts"]["rolling"]
>>> result.write("venule", masks=True, overlay=False))";

}  // namespace

void add_track_cells(nb::module_& module) {
  const std::string parameters =
      option_parameters<CellsOptions>() + option_parameters<CellsMeasure>() +
      option_parameters<FilmKeywords>() + option_parameters<FilmChoice>() +
      option_parameters<ReadOptions>() + option_parameters<ReadLimits>() +
      option_parameters<HostOptions>();
  const std::string help = option_help<CellsOptions>() + option_help<CellsMeasure>() +
                           option_help<FilmKeywords>() + option_help<FilmChoice>() +
                           option_help<ReadOptions>() + option_help<ReadLimits>() +
                           option_help<HostOptions>();
  nb::class_<FilmOfCells>(module, "FilmOfCells", "A film that was followed; see CellTracks.write.")
      .def(
          "write", &FilmOfCells::write, "folder"_a, "options"_a,
          nb::sig(kept("def write(self, folder: str | bytes | os.PathLike[typing.Any], *" +
                       option_parameters<FilesKeywords>() + ") -> list[str]")),
          kept("The files of `tessera cells track`.\n\nOptions:\n" + option_help<FilesKeywords>()));
  module.def("track_cells", track_cells, "film"_a, "options"_a,
             nb::sig(kept("def track_cells(film: typing.Any, *" + parameters + ") -> CellTracks")),
             kept(std::string(kTrack) + "\n\nOptions:\n" + help));
}

}  // namespace tessera::python
