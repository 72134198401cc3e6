// SPDX-License-Identifier: Apache-2.0
/// Boxes, quantiles and masks of noise as Python gives them.
#pragma once

#include <string>

#include "python/arrays.hpp"
#include "python/options_python.hpp"
#include "tessera/noise_options.hpp"

namespace tessera::python {

/// 64 or (rows, columns).
template <>
struct PythonValue<NoiseBox> {
  static constexpr const char* kType = "int | tuple[int, int]";
  static std::string text(NoiseBox box);
  static void take(const std::string& what, nb::handle given, NoiseBox& box);
};

/// A number or several.
template <>
struct PythonValue<NoiseQuantiles> {
  static constexpr const char* kType = "float | collections.abc.Sequence[float] | None";
  static std::string text(const NoiseQuantiles& quantiles);
  static void take(const std::string& what, nb::handle given, NoiseQuantiles& quantiles);
};

/// How an operation on one image runs, beside its own options.
struct ImageRunOptions {
  int threads = 0;
  double memory_limit = 0;

  static constexpr auto fields() {
    using O = ImageRunOptions;
    return std::tuple{
        field("threads", &O::threads,
              "CPU threads, for arrays in host memory; 0: as many as the environment allows"),
        field("memory_limit", &O::memory_limit,
              "bytes of scratch memory, for arrays in host memory; 0: a share of what is free")};
  }
};

/// Throws ValueError: "noise: image has shape (9,); it must be (rows, columns)".
void check_two_axes(const std::string& what, const Array& array);

/// The image with NaN where the mask is true; a copy, float32 of integers, of the image's library
/// and where it lies. `operation` is named in messages.
Array blanked(const std::string& operation, const Array& image, nb::handle mask);

}  // namespace tessera::python
