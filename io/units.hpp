// SPDX-License-Identifier: Apache-2.0
/// Units of length and time as other programs write them.
#pragma once

#include <optional>
#include <string_view>

namespace tessera {

/// Micrometres of a unit of length: "um", "µm" in UTF-8, Latin-1 or as ImageJ's "\u00B5m",
/// "micron", "nm", "mm", "cm", "inch" and others. 0 for "pixel" and "", which are not lengths.
/// Nothing for a unit that is not known.
std::optional<double> micrometres_of(std::string_view unit);

/// Seconds of a unit of time: "s", "sec", "ms", "µs", "min", "h" and others; nothing if it is not
/// known.
std::optional<double> seconds_of(std::string_view unit);

}  // namespace tessera
