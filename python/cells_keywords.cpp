// SPDX-License-Identifier: Apache-2.0
#include "python/cells_keywords.hpp"

#include "python/options_python.hpp"
#include "tessera/cells_options.hpp"
#include "tessera/error.hpp"

namespace tessera::python {

std::vector<std::string> cells_options_in(const nb::kwargs& given) {
  std::vector<std::string> names;
  CellsOptions options;
  for_each_option(options, [&](const char* name, auto&, const Help&) {
    const std::string keyword = python_name(name);
    if (given.contains(keyword.c_str()) && !given[keyword.c_str()].is_none())
      names.emplace_back(name);
  });
  return names;
}

AnyView frames_of(const std::string& what, const Array& array, bool film) {
  if (array.shape.size() != (film ? 3U : 2U))
    throw Error(ErrorKind::usage, what + " is " + shape_text(array.shape) + "; it must be " +
                                      (film ? "(frames, rows, columns)" : "(rows, columns)") +
                                      ", and grey: see tessera.grey");
  const Axes axes =
      find_axes(what, array.shape, std::nullopt, film ? std::optional(0) : std::nullopt);
  return view_of(what, array, axes, true);
}

}  // namespace tessera::python
