// SPDX-License-Identifier: Apache-2.0
/// Work that faraday_synth leaves to the library of the arrays: which channels have data, and a
/// model of Stokes I.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "python/arrays.hpp"
#include "tessera/faraday.hpp"

namespace tessera::python {

/// The name of the Python module that made an array; TypeError for others on a device.
const char* library_of(const Array& array);

/// Channels without a pixel at which both are finite, one byte each.
std::vector<unsigned char> dead_channels(const Array& q, const Array& u, int axis);

/// A model of Stokes I: one value per channel, or a cube like Q.
class StokesModel {
 public:
  /// TypeError and ValueError name the model.
  StokesModel(nb::handle model, const Array& q, int axis);

  bool per_channel() const { return per_channel_; }
  nb::object divide(nb::handle q) const;  ///< q / I; where I is 0 the channel counts as flagged
  nb::object divide_noise(nb::handle sigma) const;  ///< sigma / |I|
  /// The spectra times I at the frequency that they refer to, linear between channels; in place.
  void multiply(nb::object spectra, const FaradayAxes& axes) const;
  /// The noise of spectra, one value per pixel, times |I| there.
  nb::object times_noise(nb::handle noise, const FaradayAxes& axes) const;

 private:
  nb::object channel(int k) const;  ///< with its axis, 1 long
  nb::object at_reference(const FaradayAxes& axes) const;

  nb::object model_;
  int axis_;
  bool per_channel_ = false;
};

}  // namespace tessera::python
