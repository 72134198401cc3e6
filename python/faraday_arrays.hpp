// SPDX-License-Identifier: Apache-2.0
/// Arrays of faraday: cubes with one axis of frequencies or depths, and complex spectra, which are
/// looked at as their real and their imaginary part, in place.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <string>
#include <vector>

#include "python/arrays.hpp"
#include "python/options_python.hpp"
#include "tessera/plan.hpp"

namespace tessera::python {

/// How an operation on cubes runs, besides its own options.
struct CubeRunOptions : HostOptions {
  int axis = 0;

  static constexpr auto fields() {
    return std::tuple_cat(
        std::tuple{field("axis", &CubeRunOptions::axis,
                         "the axis of frequencies and depths; the others count pixels")},
        HostOptions::fields());
  }
};

/// (n,), (n, columns) or (n, rows, columns), with `axis` where n is: planes along it.
AnyMutableView cube_view(const std::string& what, const Array& array, int axis);
/// One plane, (rows, columns) or less, as the pixels of such cubes.
AnyMutableView plane_view(const std::string& what, const Array& array);

/// The shape with another extent along the axis, and without the axis.
Shape with_extent(Shape shape, int axis, long long extent);
Shape without_axis(Shape shape, int axis);

/// A complex array, which comes back to the caller, and views of its parts.
struct ComplexArray {
  nb::object object;
  Array real, imaginary;
};
/// TypeError names the dtype and those that work.
ComplexArray look_at_complex(nb::handle given, const std::string& what, bool for_result = false);
/// A new array of the given one's library, on the same device; complex64 for f32, complex128 for
/// f64.
ComplexArray make_complex_like(const Array& array, const Shape& shape, Type type);
/// `out`, when it is given and fits, or a new one.
ComplexArray complex_result(const std::string& what, nb::handle out, const Array& like,
                            const Shape& shape);

/// A part of complex spectra that are still to come. TypeError names the dtype and those that work.
Array expected_part(const std::string& what, nb::handle shape, nb::handle dtype);

/// Runs work on the stream of the arrays' library, or in host memory, without the interpreter's
/// lock; the first array says where. `operation` is named in messages.
void run_on_arrays(const std::vector<const Array*>& arrays, const Plan& plan,
                   const HostOptions& run, const std::function<void(Stream&)>& work,
                   const std::string& operation = "faraday");

/// One dimension of numbers; lists and the like work. TypeError names `what`.
std::vector<double> numbers(const std::string& what, nb::handle given);
/// A NumPy array of its own.
nb::object to_numpy(const std::vector<double>& values);

}  // namespace tessera::python
