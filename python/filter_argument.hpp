// SPDX-License-Identifier: Apache-2.0
/// Filters as Python gives them: arrays, lists and names.
#pragma once

#include <string>

#include "python/arrays.hpp"
#include "tessera/image.hpp"

namespace tessera::python {

/// The weights as an f64 image. Arrays on a device are fetched.
Image filter_argument(const std::string& what, nb::handle filter);

}  // namespace tessera::python
