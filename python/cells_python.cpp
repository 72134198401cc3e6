// SPDX-License-Identifier: Apache-2.0
#include "python/long_call.hpp"
#include "tessera/cells.hpp"

#include <nanobind/nanobind.h>

#include <optional>

#include "jobs/cells/cells_result.hpp"
#include "python/arrays.hpp"
#include "python/cell_tables.hpp"
#include "python/cells_keywords.hpp"
#include "python/doors.hpp"
#include "python/item_arrays.hpp"
#include "python/options_python.hpp"
#include "python/turns.hpp"
#include "tessera/error.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

/// Only the window of speeds among the measures: tables hold no others.
struct CellsRunOptions : CellsMeasure, HostOptions {
  static constexpr auto fields() {
    return std::tuple_cat(std::tuple{std::get<0>(CellsMeasure::fields())}, HostOptions::fields());
  }
};

/// CellsKeywords of films mean nothing for one frame: no keyword is ignored in silence.
void refuse_options_of_films(const nb::kwargs& given) {
  for (const std::string& name : cells_options_in(given))
    if (CellsOptions::is_for_films(name))
      throw Error(ErrorKind::usage, "detect_cells: " + python_name(name) +
                                        " is for films; leave it out, or see track_cells");
}

struct CellsKeywords {
  CellsOptions own;
  CellsRunOptions run;
  CellsKeywords(const char* operation, const nb::kwargs& given) {
    take_options(operation, given, own, run);
    check_given_options(own.model, cells_options_in(given));
  }
};

Stream stream_for(const Cells& plan, const Array& array, const CellsRunOptions& run) {
  if (array.device != kHost) return library_stream(array);
  return Stream(plan.device(), run.threads, run.memory_bytes());
}

nb::dict detect_frame(nb::handle given, const nb::kwargs& keywords) {
  refuse_options_of_films(keywords);
  const CellsKeywords options("detect_cells", keywords);
  const Array array = look_at_values(given, "detect_cells: frame");
  const AnyView frame = frames_of("detect_cells: frame", array, false);
  const Cells plan(frame.info(), options.own);
  Stream stream = stream_for(plan, array, options.run);
  std::vector<CellDetection> cells;
  {
    const LongCall unlocked;
    cells = plan.detect(frame, stream);
  }
  return detection_table(cells);
}

/// A film that is given frame by frame. Calls of other threads wait for their turn.
class CellsStream {
 public:
  /// `like`: a frame such as is expected; the plan is made now, so that errors come now.
  CellsStream(const Array& like, const CellsKeywords& options)
      : shape_(like.shape),
        type_(like.type),
        options_(options),
        plan_(frames_of(kFrame, like, false).info(), options.own),
        state_(plan_.start()) {}

  void add(nb::handle given) {
    const Array array = look_at_values(given, kFrame);
    if (array.shape != shape_ || array.type != type_)
      throw Error(ErrorKind::usage, std::string(kFrame) + " is " + shape_text(array.shape) + " " +
                                        dtype_name(array.type) + "; it must be " +
                                        shape_text(shape_) + " " + dtype_name(type_));
    const AnyView frame = frames_of(kFrame, array, false);
    std::optional<Stream> theirs;
    if (frame.device != kHost) theirs = library_stream(array);
    const Turn turn(kOperation, turns_);
    as_a_whole([&] {
      if (state_.frames_given() == 0) settle_on(frame, theirs);
      if (theirs) stream_->after(*theirs);
      plan_.add(state_, frame, *stream_);
      if (theirs) stream_->wait();  // the caller may give the frame up
    });
  }
  void finish() {
    const Turn turn(kOperation, turns_);
    if (!stream_) stream_.emplace(plan_.device(), options_.run.threads);
    as_a_whole([&] { plan_.finish(state_, *stream_); });
  }
  nb::dict tracks() const { return track_table(found(), options_.run.speed_window, moved()); }
  nb::object drift() const { return drift_array(moved()); }
  nb::object outlines() const { return outline_array(found()); }
  std::vector<double> sizes() const {
    const Turn turn(kOperation, turns_);
    return plan_.sizes(state_);
  }
  std::vector<std::string> doubts() const {
    const Turn turn(kOperation, turns_);
    check_whole();
    return plan_.doubts(state_);
  }
  int frames_given() const {
    const Turn turn(kOperation, turns_);
    return state_.frames_given();
  }
  int frames_done() const {
    const Turn turn(kOperation, turns_);
    return state_.frames_done();
  }
  std::string describe() const {
    const Turn turn(kOperation, turns_);
    return plan_.describe();
  }

 private:
  static constexpr const char* kOperation = "cells";
  static constexpr const char* kFrame = "cells: frame";

  std::vector<CellTrack> found() const {
    const Turn turn(kOperation, turns_);
    check_whole();
    return plan_.tracks(state_);
  }

  std::vector<CellDrift> moved() const {
    const Turn turn(kOperation, turns_);
    check_whole();
    return plan_.drift(state_);
  }

  // The first frame tells where frames lie.
  void settle_on(const AnyView& frame, const std::optional<Stream>& theirs) {
    if (frame.device != plan_.frame().device) {
      plan_ = Cells(frame.info(), options_.own);
      state_ = plan_.start();
    }
    if (theirs)
      stream_.emplace(*theirs);
    else
      stream_.emplace(plan_.device(), options_.run.threads, options_.run.memory_bytes());
  }

  void check_whole() const {
    if (broken_)
      throw Error(
          ErrorKind::usage,
          "cells: a frame was interrupted, so that the film cannot go on; make a new Cells");
  }
  /// A film whose frame a signal stops is broken.
  template <class Work>
  void as_a_whole(const Work& work) {
    check_whole();
    try {
      work();
    } catch (const Stopped&) {
      broken_ = true;
      throw;
    }
  }

  const Shape shape_;
  const Type type_;
  const CellsKeywords options_;
  mutable Turns turns_;  ///< of all below
  Cells plan_;
  CellsState state_;
  std::optional<Stream> stream_;
  bool broken_ = false;
};

constexpr const char* kDetect =
    R"(Finds the white blood cells of one frame, (rows, columns), grey; types as in track_cells.

Returns a dict of NumPy arrays, one row per cell in the order of image rows: POSITION_X, POSITION_Y, RADIUS,
SCORE.

>>> cells = tessera.detect_cells(film[0], polarity="bright"))";

constexpr const char* kStream =
    R"(A film that is followed frame by frame, for cameras and films larger than memory.

>>> cells = tessera.Cells((480, 640), "uint8", flow=0)
>>> for frame in camera:
...     cells.add(frame)
>>> cells.finish()
>>> tracks = cells.tracks()

With background="still" frames wait for those after them: tracks() then knows frames_done frames.)";

constexpr const char* kOutlines =
    R"(Outlines of the rows of tracks(), (rows, 20), as distances from the position in pixels.

Angles are equal, the first to the right and the next further down. NaN where none was measured.)";

void add_stream(nb::module_& module, const std::string& parameters, const std::string& help) {
  nb::class_<CellsStream>(module, "Cells", kStream)
      .def(
          "__init__",
          [](CellsStream* self, nb::handle shape, nb::handle dtype, const nb::kwargs& options) {
            new (self) CellsStream(expected_numbers("cells", shape, dtype, ItemUse::values),
                                   CellsKeywords("cells", options));
          },
          "shape"_a, "dtype"_a = "uint8", "options"_a,
          nb::sig(kept("def __init__(self, shape: collections.abc.Sequence[int], "
                       "dtype: numpy.typing.DTypeLike = \"uint8\", *" +
                       parameters + ") -> None")),
          kept("Options:\n" + help))
      .def("add", &CellsStream::add, "frame"_a, nb::sig("def add(self, frame: typing.Any) -> None"),
           "The next frame.")
      .def("finish", &CellsStream::finish, "There are no more frames: processes those that wait.")
      .def("tracks", &CellsStream::tracks, nb::sig(kept("def tracks(self) -> " + table_type())),
           "Tracks of the frames that are done, as track_cells returns them.")
      .def("outlines", &CellsStream::outlines,
           nb::sig("def outlines(self) -> numpy.typing.NDArray[numpy.float32]"), kOutlines)
      .def("doubts", &CellsStream::doubts, nb::sig("def doubts(self) -> list[str]"),
           "Why these tracks may be wrong, and which option decides; empty: no reason was found.")
      .def("sizes", &CellsStream::sizes, nb::sig("def sizes(self) -> list[float]"),
           "Radii of round objects in the first frames, measured if no radius was given; pixels.")
      .def("drift", &CellsStream::drift,
           nb::sig("def drift(self) -> numpy.typing.NDArray[numpy.float64]"),
           "Where the tissue lies in each frame of a finished film, (frames, 2), relative to the "
           "first frame; empty if it stands still. Speeds are relative to the tissue.")
      .def_prop_ro("frames_given", &CellsStream::frames_given)
      .def_prop_ro("frames_done", &CellsStream::frames_done)
      .def("describe", &CellsStream::describe, "The method that runs.");
}

}  // namespace

void add_cells(nb::module_& module) {
  const auto alone = [](std::string_view name) { return !CellsOptions::is_for_films(name); };
  const std::string run = option_parameters<CellsRunOptions>();
  const std::string parameters = option_parameters<CellsOptions>() + run;
  const std::string run_help = option_help<CellsRunOptions>();
  const std::string help = option_help<CellsOptions>() + run_help;
  module.def(
      "detect_cells", detect_frame, "frame"_a, "options"_a,
      nb::sig(kept("def detect_cells(frame: typing.Any, *" +
                   option_parameters<CellsOptions>(alone) + run + ") -> " + table_type())),
      kept(std::string(kDetect) + "\n\nOptions:\n" + option_help<CellsOptions>(alone) + run_help));
  add_stream(module, parameters, help);
}

}  // namespace tessera::python
