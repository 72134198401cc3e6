// SPDX-License-Identifier: Apache-2.0
#include "python/noise_arguments.hpp"

#include <nanobind/stl/string.h>

#include <limits>

#include "python/raw_arrays.hpp"
#include "python/text.hpp"
#include "tessera/error.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

[[noreturn]] void throw_type(const std::string& text) { throw nb::type_error(text.c_str()); }

nb::object numpy_ma(const char* name) {
  return nb::module_::import_("numpy").attr("ma").attr(name);
}

bool is_masked_array(nb::handle image) { return nb::isinstance(image, numpy_ma("MaskedArray")); }

/// NaN lives in floats alone.
const char* blank_dtype(Type type) { return type == Type::f64 ? "float64" : "float32"; }

RawArray checked_mask(const std::string& what, nb::handle mask, const Array& image) {
  const RawArray raw = look_at_raw(mask, what);
  if (raw.dtype != "bool")
    throw_type(what + " has dtype " + raw.dtype + "; it must be bool, True where a pixel is blank");
  if (raw.shape != image.shape)
    throw Error(ErrorKind::usage, what + " has shape " + shape_text(raw.shape) +
                                      "; the image has " + shape_text(image.shape));
  if (raw.device != kHost && raw.device != image.device)
    throw Error(ErrorKind::usage, what + " lies on device " + std::to_string(raw.device) +
                                      "; it must lie where the image lies, or in host memory");
  return raw;
}

nb::object blanked_on_torch(const Array& image, nb::handle mask) {
  const nb::module_ torch = nb::module_::import_("torch");
  const nb::object there =
      torch.attr("as_tensor")(mask, "device"_a = nb::getattr(image.object, "device"));
  return image.object.attr("to")(nb::getattr(torch, blank_dtype(image.type)))
      .attr("masked_fill")(there, std::numeric_limits<double>::quiet_NaN());
}

/// NumPy's and CuPy's arrays are filled alike.
nb::object blanked_on(const nb::module_& library, const Array& image, nb::handle mask) {
  nb::object copy = library.attr("array")(image.object, "dtype"_a = blank_dtype(image.type));
  copy[library.attr("asarray")(mask)] = std::numeric_limits<double>::quiet_NaN();
  return copy;
}

nb::object blanked_object(const std::string& what, const Array& image, const RawArray& mask) {
  if (image.library == Library::torch) return blanked_on_torch(image, mask.object);
  if (image.library == Library::cupy) {
    const CupyDevice current(image.device);
    return blanked_on(nb::module_::import_("cupy"), image, mask.object);
  }
  if (image.device != kHost)
    throw_type(what + " works with arrays of NumPy, CuPy and torch; make such a one of the image");
  const nb::module_ numpy = nb::module_::import_("numpy");
  if (image.library == Library::numpy) return blanked_on(numpy, image, mask.object);
  return blanked_on(numpy, look_at(numpy.attr("from_dlpack")(image.object), what), mask.object);
}

}  // namespace

void window_from_python(const std::string& what, nb::handle given, bool line, int rows,
                        NoiseBox& box) {
  const bool sequence = nb::isinstance<nb::sequence>(given) && !nb::isinstance<nb::str>(given);
  const bool one = line && (sequence ? nb::len(given) == 1 : PyIndex_Check(given.ptr()) != 0);
  if (!one) return from_python(what, given, box);
  from_python(what, sequence ? nb::object(given[0]) : nb::borrow(given), box.width);
  box.height = rows;
}

std::string PythonValue<NoiseBox>::text(NoiseBox box) {
  if (box.width == box.height) return to_text(box.width);
  return "(" + to_text(box.height) + ", " + to_text(box.width) + ")";
}

void PythonValue<NoiseBox>::take(const std::string& what, nb::handle given, NoiseBox& box) {
  if (PyIndex_Check(given.ptr()) && !nb::isinstance<nb::bool_>(given)) {
    from_python(what, given, box.height);
    box.width = box.height;
    return;
  }
  if (!nb::isinstance<nb::sequence>(given) || nb::isinstance<nb::str>(given) || nb::len(given) != 2)
    throw_type(what + " is " + shown_as_code(given) +
               "; it must be a whole number or (rows, columns)");
  from_python(what, given[0], box.height);
  from_python(what, given[1], box.width);
}

std::string PythonValue<NoiseQuantiles>::text(const NoiseQuantiles& quantiles) {
  std::string list;
  for (const double order : quantiles.orders) list += (list.empty() ? "" : ", ") + to_text(order);
  return list.empty() ? "None" : "[" + list + "]";
}

void PythonValue<NoiseQuantiles>::take(const std::string& what, nb::handle given,
                                       NoiseQuantiles& quantiles) {
  quantiles.orders.clear();
  if (given.is_none()) return;
  if (PyFloat_Check(given.ptr()) || PyLong_Check(given.ptr()))
    return from_python(what, given, quantiles.orders.emplace_back());
  if (nb::isinstance<nb::str>(given) || !nb::isinstance<nb::iterable>(given))
    throw_type(what + " is " + shown_as_code(given) +
               "; it must be a number or several, each 0 to 1");
  for (const nb::handle order : given) from_python(what, order, quantiles.orders.emplace_back());
}

void check_two_axes(const std::string& what, const Array& array) {
  if (array.shape.size() == 2) return;
  throw Error(ErrorKind::usage,
              what + " has shape " + shape_text(array.shape) + "; it must be (rows, columns)");
}

void check_planes(const std::string& what, const Array& array) {
  if (array.shape.size() >= 2) return;
  throw Error(ErrorKind::usage, what + " has shape " + shape_text(array.shape) +
                                    "; it must be (rows, columns), or (planes, rows, columns)");
}

long long count_planes(const Shape& shape) {
  long long planes = 1;
  for (std::size_t axis = 0; axis + 2 < shape.size(); ++axis) planes *= shape[axis];
  return planes;
}

std::vector<long long> plane_index(const Shape& shape, long long plane) {
  std::vector<long long> index(shape.size() - 2);
  for (std::size_t axis = index.size(); axis-- > 0;) {
    index[axis] = plane % shape[axis];
    plane /= shape[axis];
  }
  return index;
}

Array part_at(const Array& array, const std::vector<long long>& index, std::size_t first) {
  if (index.empty()) return array;
  Array part = array;
  part.shape.erase(part.shape.begin() + first, part.shape.begin() + first + index.size());
  part.steps.erase(part.steps.begin() + first, part.steps.begin() + first + index.size());
  long long offset = 0;
  for (std::size_t axis = 0; axis < index.size(); ++axis)
    offset += index[axis] * array.steps[first + axis];
  if (array.data) part.data = static_cast<unsigned char*>(array.data) + offset * array.items.bytes;
  if (array.device == kHost || array.library == Library::other) return part;
  nb::list places;
  for (std::size_t axis = 0; axis < first; ++axis)
    places.append(nb::slice(nb::none(), nb::none(), nb::none()));
  for (const long long place : index) places.append(nb::int_(place));
  part.object = array.object[nb::tuple(places)];
  return part;
}

void refuse_masked(const std::string& what, nb::handle image) {
  if (is_masked_array(image))
    throw_type(what +
               " is a masked array, whose mask has no place here; give image.filled(numpy.nan) of "
               "floats: NaN do not count");
}

MaskedImage::MaskedImage(nb::handle given, nb::handle mask) : image(nb::borrow(given)) {
  if (is_masked_array(given)) {
    image = numpy_ma("getdata")(given);
    const nb::object own = numpy_ma("getmaskarray")(given);
    if (PyObject_IsTrue(nb::object(own.attr("any")()).ptr()) == 1) masks.push_back(own);
  }
  if (!mask.is_none()) masks.push_back(nb::borrow(mask));
}

Array blanked(const std::string& operation, Array image, const std::vector<nb::object>& masks) {
  const std::string what = operation + ": mask";
  for (const nb::object& mask : masks)
    image = look_at(blanked_object(what, image, checked_mask(what, mask, image)),
                    operation + ": image");
  return image;
}

}  // namespace tessera::python
