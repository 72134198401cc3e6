// SPDX-License-Identifier: Apache-2.0
#include "sample/voltages_options.hpp"

#include <fmt/format.h>

#include "tessera/error.hpp"

namespace tessera {
namespace {

/// NaN is outside.
void require(const char* name, double value, double low, double high) {
  if (!(value >= low && value <= high))
    throw Error(ErrorKind::usage,
                fmt::format("voltages: {} is {}; it must be {} to {}", name, value, low, high));
}

}  // namespace

void check_voltages(const VoltagesOptions& o) {
  require("antennas", o.antennas, 1, 4096);
  require("polarisations", o.polarisations, 1, 2);
  require("channels", o.channels, 1, 1 << 20);
  require("samples", static_cast<double>(o.samples), 1, 1e15);
  if (o.type == SampleType::cf16)
    throw Error(ErrorKind::usage, "voltages: cf16 cannot be made; ci8, ci4, ci16 or cf32 can");
  require("rms", voltages_rms(o), 1e-3, 1e6);
  require("channel-width", o.channel_width, 1e-3, 1e12);
  require("frequency", o.frequency, 1e3, 1e15);
  require("start", o.start, 0, 1e6);
  require("latitude", o.latitude, -90, 90);
  require("longitude", o.longitude, -360, 360);
  require("height", o.height, -1e4, 1e8);
  require("radius", o.radius, 0, 1e6);
  require("sources", o.sources, 0, 10000);
  require("field", o.field_width, 0, 180);
  require("flux-high", o.flux_high, 0, 1e12);
  require("flux-low", o.flux_low, 0, o.flux_high);
  require("polarised", o.polarised, 0, 1);
  require("noise", o.noise, 0, 1e12);
  if (o.right_ascension.has_value() != o.declination.has_value())
    throw Error(ErrorKind::usage,
                "voltages: a field's centre needs both right-ascension and declination; one of "
                "them is auto");
  require("right-ascension", o.right_ascension.value_or(0), -360, 360);
  require("declination", o.declination.value_or(0), -90, 90);
}

double voltages_rms(const VoltagesOptions& o) {
  if (o.rms) return *o.rms;
  return o.type == SampleType::ci8    ? 20
         : o.type == SampleType::ci4  ? 2
         : o.type == SampleType::ci16 ? 500
                                      : 1;
}

}  // namespace tessera
