// SPDX-License-Identifier: Apache-2.0
// preview_cells and track_films: the jobs of `tessera cells preview`, and of `tessera cells track`
// on a folder of films.
#include <nanobind/nanobind.h>

#include "jobs/cells/cells_job.hpp"
#include "jobs/cells/cells_preview.hpp"
#include "jobs/cells/films_table.hpp"
#include "python/arrays.hpp"
#include "python/cell_film_keywords.hpp"
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

struct PreviewKeywords : CellsJobOptions {
  FileArgument output;
  bool force = false;
  std::string name = kArrayName;

  static constexpr auto fields() {
    using K = PreviewKeywords;
    constexpr auto all = CellsJobOptions::fields();
    return std::tuple{
        std::get<0>(all), std::get<1>(all),
        field("output", &K::output, "the page to write, .html; None: no page"),
        field("force", &K::force, kForceHelp),
        field("name", &K::name, "the name of a film that is an array, for messages and the page")};
  }
};

struct FilmsKeywords : CellsJobOptions {
  VesselArgument vessel;
  bool force = false;
  std::optional<int> films_at_once;

  static constexpr auto fields() {
    using K = FilmsKeywords;
    constexpr auto all = CellsJobOptions::fields();
    return std::tuple{
        std::get<0>(all),
        std::get<1>(all),
        field("inside", &K::vessel,
              "keep only cells inside the vessel: a polygon, 'X1,Y1 X2,Y2 X3,Y3 ...' in pixels; or "
              "an array (rows, columns) or an image file of the frame's size that is not 0 there"),
        std::get<4>(all),
        std::get<5>(all),
        std::get<6>(all),
        std::get<7>(all),
        std::get<8>(all),
        field("force", &K::force, kForceHelp),
        field("files_at_once", &K::films_at_once,
              "films followed at the same time, sharing threads and memory; None: one per thread",
              Range{1})};
  }
};

void take_host(const HostOptions& host, CellsJob& job) {
  job.settings.threads = host.threads;
  job.settings.memory_limit.bytes = host.memory_bytes();
}

nb::object from_json(const std::string& text) {
  return nb::module_::import_("json").attr("loads")(to_python(text));
}

std::vector<std::string> sentences_of(const std::string& before,
                                      const std::vector<std::string>& warnings) {
  std::vector<std::string> sentences;
  for (const std::string& warning : warnings) sentences.push_back(before + with_keywords(warning));
  return sentences;
}

nb::object preview_cells(nb::handle film, const nb::kwargs& keywords) {
  CellsPreviewJob job;
  PreviewKeywords given;
  HostOptions host;
  CellsJob& track = job.track;
  take_options("preview_cells", keywords, track.options, given, track.reading.choice,
               static_cast<ReadOptions&>(track.reading), track.reading.limits, host);
  check_given_options(track.options.model, cells_options_in(keywords));
  track.film = given;
  take_host(host, track);
  job.page = given.output.name;
  job.force = given.force;
  Array array;
  if (is_path(film)) {
    if (keywords.contains("name"))
      throw_usage("preview_cells: name is for arrays; leave it out for a film in a file");
    track.input = path_text("preview_cells: film", film);
  } else {
    track.input = given.name;
    array = look_at_values(film, "preview_cells: film");
    track.reading.in_memory = frames_of("preview_cells: film", array, true);
    if (array.device != kHost) library_stream(array).wait();
  }
  const CellsPreview made = naming_keywords([&] {
    LongCall unlocked;
    return job.run([&](long long, long long) { unlocked.poll(); });
  });
  warn(sentences_of("preview_cells: ", made.warnings));
  return from_json(preview_json(made));
}

nb::list track_films(nb::handle films, nb::handle folder, const nb::kwargs& keywords) {
  CellsJob job;
  FilmsKeywords given;
  HostOptions host;
  take_options("track_films", keywords, job.options, job.measure, given, job.reading.choice,
               static_cast<ReadOptions&>(job.reading), job.reading.limits, host);
  check_given_options(job.options.model, cells_options_in(keywords));
  job.film = given;
  job.film.inside = given.vessel.text;
  job.inside_mask = given.vessel.mask;
  job.force = given.force;
  take_host(host, job);
  job.input = path_text("track_films: films", films);
  job.output = path_text("track_films: folder", folder);
  const BatchOptions batch{.files_at_once = given.films_at_once};
  const BatchResult made = naming_keywords([&] {
    if (job.input == "-" || !is_film_batch(job, {}))
      throw Error(ErrorKind::usage,
                  "track_films: " + job.input +
                      " is a single film; give a folder or a pattern of films, or see track_cells");
    LongCall unlocked;
    return run_films(job, batch, [&](long long, long long) { unlocked.poll(); });
  });
  warn(sentences_of("track_films: ", made.complaints()));
  nb::list rows;
  for (const BatchFile& file : made.files) rows.append(from_json(film_row_json(film_row(file))));
  return rows;
}

constexpr const char* kPreview =
    R"(Looks at a film's first 60 frames before its cells are followed, as `tessera cells preview` does.

film: as in track_cells: an array (frames, rows, columns) or the path of a film.
Returns what the command prints with --json, a dict: frames (four of them, each with its candidates and
the cells that are followed), radii (those measured, with a histogram), choices (what track_cells decides
by itself, and why), command (a command line that follows the whole film), options, uncertain, doubts.
A UserWarning says why the tracks of these frames are uncertain, if they are.

>>> preview = tessera.preview_cells("venule.avi", output="preview.html")
>>> preview["radii"]["least"], preview["radii"]["most"], preview["tracks"]
>>> [(choice["name"], choice["value"], choice["why"]) for choice in preview["choices"]])";

constexpr const char* kFilms =
    R"(Follows the cells of many films, as `tessera cells track` does with a folder of films.

films: a folder or a pattern of films ('films/*.avi').
folder: where results go: folder/NAME has the files of each film, folder/films.csv and films.json one row
    per film. A batch that was interrupted continues where it stopped; force makes all films again.
Returns the rows, a list of dicts with the keys of films.json: film, folder, state ("ok" or "failed"),
frames, cells, rolling, resting, adherent, mean_speed, uncertain, doubts, error … A UserWarning names every
film that failed or lacks something.

>>> import pandas
>>> table = pandas.DataFrame(tessera.track_films("films", "results", flow=0, report=False, overlay=False))
>>> table[~table.uncertain.astype(bool)].mean_speed)";

}  // namespace

void add_cells_jobs(nb::module_& module) {
  const std::string read_parameters =
      option_parameters<FilmChoice>() + option_parameters<ReadOptions>() +
      option_parameters<ReadLimits>() + option_parameters<HostOptions>();
  const std::string read_help = option_help<FilmChoice>() + option_help<ReadOptions>() +
                                option_help<ReadLimits>() + option_help<HostOptions>();
  module.def("preview_cells", preview_cells, "film"_a, "options"_a,
             nb::sig(kept("def preview_cells(film: typing.Any, *" +
                          option_parameters<CellsOptions>() + option_parameters<PreviewKeywords>() +
                          read_parameters + ") -> dict[str, typing.Any]")),
             kept(std::string(kPreview) + "\n\nOptions:\n" + option_help<CellsOptions>() +
                  option_help<PreviewKeywords>() + read_help));
  const char* const path = "str | bytes | os.PathLike[typing.Any]";
  module.def("track_films", track_films, "films"_a, "folder"_a, "options"_a,
             nb::sig(kept(std::string("def track_films(films: ") + path + ", folder: " + path +
                          ", *" + option_parameters<CellsOptions>() +
                          option_parameters<CellsMeasure>() + option_parameters<FilmsKeywords>() +
                          read_parameters + ") -> list[dict[str, typing.Any]]")),
             kept(std::string(kFilms) + "\n\nOptions:\n" + option_help<CellsOptions>() +
                  option_help<CellsMeasure>() + option_help<FilmsKeywords>() + read_help));
}

}  // namespace tessera::python
