// SPDX-License-Identifier: Apache-2.0
/// Calls of plans for some rows of an image: a task of tessera.dask has a piece of the image. The
/// plan is that of the whole image, so tiles and borders are where they are in one call.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "tessera/border.hpp"
#include "tessera/options.hpp"
#include "tessera/plan.hpp"

namespace tessera::python {

namespace nb = nanobind;

/// The first row of a piece that holds `needed`, and for each of its rows the row of the image that
/// is there. Rows outside without a pixel are left out; they are at the ends.
template <class Plan>
std::pair<int, std::vector<int>> rows_of_piece(const Plan& plan, Rows needed) {
  while (needed.count() > 0 && plan.source_row(needed.first) == kNoPixel) ++needed.first;
  while (needed.count() > 0 && plan.source_row(needed.end - 1) == kNoPixel) --needed.end;
  std::vector<int> rows;
  for (int row = needed.first; row < needed.end; ++row) rows.push_back(plan.source_row(row));
  return {needed.first, std::move(rows)};
}

/// The chosen backend and method, by the names that options take. `plan_of(self)` is the library's
/// plan.
template <class Class, class PlanOf>
void add_choice(nb::class_<Class>& bound, PlanOf plan_of) {
  bound
      .def_prop_ro(
          "backend", [plan_of](Class& self) { return to_text(plan_of(self).backend()); },
          nb::sig("def backend(self) -> str"), "the backend that was chosen: cpu or cuda")
      .def_prop_ro(
          "method", [plan_of](Class& self) { return plan_of(self).method(); },
          nb::sig("def method(self) -> str"), "the name of the method that was chosen");
}

inline constexpr const char* kNeededRows =
    R"(The rows of the image that rows [first, end) of the result need: the number of the piece's first
row, which is negative for one above the image, and for each row of the piece the row of the image
that is there by the border's rule.)";

inline constexpr const char* kRowStep =
    "rows of results are made in groups of this size, counted from row 0: cut pieces there";

/// For plans whose rows need a range of rows. Class has run_rows(piece, first_row, rows).
template <class Class, class PlanOf>
void add_row_calls(nb::class_<Class>& bound, PlanOf plan_of) {
  using namespace nb::literals;
  add_choice(bound, plan_of);
  bound
      .def_prop_ro(
          "row_step", [plan_of](Class& self) { return plan_of(self).row_step(); },
          nb::sig("def row_step(self) -> int"), kRowStep)
      .def(
          "needed_rows",
          [plan_of](Class& self, int first, int end) {
            const auto plan = plan_of(self);
            return rows_of_piece(plan, plan.needs({first, end}));
          },
          "first"_a, "end"_a,
          nb::sig("def needed_rows(self, first: int, end: int) -> tuple[int, list[int]]"),
          kNeededRows)
      .def(
          "run_rows",
          [](Class& self, nb::handle piece, int first_row, std::pair<int, int> rows) {
            return self.run_rows(piece, first_row, Rows{rows.first, rows.second});
          },
          "piece"_a, "first_row"_a, "rows"_a,
          nb::sig("def run_rows(self, piece: typing.Any, first_row: int, "
                  "rows: tuple[int, int]) -> typing.Any"),
          R"(Some rows of the result, (first, end), from a C-contiguous piece of the image, whose first row is
row `first_row` of the image: the same bytes as in a call for the whole image. Cut at multiples of
row_step, and give the rows that needed_rows names.

>>> plan = tessera.Convolve(image.shape, image.dtype, "gauss:2.5")
>>> first_row, rows = plan.needed_rows(0, 100)
>>> top = plan.run_rows(image[rows], first_row, (0, 100)))");
}

/// The library's plan of a class over ImagePlan.
inline constexpr auto kPackedPlan = [](auto& plan) { return plan.packed_plan(); };

}  // namespace tessera::python
