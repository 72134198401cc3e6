// SPDX-License-Identifier: Apache-2.0
#include "python/cell_film_keywords.hpp"

#include "python/array_checks.hpp"
#include "python/text.hpp"
#include "tessera/error.hpp"

namespace tessera::python {

void PythonValue<FileArgument>::take(const std::string& what, nb::handle given,
                                     FileArgument& value) {
  value.name = given.is_none() ? "" : path_text(what, given);
}

void PythonValue<VesselArgument>::take(const std::string& what, nb::handle given,
                                       VesselArgument& value) {
  if (given.is_none()) return;
  if (nb::isinstance<nb::str>(given)) {
    value.text = name_text(what, given);
    return;
  }
  if (nb::isinstance<nb::bytes>(given) || nb::hasattr(given.type(), "__fspath__")) {
    value.text = path_text(what, given);
    return;
  }
  const nb::object array = unmasked_array(what, given);
  const Array bytes = look_at(numpy("not_equal")(array, 0).attr("astype")("uint8"), what);
  if (bytes.shape.size() != 2)
    throw Error(ErrorKind::usage,
                what + " is " + shape_text(bytes.shape) +
                    "; it must be (rows, columns) as the frames are, and not 0 where cells count");
  value.mask = copy(view_of(what, bytes, find_axes(what, bytes.shape, {}, {}), true));
  value.text = kArrayName;
}

void PythonValue<FilmSlice>::take(const std::string& what, nb::handle given, FilmSlice& value) {
  value.maximum = nb::isinstance<nb::str>(given) && given.equal(nb::str("max"));
  if (value.maximum) return;
  const nb::object index = nb::isinstance<nb::bool_>(given) ? nb::object() : index_of(given);
  if (!index.is_valid() || !nb::try_cast(index, value.index))
    throw nb::type_error((what + " is " + shown_as_code(given) +
                          "; it must be the number of a slice, or \"max\" for all of them")
                             .c_str());
}

}  // namespace tessera::python
