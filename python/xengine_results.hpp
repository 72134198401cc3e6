// SPDX-License-Identifier: Apache-2.0
/// Visibilities as arrays: their shapes, dtypes and counts.
#pragma once

#include "python/raw_arrays.hpp"
#include "tessera/xengine.hpp"

namespace tessera::python {

/// (channels, baselines, polarisations, polarisations), (channels, inputs, inputs) or, of
/// register-tile, (2, channels, values); integers have one more axis, of real and imaginary parts.
Shape visibility_shape(const XEngine& plan);
const char* visibility_dtype(const XEngine& plan);

/// `out`, if it is given and fits, or a new array of the family.
RawArray visibility_array(const XEngine& plan, nb::handle out, const Array& family);

/// The same values as complex numbers, complex128 of integers.
nb::object as_complex_array(const XEngine& plan, const RawArray& visibilities);

/// Samples in which both inputs of a value were valid, with a channel's axes; NumPy's int64.
nb::object counts_array(const XEngine& plan, const XEngineDump& dump);

/// (baselines, 2) of int32: antennas a and b, b <= a, in the order of visibilities.
nb::object baselines_array(int antennas);

}  // namespace tessera::python
