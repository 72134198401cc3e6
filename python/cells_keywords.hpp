// SPDX-License-Identifier: Apache-2.0
/// Parts that the functions for cells share: which options were given, frames.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "python/arrays.hpp"

namespace tessera::python {

/// Names of the options of cells among the keywords, as they are spelt elsewhere; None is not
/// given.
std::vector<std::string> cells_options_in(const nb::kwargs& given);

/// (rows, columns), or (frames, rows, columns) if the array is a film.
AnyView frames_of(const std::string& what, const Array& array, bool film);

}  // namespace tessera::python
