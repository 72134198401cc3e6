// SPDX-License-Identifier: Apache-2.0
/// Channels and depths as Python gives them.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "python/options_python.hpp"
#include "tessera/faraday.hpp"

namespace tessera::python {

/// Arguments that determine the axes, besides the options. `frequency` may already be a
/// FaradayAxes.
struct AxesArguments {
  nb::object frequency, weights;
  nb::object phi = nb::none();  ///< depths as an array; None: by the options
  FaradayOptions options = {};
  std::vector<unsigned char> dead = {};  ///< channels without data
};

/// Takes phi out of the keywords where it is an array; text stays there as the option.
nb::object take_depths(nb::kwargs& keywords);

FaradayAxes axes_from_python(const std::string& operation, const AxesArguments& given);

/// The options of the depths, in signatures and docstrings; and with backend, method and device.
std::string grid_parameters();
std::string grid_help();
std::string synth_parameters();

}  // namespace tessera::python
