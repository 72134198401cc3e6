// SPDX-License-Identifier: Apache-2.0
/// NumPy arrays for results.
#pragma once

#include <nanobind/nanobind.h>

namespace tessera::python {

/// As numpy.empty. Large ones lie in the library's pool of host memory, to which they return when
/// nobody uses them any more: the system hands out new memory page by page, cleared, which takes
/// longer than many filters.
nanobind::object fresh_array(const nanobind::tuple& shape, const nanobind::object& dtype);

}  // namespace tessera::python
