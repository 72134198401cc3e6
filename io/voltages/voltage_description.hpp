// SPDX-License-Identifier: Apache-2.0
/// A JSON file that describes an NPY or raw file of voltages and lies next to it:
///
///     {"antennas": 4, "polarisations": 2, "channels": 64, "samples": "ci8", "layout": "tci",
///      "sample_rate": 1e6, "frequency": {"first": 1.4e9, "step": 1e6}, "start": 60000.5}
///
/// Also: "offset_binary", "real_low", "scale" (what a unit stands for), "length" (samples in
/// time), "start_second" (of the day "start", to more digits), "telescope", "source",
/// "right_ascension", "declination", "antenna_names", "antenna_positions" ([x, y, z] in metres,
/// ITRF). "frequency" may be a list. "real" (true: samples have no imaginary parts), "sideband"
/// (upper or lower), "missing" (a list of [first, count] or [first, count, [inputs]]: samples that
/// hold no data), "filter_bank" (an object about the channels, for readers).
#pragma once

#include <string>
#include <vector>

#include "io/voltages/voltage_file.hpp"
#include "io/voltages/voltage_order.hpp"

namespace tessera {

/// Samples in time that hold no data of some inputs.
struct MissingSamples {
  long long first = 0, count = 0;
  std::vector<int> inputs;  ///< empty: all

  bool operator==(const MissingSamples&) const = default;
};

struct VoltageDescription {
  VoltageInfo info;
  VoltageOrder order;
  std::vector<MissingSamples> missing;  ///< one after the other
};

/// Throws Error(input) that names the file and the key that is wrong.
VoltageDescription parse_voltage_description(const std::string& name, const std::string& text);
/// Reads the description of `path`, or the file that `options` names.
VoltageDescription read_voltage_description(const std::string& path, const VoltageOptions& options);
/// Whether a description exists.
bool has_voltage_description(const std::string& path, const VoltageOptions& options);

/// The text that parse_voltage_description reads, for samples in "tci".
std::string voltage_description_text(const VoltageInfo& info,
                                     const std::vector<MissingSamples>& missing = {});

}  // namespace tessera
