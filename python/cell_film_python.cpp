// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "jobs/cells/cell_score.hpp"
#include "jobs/cells/cell_track_file.hpp"
#include "jobs/cells/cells_result.hpp"
#include "python/array_checks.hpp"
#include "python/cell_tables.hpp"
#include "python/doors.hpp"
#include "python/long_call.hpp"
#include "python/sample_run_options.hpp"
#include "python/text.hpp"
#include "sample/cell_film.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

struct FilmRun : SampleRunOptions {
  FilmRun() : SampleRunOptions{Type::u8} {}
  static constexpr auto fields() {
    return SampleRunOptions::fields("uint8, uint16 (256 times as much), float32 or float64");
  }
};

nb::object sample_cells(Size size, unsigned long long seed, const CellFilmOptions& options,
                        const FilmRun& run) {
  Image frames;
  std::vector<CellTrack> tracks;
  {
    const LongCall unlocked;
    CellFilm film(size, seed, run.type, options, run.threads);
    frames = Image(film.info());
    film.read({0, size.height}, frames.view());
    tracks = film.truth().tracks();
  }
  return nb::make_tuple(to_numpy(std::move(frames)),
                        track_table(tracks, CellsMeasure{}.speed_window));
}

using Column = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

bool has_column(nb::handle table, const char* name) {
  const int found = PySequence_Contains(table.ptr(), nb::str(name).ptr());
  if (found < 0) nb::raise_python_error();
  return found == 1;
}

/// Tables are not only Tessera's: any mapping from names to sequences of numbers.
Column column_of(const std::string& what, nb::handle table, const char* name) {
  if (!has_column(table, name))
    throw Error(ErrorKind::usage, what + " has no column " + name +
                                      "; TRACK_ID, FRAME, POSITION_X and POSITION_Y are needed");
  const nb::object column =
      numpy("ascontiguousarray")(unmasked_array(what + " " + name, table[name], "float64"));
  Column numbers;
  if (!nb::try_cast(column, numbers))
    throw Error(ErrorKind::usage, what + " has a column " + name +
                                      " of another shape; it must be one number per row");
  return numbers;
}

int whole_number(const TrackCollector& tracks, long long row, const char* name, double value) {
  if (!(value > -1e9 && value < 1e9) || value != static_cast<int>(value))
    tracks.refuse(row, std::string(name) + " is " + to_text(value) + "; it must be whole");
  return static_cast<int>(value);
}

std::vector<CellTrack> tracks_of_table(const std::string& what, nb::handle table) {
  const Column id = column_of(what, table, "TRACK_ID"), frame = column_of(what, table, "FRAME"),
               x = column_of(what, table, "POSITION_X"), y = column_of(what, table, "POSITION_Y");
  const bool radii = has_column(table, "RADIUS");
  const Column radius = radii ? column_of(what, table, "RADIUS") : Column();
  const std::size_t rows = id.shape(0);
  for (const Column* column : {&frame, &x, &y, &radius})
    if (column->is_valid() && column->shape(0) != rows)
      throw Error(ErrorKind::usage, what + " has columns of different lengths");
  TrackCollector tracks(what, ErrorKind::usage);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto line = static_cast<long long>(row);
    tracks.add(whole_number(tracks, line, "TRACK_ID", id.data()[row]),
               {.frame = whole_number(tracks, line, "FRAME", frame.data()[row]),
                .x = x.data()[row],
                .y = y.data()[row],
                .radius = radii ? radius.data()[row] : 0},
               line);
  }
  return tracks.tracks();
}

std::vector<CellTrack> tracks_of(const std::string& what, nb::handle given,
                                 const CellScoreOptions& options) {
  const bool is_name = nb::isinstance<nb::str>(given) || nb::isinstance<nb::bytes>(given);
  if (nb::hasattr(given, "__getitem__") && !is_name) return tracks_of_table(what, given);
  return read_tracks(path_text(what, given), options.um_per_pixel);
}

nb::dict score_cells(nb::handle truth, nb::handle result, const nb::kwargs& keywords) {
  CellScoreOptions options;
  take_options("score_cells", keywords, options);
  check_ranges("score_cells", options);
  const std::vector<CellTrack> known = tracks_of("score_cells: truth", truth, options),
                               found = tracks_of("score_cells: result", result, options);
  CellScore score;
  {
    const LongCall unlocked;
    score = score_tracks(known, found, options);
  }
  nb::dict measures;
  for_each_option(score, [&](const char* name, const auto& value, const Help&) {
    if constexpr (requires { value.has_value(); })
      measures[name] = value ? nb::cast(*value) : nb::none();
    else
      measures[name] = value;
  });
  return measures;
}

constexpr const char* kFilm = R"(A film of rolling white blood cells, and where they are.

Returns (frames, truth): frames (frames, rows, columns); truth a dict of columns as track_cells
gives them, ready for a DataFrame, with one row for every cell in every frame that its centre is in.
SCORE is minus the contrast in grey levels. The same seed gives the same film on every machine.

>>> frames, truth = tessera.sample_cells(seed=1, preset="hard")
>>> tessera.score_cells(truth, tessera.track_cells(frames, flow=0))["found_share"])";

constexpr const char* kScore = R"(How well tracks agree with the truth.

truth, result: tables with TRACK_ID, FRAME, POSITION_X, POSITION_Y and RADIUS (of the truth, for
    crossings) as track_cells and sample_cells give them, or names of files (tracks.csv, XML and
    tables of TrackMate, or XML of the ISBI 2012 challenge).
Returns a dict: alpha, beta, jsc, jsc_theta and rmse of the ISBI 2012 challenge; precision and
recall of spots; cells found, false tracks; cells near at a frame; velocity_error; crossings kept.
Measures without anything to measure are None.)";

}  // namespace

void add_cell_films(nb::module_& module) {
  add_sample<CellFilmOptions, FilmRun>(
      module, "sample_cells", 640, 480,
      ("tuple[numpy.typing.NDArray[typing.Any], " + table_type() + "]").c_str(),
      std::string(kFilm) + "\n\nOptions (None is the preset's):\n", sample_cells);
  module.def("score_cells", score_cells, "truth"_a, "result"_a, "options"_a,
             nb::sig(kept("def score_cells(truth: typing.Any, result: typing.Any, *" +
                          option_parameters<CellScoreOptions>() + ") -> dict[str, typing.Any]")),
             kept(std::string(kScore) + "\n\nOptions:\n" + option_help<CellScoreOptions>()));
}

}  // namespace tessera::python
