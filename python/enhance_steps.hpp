// SPDX-License-Identifier: Apache-2.0
/// Parts that the functions of enhance share.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "python/options_python.hpp"
#include "tessera/enhance.hpp"

namespace tessera::python {

/// The images that functions take, as docstrings say it.
inline std::string enhance_image(const char* dtypes) {
  return std::string(R"(

image: (rows, columns), (rows, columns, 1 to 4 channels), or with channel_axis and batch_axis
    elsewhere; )") +
         dtypes + R"(, of NumPy, CuPy, torch or anything with __dlpack__ or
    __cuda_array_interface__. The last of 2 or 4 channels is alpha and stays as it is.)";
}
inline const std::string kEnhanceArrays =
    enhance_image("uint8 or uint16; in host memory also float32 or float64") + R"(
out: an array of the result's shape and dtype to fill; it must not overlap the image.
Returns out, or a new array of the image's library. The bytes are the same on every backend.)";

/// The last of three axes holds the colours unless another was named.
inline RunOptions with_colours(RunOptions run, const Shape& shape) {
  if (!run.channel_axis && !run.batch_axis && shape.size() == 3) run.channel_axis = -1;
  return run;
}

/// A step as a function: the options of EnhanceOptions that it takes, besides where it runs.
struct EnhanceFunction {
  const char* name;
  std::vector<std::string_view> options;

  bool operator()(std::string_view option) const {
    return option == "backend" || option == "method" || option == "device" ||
           std::ranges::count(options, option) != 0;
  }
  template <class Options>
  Options take(const nb::kwargs& given, RunOptions& run) const {
    Options own;
    take_some_options(name, given, *this, own, run);
    own.steps = name;
    return own;
  }
  template <class Options>
  std::string parameters() const {
    return option_parameters<Options>(*this) + option_parameters<RunOptions>();
  }
  template <class Options>
  std::string help() const {
    return "\n\nOptions (points are (row, column)):\n" + option_help<Options>(*this) +
           option_help<RunOptions>();
  }
};

}  // namespace tessera::python
