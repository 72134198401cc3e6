// SPDX-License-Identifier: Apache-2.0
/// Boxes, quantiles and masks of noise as Python gives them.
#pragma once

#include <string>
#include <vector>

#include "python/arrays.hpp"
#include "python/options_python.hpp"
#include "tessera/noise_options.hpp"

namespace tessera::python {

/// 64 or (rows, columns).
template <>
struct PythonValue<NoiseBox> {
  static constexpr const char* kType = "int | tuple[int, int]";
  static std::string text(NoiseBox box);
  static void take(const std::string& what, nb::handle given, NoiseBox& box);
};

/// The same for images of one axis if `line`: a number, or (columns,), means one row of `rows`, and
/// (rows, columns) is taken too.
void window_from_python(const std::string& what, nb::handle given, bool line, int rows,
                        NoiseBox& box);

/// A number or several.
template <>
struct PythonValue<NoiseQuantiles> {
  static constexpr const char* kType = "float | collections.abc.Sequence[float] | None";
  static std::string text(const NoiseQuantiles& quantiles);
  static void take(const std::string& what, nb::handle given, NoiseQuantiles& quantiles);
};

/// Throws ValueError: "noise: image has shape (9,); it must be (rows, columns)".
void check_two_axes(const std::string& what, const Array& array);
/// Throws ValueError for fewer axes than (rows, columns).
void check_planes(const std::string& what, const Array& array);
/// The planes of a shape (…, rows, columns), and where one of them lies along the axes before.
long long count_planes(const Shape& shape);
std::vector<long long> plane_index(const Shape& shape, long long plane);
/// The part of an array at an index along the axes from `first` on, without a copy. On a device its
/// object is that part too, because grids are drawn on the host and copied by the array's library.
Array part_at(const Array& array, const std::vector<long long>& index, std::size_t first);

/// Throws TypeError, with what would be right, for numpy.ma's arrays where there is no mask.
void refuse_masked(const std::string& what, nb::handle image);

/// An image and its masks: one that is given, and that of numpy.ma's arrays.
struct MaskedImage {
  nb::object image;
  std::vector<nb::object> masks;

  /// `mask` may be None.
  MaskedImage(nb::handle given, nb::handle mask);
};

/// The image with NaN where a mask is true; a copy, float32 for integers, of the image's library
/// and on its device. `operation` is named in messages.
Array blanked(const std::string& operation, Array image, const std::vector<nb::object>& masks);

}  // namespace tessera::python
