// SPDX-License-Identifier: Apache-2.0
/// Parts that the functions for cells share: which options were given, frames, words of messages.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "python/arrays.hpp"
#include "tessera/error.hpp"

namespace tessera::python {

/// Names of the options of cells among the keywords, as they are spelt elsewhere; None is not
/// given.
std::vector<std::string> cells_options_in(const nb::kwargs& given);

/// (rows, columns), or (frames, rows, columns) if the array is a film.
AnyView frames_of(const std::string& what, const Array& array, bool film);

/// "--um-per-pixel" in sentences of jobs, which commands print, becomes "um_per_pixel".
std::string with_keywords(const std::string& sentence);

/// Calls `work`; options in its errors are named as keywords.
template <class Work>
auto naming_keywords(const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.kind(), with_keywords(error.what()));
  }
}

}  // namespace tessera::python
