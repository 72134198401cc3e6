// SPDX-License-Identifier: Apache-2.0
/// Filters as Python gives them: arrays, lists and names; and the list of names.
#pragma once

#include <string>
#include <vector>

#include "python/arrays.hpp"
#include "tessera/filters.hpp"
#include "tessera/image.hpp"

namespace tessera::python {

/// The weights as an f64 image. `axes` of the image are filtered: the weights of a line (1) have
/// one axis, or one row; those of a volume (3) have three, and planes come first. Arrays on a
/// device are fetched.
Image filter_argument(const std::string& what, nb::handle filter, int axes = 2);

/// Throws ValueError if the weights of a line have more than one row, or if those of a volume have
/// a name, because these have one plane.
Image named_weights(const std::string& what, Image weights, int axes);

/// Whether an argument is an array of three axes.
bool has_three_axes(nb::handle weights);

/// The filter or element of a text. Those of names are kept, because a call on a small image takes
/// less time than making them; files are read every time. The interpreter's lock guards it.
Image loaded_once(const std::string& text, Image (*load)(const std::string&));

/// Pairs of form and help.
nb::list usage_list(const std::vector<FilterUsage>& usages);

}  // namespace tessera::python
