// SPDX-License-Identifier: Apache-2.0
/// Parts that the functions which make samples share.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "python/faraday_arrays.hpp"
#include "python/options_python.hpp"

namespace tessera::python {

/// How samples of floats are made, besides their own options.
struct SampleRunOptions {
  Type type = Type::f32;
  int threads = 0;

  static constexpr auto fields(const char* types = "float32 or float64") {
    using R = SampleRunOptions;
    return std::tuple{field("dtype", &R::type, types),
                      field("threads", &R::threads,
                            "CPU threads; 0: as many as the environment allows", Range{0})};
  }
};

/// Adds NAME(width, height, seed, *, options), which calls `make` with a filled Options and Run.
template <class Options, class Run, class Make>
void add_sample(nb::module_& module, const char* name, int width, int height, const char* result,
                const std::string& about, Make make) {
  module.def(
      name,
      [name, make](int columns, int rows, unsigned long long seed, const nb::kwargs& keywords) {
        Options options;
        Run run;
        take_options(name, keywords, options, run);
        return make(Size{columns, rows}, seed, options, run);
      },
      nb::arg("width") = width, nb::arg("height") = height, nb::arg("seed") = 1, nb::arg("options"),
      nb::sig(kept("def " + std::string(name) + "(width: int = " + to_text(width) +
                   ", height: int = " + to_text(height) + ", seed: int = 1, *" +
                   option_parameters<Options>() + option_parameters<Run>() + ") -> " + result)),
      kept(about + option_help<Options>() + option_help<Run>()));
}

/// A dict of columns with one number per source.
template <class Source>
nb::dict table_of(const std::vector<Source>& sources,
                  const std::vector<std::pair<const char*, double (*)(const Source&)>>& columns) {
  nb::dict table;
  for (const auto& [name, value] : columns) {
    std::vector<double> values;
    for (const Source& source : sources) values.push_back(value(source));
    table[name] = to_numpy(values);
  }
  return table;
}

}  // namespace tessera::python
