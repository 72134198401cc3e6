// SPDX-License-Identifier: Apache-2.0
/// Arrays of more dtypes and in both byte orders: bool, int8, int16, int32, uint32 and float16
/// besides those of look_at. Their elements become samples where rows are loaded, and samples
/// become such elements where they are stored.
#pragma once

#include <string>

#include "python/arrays.hpp"

namespace tessera::python {

/// As look_at, for all these dtypes. On a device only those of look_at work: TypeError.
Array look_at_numbers(nb::handle object, const std::string& what, ItemUse use);

/// The samples of an array of uint8 or uint16, the only ones that some operations take.
Array look_at_integers(nb::handle object, const std::string& what);

/// The samples of an array of a dtype that views show: uint8, uint16, float32 or float64, in either
/// byte order.
Array look_at_samples(nb::handle object, const std::string& what);

/// As expected_array.
Array expected_numbers(const std::string& operation, nb::handle shape, nb::handle dtype,
                       ItemUse use);

/// Throws ValueError if the value outside is NaN and the dtype has none: "erode: constant is nan,
/// which int16 does not have; …".
void check_constant(const std::string& what, const Array& like, Border border, double constant);

/// Whether a result is given as a dtype or its name, not as an array.
bool is_dtype(nb::handle output);

/// Whether a type wanted for a result is the array's own dtype, which results have anyway: as an
/// option it need not be a Type.
bool names_own_dtype(const Array& like, nb::handle wanted);

/// Whether two dtypes are the same except for the byte order.
bool same_dtype(const Items& a, const Items& b);

/// Throws ValueError: "erode: image is (3, 4) of float32; it must be (3, 4) of int16".
void check_numbers(const std::string& what, const Array& array, const Shape& shape,
                   const Items& items);

/// As result_array, for elements that need not be samples, in either byte order.
Array result_of_numbers(const std::string& what, nb::handle out, const Array& input,
                        const Shape& shape, const Items& items);

/// The elements of an array in host memory, as view_of shows samples.
ItemView item_view_of(const std::string& what, const Array& array, const Axes& axes, bool planar);

/// Rows of a plan's result from a piece of an image, of such elements. The views begin with rows
/// `first_in` and `first_out` of the whole.
void run_item_rows(const RowsPlan& plan, const ItemView& in, int first_in, const ItemView& out,
                   int first_out, Stream& stream);

/// The array itself if views can show it, else a copy of its samples, made by all threads; on a
/// device by the array's library.
Array as_samples(const std::string& what, const Array& array);

/// The samples of an array of these dtypes, on a device too, for operations that take the whole
/// image at once.
Array look_at_values(nb::handle object, const std::string& what);

}  // namespace tessera::python
