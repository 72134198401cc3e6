// SPDX-License-Identifier: Apache-2.0
/// The arguments of write_uvfits and write_measurement_set.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/uvfits/uvfits.hpp"
#include "python/arrays.hpp"

namespace tessera::python {

/// As they came.
struct ImagingArguments {
  std::string call;  ///< of Python, for messages
  nb::object visibilities, positions, frequency, time, seconds, phase_centre, counts, samples,
      names;
  double dut1;
  bool means;
  std::string telescope, source;
  bool (*channels_fit)(const std::vector<double>& hertz);
  const char* channels_wanted;  ///< "evenly spaced channels"

  std::string name(const char* argument) const { return call + ": " + argument; }
};

/// Checked; throws ValueError.
class ImagingData {
 public:
  explicit ImagingData(const ImagingArguments& given);
  ~ImagingData();

  std::vector<double> frequency;
  std::vector<UvfitsAntenna> antennas;
  double dut1 = 0, first_time = 0;
  int polarisations = 0;

  /// Calls it for each integration in turn; the GIL may be released.
  void write(const std::function<void(const UvfitsIntegration&)>& one) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tessera::python
