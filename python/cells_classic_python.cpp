// SPDX-License-Identifier: Apache-2.0
// The steps of the classic model of cells, for the test that compares them with a transcription.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "python/arrays.hpp"
#include "python/doors.hpp"
#include "python/long_call.hpp"
#include "tessera/cells_steps.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;
using Spot = CellsClassicSteps::Spot;
using ClassicCells = std::vector<CellsClassicSteps::Cell>;

/// A NumPy array of numbers that `fill` writes in C order.
template <class Number, class Fill>
nb::object filled(const Shape& shape, const char* dtype, Fill fill) {
  const nb::object array = nb::module_::import_("numpy").attr("empty")(to_tuple(shape), dtype);
  fill(nb::cast<nb::ndarray<Number, nb::c_contig>>(array).data());
  return array;
}

/// (cells,)
template <class Number, class Member>
nb::object of_cells(const ClassicCells& cells, const char* dtype, Member member) {
  return filled<Number>({static_cast<long long>(cells.size())}, dtype, [&](Number* to) {
    for (const auto& cell : cells) *to++ = cell.*member;
  });
}

/// (cells, frames)
template <class Number, class Member>
nb::object of_spots(const ClassicCells& cells, long long frames, const char* dtype, Member member) {
  const Shape shape{static_cast<long long>(cells.size()), frames};
  return filled<Number>(shape, dtype, [&](Number* to) {
    for (const auto& cell : cells)
      for (const Spot& spot : cell.spots) *to++ = spot.*member;
  });
}

nb::object classic_steps(nb::handle given, const std::string& crop, int threads) {
  const std::string what = "cells: frames";
  const Array frames = look_at(given, what);
  std::optional<int> first;
  if (frames.shape.size() == 3) first = 0;
  const AnyView film =
      view_of(what, frames, find_axes(what, frames.shape, std::nullopt, first), true);
  CellsClassicSteps steps;
  {
    const LongCall unlocked;
    steps = cells_classic_steps(film, crop, threads);
  }
  using Cell = CellsClassicSteps::Cell;
  const long long count = film.size.planes;
  nb::dict found;
  found["gicov"] = to_numpy(std::move(steps.gicov));
  found["column"] = of_cells<int>(steps.cells, "int32", &Cell::column);
  found["row"] = of_cells<int>(steps.cells, "int32", &Cell::row);
  found["score"] = of_cells<double>(steps.cells, "float64", &Cell::score);
  found["x"] = of_spots<double>(steps.cells, count, "float64", &Spot::x);
  found["y"] = of_spots<double>(steps.cells, count, "float64", &Spot::y);
  found["radius"] = of_spots<double>(steps.cells, count, "float64", &Spot::radius);
  found["field_iterations"] = of_spots<int>(steps.cells, count, "int32", &Spot::field_iterations);
  found["snake_iterations"] = of_spots<int>(steps.cells, count, "int32", &Spot::snake_iterations);
  return found;
}

}  // namespace

void add_cells_classic(nb::module_& module) {
  module.def("_cells_classic_steps", classic_steps, "frames"_a, "crop"_a = "auto", "threads"_a = 0,
             nb::sig("def _cells_classic_steps(frames: typing.Any, crop: str = \"auto\", "
                     "threads: int = 0) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
             "The steps of the classic model of cells, for comparison: gicov (rows, columns) of "
             "the crop; column, row and score of each cell in it; x, y, radius, field_iterations "
             "and snake_iterations as (cells, frames).");
}

}  // namespace tessera::python
