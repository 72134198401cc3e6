// SPDX-License-Identifier: Apache-2.0
#include "python/cells_keywords.hpp"

#include <regex>

#include "python/options_python.hpp"
#include "tessera/cells_options.hpp"

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

// Names of files may contain dashes: only words that begin with two are options.
std::string with_keywords(const std::string& sentence) {
  static const std::regex option("(^|[ '(])--([a-z][a-z-]*[a-z])");
  std::string text;
  auto end = sentence.begin();
  for (auto found = std::sregex_iterator(sentence.begin(), sentence.end(), option);
       found != std::sregex_iterator(); ++found) {
    text.append(end, (*found)[0].first);
    text += (*found)[1].str() + python_name((*found)[2].str());
    end = (*found)[0].second;
  }
  return text.append(end, sentence.end());
}

}  // namespace tessera::python
