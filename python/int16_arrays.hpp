// SPDX-License-Identifier: Apache-2.0
/// int16, which cameras and microscopes give, as float32, which holds all its values.
#pragma once

#include <nanobind/nanobind.h>

namespace tessera::python {

/// A copy in float32 of an array of int16, of the same library; any other object as it is.
nanobind::object without_int16(nanobind::handle object);

/// float32 for int16; any other dtype as it is.
nanobind::object dtype_without_int16(nanobind::handle dtype);

}  // namespace tessera::python
