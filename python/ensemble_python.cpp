// SPDX-License-Identifier: Apache-2.0
#include "jobs/correlate/ensemble.hpp"

#include <nanobind/nanobind.h>

#include "python/array_checks.hpp"
#include "python/doors.hpp"
#include "python/faraday_arrays.hpp"
#include "tessera/error.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

constexpr const char* kEnsemble =
    R"(Means and standard errors of the values of many images, such as maps of correlate, as
`tessera correlate` makes them for a list of images: images are added in blocks of eight places of the list,
and the blocks in their order, so that a list has the same result however it is shared.

>>> ensemble = tessera.Ensemble()
>>> for place, photo in enumerate(photos):
...     ensemble.add(place, tessera.correlate(photo, max_shift=32))
>>> mean = ensemble.means.reshape(32, 32)

A block may be made elsewhere: an Ensemble of its eight images, which joins those before it.)";

nb::tuple state_of(const Moments& moments) {
  return nb::make_tuple(moments.images, to_numpy(moments.means), to_numpy(moments.squares));
}
Moments moments_of(const nb::tuple& state) {
  return {nb::cast<int>(state[0]), numbers("Ensemble", state[1]), numbers("Ensemble", state[2])};
}

void add(Ensemble& self, long long place, nb::handle given) {
  const char* const what = "Ensemble: values";
  const nb::object flat = unmasked_array(what, given, "float64").attr("ravel")();
  const std::vector<double> values = numbers(what, flat);
  const std::size_t own = std::max(self.whole().means.size(), self.open().means.size());
  if (self.images() > 0 && values.size() != own)
    throw_usage("Ensemble: an image has " + std::to_string(values.size()) +
                " values and those before it " + std::to_string(own) + "; give as many");
  if (place < 0 || (self.images() > 0 && place <= self.last()))
    throw_usage("Ensemble: an image has place " + std::to_string(place) + " after that of place " +
                std::to_string(self.last()) + "; places ascend from 0");
  self.add(place, values);
}

void join(Ensemble& self, const Ensemble& block) {
  if (block.images() == 0) return;
  if (block.whole().images > 0)
    throw_usage(
        "Ensemble: the other one has images of more than one block of eight; join blocks "
        "one after the other");
  if (self.images() > 0 && block.last() / Ensemble::kBlock <= self.last() / Ensemble::kBlock)
    throw_usage("Ensemble: the block of place " + std::to_string(block.last()) +
                " joins that of place " + std::to_string(self.last()) +
                "; join blocks in their order");
  self.add_block(block.last(), block.open());
}

}  // namespace

void add_ensemble(nb::module_& module) {
  using E = Ensemble;
  nb::class_<E>(module, "Ensemble", kEnsemble)
      .def(nb::init<>(), nb::sig("def __init__(self) -> None"))
      .def("add", add, "place"_a, "values"_a,
           nb::sig("def add(self, place: int, values: numpy.typing.ArrayLike) -> None"),
           "Adds the values of the image at this place of the list, counted from 0. Places ascend; "
           "those of images\nwithout values are left out.")
      .def("join", join, "block"_a, nb::sig("def join(self, block: Ensemble) -> None"),
           "Adds the images of the next block, an Ensemble of its own.")
      .def_prop_ro("images", &E::images, "how many were added")
      .def_prop_ro(
          "means", [](const E& self) { return to_numpy(self.all().means); },
          nb::sig("def means(self) -> numpy.typing.NDArray[numpy.float64]"), "of every value")
      .def_prop_ro(
          "standard_errors", [](const E& self) { return to_numpy(self.all().standard_errors()); },
          nb::sig("def standard_errors(self) -> numpy.typing.NDArray[numpy.float64]"),
          "of the means: the standard deviation over the root of the number of images; NaN for one")
      .def(
          "__getstate__",
          [](const E& self) {
            return nb::make_tuple(state_of(self.whole()), state_of(self.open()), self.last());
          },
          nb::sig("def __getstate__(self) -> tuple[typing.Any, ...]"))
      .def(
          "__setstate__",
          [](E& self, const nb::tuple& state) {
            new (&self) E(moments_of(nb::tuple(state[0])), moments_of(nb::tuple(state[1])),
                          nb::cast<long long>(state[2]));
          },
          nb::sig("def __setstate__(self, state: tuple[typing.Any, ...]) -> None"));
}

}  // namespace tessera::python
