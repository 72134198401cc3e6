// SPDX-License-Identifier: Apache-2.0
#include "python/enhance_sweeps_python.hpp"

#include <algorithm>
#include <span>

#include "jobs/enhance/enhance_job.hpp"
#include "python/doors.hpp"
#include "python/enhance_steps.hpp"
#include "python/filter_argument.hpp"
#include "python/raw_arrays.hpp"
#include "python/row_calls.hpp"
#include "python/text.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

Image weights_argument(const std::string& operation, nb::handle weights) {
  if (weights.is_none()) return {};
  if (nb::isinstance<nb::str>(weights))
    return load_smoothing(name_text(operation + ": weights", weights));
  return filter_argument(operation + ": weights", weights);
}

nb::object counts_array(const std::vector<std::uint64_t>& counts) {
  const nb::object array = numpy("empty")(counts.size(), "dtype"_a = "uint64");
  std::ranges::copy(counts, static_cast<std::uint64_t*>(look_at_raw(array, "counts").data));
  return array;
}

/// Those of an array, which `use` may read while the array exists.
template <class Use>
void with_counts(nb::handle given, Use use) {
  const nb::object array = numpy("ascontiguousarray")(given, "dtype"_a = "uint64");
  const RawArray raw = look_at_raw(array, "enhance: counts");
  if (raw.shape.size() != 1) throw_usage("enhance: counts are arrays of one axis");
  use(std::span(static_cast<const std::uint64_t*>(raw.data),
                static_cast<std::size_t>(raw.shape[0])));
}

}  // namespace

/// A piece as the plan sees it, its channels side by side.
struct EnhancePlan::ColourPiece {
  Array image;
  Piece piece;
  ColourPiece(const EnhancePlan& plan, nb::handle given, int first_row) {
    Axes axes = plan.axes();
    image = with_channels_last(plan.image_name(),
                               as_samples(plan.image_name(), plan.piece_of(given)), axes);
    piece = {view_of(plan.image_name(), image, axes, false), first_row};
  }
};

EnhancePlan::EnhancePlan(const std::string& operation, const Array& like, const EnhanceOptions& own,
                         const RunOptions& run, nb::handle weights)
    : ImagePlan(
          operation, like, with_colours(run, like.shape),
          [own, image = weights_argument(operation, weights)](const ImageInfo& info) {
            return kept_plan<Enhance>(info, own, image ? AnyView(image.view()) : AnyView());
          },
          Channels::colours) {}

EnhanceState EnhancePlan::state_of(const Enhance& plan, const Found& found) const {
  EnhanceState state = plan.start();
  for (const nb::object& counts : found) {
    with_counts(counts, [&](auto numbers) { plan.add_counts(state, numbers); });
    plan.finish_sweep(state);
  }
  return state;
}

nb::object EnhancePlan::look(nb::handle given, int first_row, Rows rows, const Found& found) {
  const Enhance plan = packed_plan();
  const ColourPiece in(*this, given, first_row);
  EnhanceState state = state_of(plan, found);
  with_stream(plan, [&](Stream& stream) { plan.look(state, in.piece, rows, stream); });
  return counts_array(state.counts());
}

nb::object EnhancePlan::add_counts(const std::vector<nb::object>& counts, const Found& found) {
  const Enhance plan = packed_plan();
  EnhanceState state = state_of(plan, found);
  for (const nb::object& one : counts)
    with_counts(one, [&](auto numbers) { plan.add_counts(state, numbers); });
  return counts_array(state.counts());
}

nb::object EnhancePlan::run_rows(nb::handle given, int first_row, Rows wanted, const Found& found) {
  const Enhance plan = packed_plan();
  const ColourPiece in(*this, given, first_row);
  const EnhanceState state = state_of(plan, found);
  const Array result =
      make_with_channels_adjacent(in.image, shape_of_rows(wanted), result_type(), result_axes());
  const MutablePiece out{view_of(image_name(), result, result_axes(), false), wanted.first};
  with_stream(plan, [&](Stream& stream) { plan(state, in.piece, out, stream); });
  return result.object;
}

void add_enhance_rows(nb::class_<EnhancePlan>& plan) {
  using P = EnhancePlan;
  add_choice(plan, kPackedPlan);
  plan.def_prop_ro(
          "sweeps", [](P& self) { return self.packed_plan().sweeps(); },
          nb::sig("def sweeps(self) -> int"),
          "how often the image is looked at before rows can be made")
      .def(
          "needed_rows",
          [](P& self, int first, int end, std::optional<int> sweep) {
            const Enhance rows = self.packed_plan();
            const Rows out{first, end};
            return rows_of_piece(rows, sweep ? rows.look_needs(*sweep, out) : rows.needs(out));
          },
          "first"_a, "end"_a, "sweep"_a = nb::none(),
          nb::sig("def needed_rows(self, first: int, end: int, sweep: int | None = None) -> "
                  "tuple[int, list[int]]"),
          kNeededRows)
      .def(
          "look",
          [](P& self, nb::handle piece, int first_row, std::pair<int, int> rows,
             const P::Found& found) {
            return self.look(piece, first_row, {rows.first, rows.second}, found);
          },
          "piece"_a, "first_row"_a, "rows"_a, "found"_a,
          nb::sig("def look(self, piece: typing.Any, first_row: int, rows: tuple[int, int], "
                  "found: collections.abc.Sequence[typing.Any]) -> "
                  "numpy.typing.NDArray[numpy.uint64]"),
          R"(Looks at some rows of the image in the next sweep and gives its counts; `found` are the counts of the
sweeps before it, each of the whole image. The piece holds the rows that needed_rows names for the
sweep.

>>> plan = tessera.Enhance(scan.shape, scan.dtype)
>>> found = []
>>> for sweep in range(plan.sweeps):
...     rows = [(0, 50), (50, len(scan))]
...     counts = [plan.look(scan[first:end], first, (first, end), found) for first, end in rows]
...     found.append(plan.add_counts(counts, found))
>>> first_row, rows = plan.needed_rows(0, 50)
>>> top = plan.run_rows(scan[rows], first_row, (0, 50), found))")
      .def(
          "add_counts",
          [](P& self, const std::vector<nb::object>& counts, const P::Found& found) {
            return self.add_counts(counts, found);
          },
          "counts"_a, "found"_a,
          nb::sig("def add_counts(self, counts: collections.abc.Sequence[typing.Any], "
                  "found: collections.abc.Sequence[typing.Any]) -> "
                  "numpy.typing.NDArray[numpy.uint64]"),
          "Counts of several pieces in the sweep after `found`, together; in any order.")
      .def(
          "run_rows",
          [](P& self, nb::handle piece, int first_row, std::pair<int, int> rows,
             const P::Found& found) {
            return self.run_rows(piece, first_row, {rows.first, rows.second}, found);
          },
          "piece"_a, "first_row"_a, "rows"_a, "found"_a,
          nb::sig("def run_rows(self, piece: typing.Any, first_row: int, rows: tuple[int, int], "
                  "found: collections.abc.Sequence[typing.Any]) -> typing.Any"),
          R"(Some rows of the result, (first, end), after all sweeps, from a C-contiguous piece of the image whose
first row is row `first_row` of it: the same bytes as in a call for the whole image.)");
}

}  // namespace tessera::python
