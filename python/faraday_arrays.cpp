// SPDX-License-Identifier: Apache-2.0
#include "python/faraday_arrays.hpp"

#include <nanobind/stl/string.h>

#include <climits>

#include "python/array_checks.hpp"
#include "python/long_call.hpp"
#include "python/text.hpp"
#include "tessera/error.hpp"

namespace tessera::python {
namespace {

using namespace nb::literals;

int checked_axis(const std::string& what, long long extent) {
  if (extent > INT_MAX)
    throw_usage(what + " has an axis of " + std::to_string(extent) + "; it can have " +
                std::to_string(INT_MAX) + " at most");
  return static_cast<int>(extent);
}

/// The axis, counted from the front.
int front_axis(const std::string& what, const Shape& shape, int axis) {
  const int axes = static_cast<int>(shape.size());
  if (axes < 1 || axes > 3)
    throw_usage(what + " has shape " + shape_text(shape) +
                "; it must have one to three axes: frequencies or depths, rows, columns");
  if (axis < -axes || axis >= axes)
    throw_usage(what + " has shape " + shape_text(shape) + "; axis " + std::to_string(axis) +
                " must be between " + std::to_string(-axes) + " and " + std::to_string(axes - 1));
  return axis < 0 ? axis + axes : axis;
}

/// Rows and columns: what is left of the axes; those that lack are 1 long.
AnyMutableView pixels_view(const std::string& what, const Array& array, std::vector<int> axes) {
  AnyMutableView view;
  view.data = array.data;
  view.type = array.type;
  view.device = array.device;
  view.size = {1, 1, 1, 1};
  if (!axes.empty()) {
    view.size.width = checked_axis(what, array.shape[axes.back()]);
    view.pixel = array.steps[axes.back()];
  }
  if (axes.size() == 2) {
    view.size.height = checked_axis(what, array.shape[axes.front()]);
    view.row = array.steps[axes.front()];
  }
  return view;
}

nb::object as_array(const std::string& what, nb::handle given) {
  if (nb::hasattr(given, "real") && nb::hasattr(given, "shape")) return nb::borrow(given);
  return unmasked_array(what, given);
}

}  // namespace

AnyMutableView cube_view(const std::string& what, const Array& array, int given_axis) {
  const int axis = front_axis(what, array.shape, given_axis);
  std::vector<int> rest;
  for (int i = 0; i < static_cast<int>(array.shape.size()); ++i)
    if (i != axis) rest.push_back(i);
  AnyMutableView view = pixels_view(what, array, rest);
  view.size.planes = checked_axis(what, array.shape[axis]);
  view.plane = array.steps[axis];
  return view;
}

AnyMutableView plane_view(const std::string& what, const Array& array) {
  if (array.shape.size() > 2)
    throw_usage(what + " has shape " + shape_text(array.shape) +
                "; it must have one value per pixel");
  std::vector<int> axes;
  for (std::size_t i = 0; i < array.shape.size(); ++i) axes.push_back(static_cast<int>(i));
  return pixels_view(what, array, axes);
}

Shape with_extent(Shape shape, int axis, long long extent) {
  shape[front_axis("array", shape, axis)] = extent;
  return shape;
}

Shape without_axis(Shape shape, int axis) {
  shape.erase(shape.begin() + front_axis("array", shape, axis));
  return shape;
}

ComplexArray look_at_complex(nb::handle given, const std::string& what, bool for_result) {
  if (for_result && !nb::hasattr(given, "real"))
    throw nb::type_error((what + " must be an array that can be written").c_str());
  nb::object array = resolved(as_array(what, given), what, for_result);
  if (!for_result) array = in_native_order(array);
  const nb::object kind = array.attr("dtype");
  const std::string dtype = shown(kind);
  if (dtype.find("complex64") == dtype.npos && dtype.find("complex128") == dtype.npos)
    throw nb::type_error((what + " has dtype " + dtype +
                          "; complex64 and complex128 in this machine's byte order work")
                             .c_str());
  return {array, look_at(array.attr("real"), what, for_result),
          look_at(array.attr("imag"), what, for_result)};
}

ComplexArray make_complex_like(const Array& array, const Shape& shape, Type type) {
  return look_at_complex(make_empty(array, shape, type == Type::f64 ? "complex128" : "complex64"),
                         "result", true);
}

ComplexArray complex_result(const std::string& what, nb::handle out, const Array& like,
                            const Shape& shape) {
  if (out.is_none()) return make_complex_like(like, shape, like.type);
  const ComplexArray result = look_at_complex(out, what, true);
  check_array(what, result.real, shape, like.type);
  if (!result.real.writable) throw_usage(what + " is read-only; give one that can be written");
  return result;
}

Array expected_part(const std::string& what, nb::handle shape, nb::handle dtype) {
  const std::string name = shown(numpy("dtype")(dtype).attr("name"));
  if (name != "complex64" && name != "complex128")
    throw nb::type_error(
        (what + " has dtype " + name + "; it can be complex64 or complex128").c_str());
  return expected_array(what.substr(0, what.find(':')), shape,
                        nb::str(name == "complex64" ? "float32" : "float64"));
}

void run_on_arrays(const std::vector<const Array*>& arrays, const Plan& plan,
                   const HostOptions& run, const std::function<void(Stream&)>& work,
                   const std::string& operation) {
  const Array& first = *arrays.front();
  if (first.device == kHost) {
    const LongCall unlocked;
    const bool own = run.threads != 0 || run.memory_limit != 0;
    Stream stream = own ? Stream(plan.device(), run.threads,
                                 run.memory_bytes())
                        : thread_stream(plan);  // which keeps its memory between calls
    work(stream);
    return stream.wait();
  }
  // Work on arrays that are there takes no strips whose memory could be limited, and no threads.
  if (run.threads != 0 || run.memory_limit != 0)
    throw_usage(operation +
                ": threads and memory_limit are for arrays in host memory, and these lie on "
                "device " +
                std::to_string(first.device) + "; leave them out");
  Stream stream = library_stream(first);
  bool one_library = first.library != Library::other;
  for (const Array* array : arrays)
    if (array->library != first.library && array->device != kHost) {
      stream.after(library_stream(*array));
      one_library = false;
    }
  const LongCall unlocked;
  work(stream);
  // Arrays of one library are used on its stream, in order; others could not know it.
  if (!one_library) stream.wait();
}

std::vector<double> numbers(const std::string& what, nb::handle given) {
  const Array array = look_at(numpy("atleast_1d")(unmasked_array(what, given, "float64")), what);
  if (array.shape.size() != 1)
    throw_usage(what + " has shape " + shape_text(array.shape) + "; it must have one axis");
  std::vector<double> values;
  for (long long i = 0; i < array.shape[0]; ++i)
    values.push_back(static_cast<const double*>(array.data)[i * array.steps[0]]);
  return values;
}

nb::object to_numpy(const std::vector<double>& values) {
  Array host;
  const Array array = make_like(host, {static_cast<long long>(values.size())}, Type::f64);
  std::copy(values.begin(), values.end(), static_cast<double*>(array.data));
  return array.object;
}

}  // namespace tessera::python
