// SPDX-License-Identifier: Apache-2.0
#include "python/cell_film_keywords.hpp"

#include "python/array_checks.hpp"
#include "python/text.hpp"
#include "tessera/error.hpp"

namespace tessera::python {
namespace {

/// A mask is small: CuPy's and torch's are copied from their device.
nb::object on_host(nb::handle given) {
  if (nb::hasattr(given, "__cuda_array_interface__"))
    for (const char* copies : {"get", "cpu"})
      if (nb::hasattr(given, copies)) return nb::getattr(given, copies)();
  return nb::borrow(given);
}

}  // namespace

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
  const nb::object array = unmasked_array(what, on_host(given));
  const std::string kind = shown(array.attr("dtype").attr("kind"));
  if (kind != "b" && kind != "i" && kind != "u" && kind != "f")
    throw nb::type_error((what + " has dtype " + shown(array.attr("dtype")) +
                          "; it must be bool or numbers, not 0 where cells count")
                             .c_str());
  const Array bytes = look_at(numpy("not_equal")(array, 0).attr("astype")("uint8"), what);
  const bool like_points = bytes.shape.size() == 2 && bytes.shape[1] == 2;
  if (bytes.shape.size() != 2 || like_points)
    throw Error(ErrorKind::usage,
                what + " is " + shape_text(bytes.shape) +
                    "; it must be (rows, columns) as the frames are, and not 0 where cells count" +
                    (like_points ? "; a polygon is text, 'X1,Y1 X2,Y2 X3,Y3' in pixels" : ""));
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
