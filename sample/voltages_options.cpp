// SPDX-License-Identifier: Apache-2.0
#include "sample/voltages_options.hpp"

#include "sample/sample_checks.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char* kVoltagesName = "voltages";

}  // namespace

void check_voltages(const VoltagesOptions& o) {
  require_within(kVoltagesName, "antennas", o.antennas, 1, 4096);
  require_within(kVoltagesName, "polarisations", o.polarisations, 1, 2);
  require_within(kVoltagesName, "channels", o.channels, 1, 1 << 20);
  require_within(kVoltagesName, "samples", static_cast<double>(o.samples), 1, 1e15);
  if (o.type == SampleType::cf16)
    throw Error(ErrorKind::usage, "voltages: cf16 cannot be made; ci8, ci4, ci16 or cf32 can");
  require_within(kVoltagesName, "rms", voltages_rms(o), 1e-3, 1e6);
  require_within(kVoltagesName, "channel-width", o.channel_width, 1e-3, 1e12);
  require_within(kVoltagesName, "frequency", o.frequency, 1e3, 1e15);
  require_within(kVoltagesName, "start", o.start, 0, 1e6);
  require_within(kVoltagesName, "latitude", o.latitude, -90, 90);
  require_within(kVoltagesName, "longitude", o.longitude, -360, 360);
  require_within(kVoltagesName, "height", o.height, -1e4, 1e8);
  require_within(kVoltagesName, "radius", o.radius, 0, 1e6);
  require_within(kVoltagesName, "sources", o.sources, 0, 10000);
  require_within(kVoltagesName, "field", o.field_width, 0, 180);
  require_within(kVoltagesName, "flux-high", o.flux_high, 0, 1e12);
  require_within(kVoltagesName, "flux-low", o.flux_low, 0, o.flux_high);
  require_within(kVoltagesName, "polarised", o.polarised, 0, 1);
  require_within(kVoltagesName, "noise", o.noise, 0, 1e12);
  if (o.right_ascension.has_value() != o.declination.has_value())
    throw Error(ErrorKind::usage,
                "voltages: a field's centre needs both right-ascension and declination; one of "
                "them is auto");
  require_within(kVoltagesName, "right-ascension", o.right_ascension.value_or(0), -360, 360);
  require_within(kVoltagesName, "declination", o.declination.value_or(0), -90, 90);
}

double voltages_rms(const VoltagesOptions& o) {
  if (o.rms) return *o.rms;
  return o.type == SampleType::ci8    ? 20
         : o.type == SampleType::ci4  ? 2
         : o.type == SampleType::ci16 ? 500
                                      : 1;
}

}  // namespace tessera
