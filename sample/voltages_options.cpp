// SPDX-License-Identifier: Apache-2.0
#include "sample/voltages_options.hpp"

#include "sample/sample_checks.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr const char* kVoltagesName = "voltages";

}  // namespace

void check_voltages(const VoltagesOptions& o) {
  check_ranges(kVoltagesName, o);
  if (o.type == SampleType::cf16)
    throw Error(ErrorKind::usage, "voltages: cf16 cannot be made; ci8, ci4, ci16 or cf32 can");
  if (o.raw == RawBand::no && (o.lower_sideband || o.tone))
    throw Error(
        ErrorKind::usage,
        "voltages: only raw recordings have a sideband and tones; give raw complex or real");
  if (o.raw == RawBand::real && o.type == SampleType::ci4)
    throw Error(ErrorKind::usage,
                "voltages: real samples of ci4 cannot be made; ci8, ci16 or cf32 can");
  require_within(kVoltagesName, "flux-low", o.flux_low, 0, o.flux_high);
  if (o.right_ascension.has_value() != o.declination.has_value())
    throw Error(ErrorKind::usage,
                "voltages: a field's centre needs both right-ascension and declination; one of "
                "them is auto");
}

double voltages_rms(const VoltagesOptions& o) {
  if (o.rms) return *o.rms;
  return o.type == SampleType::ci8    ? 20
         : o.type == SampleType::ci4  ? 2
         : o.type == SampleType::ci16 ? 500
                                      : 1;
}

}  // namespace tessera
