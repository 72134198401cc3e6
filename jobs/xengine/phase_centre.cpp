// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/phase_centre.hpp"

#include <fmt/format.h>

#include <charconv>

#include "tessera/error.hpp"

namespace tessera {

PhaseCentreChoice parse_phase_centre(const std::string& text) {
  if (text == "auto") return {};
  if (text == "zenith") return {.zenith = true};
  SkyPlace place;
  const char* const last = text.data() + text.size();
  const auto [comma, error] = std::from_chars(text.data(), last, place.right_ascension);
  if (error == std::errc() && comma != last && *comma == ',') {
    const auto [end, second] = std::from_chars(comma + 1, last, place.declination);
    const bool on_sky = place.right_ascension >= 0 && place.right_ascension < 360 &&
                        place.declination >= -90 && place.declination <= 90;
    if (second == std::errc() && end == last && on_sky) return {.place = place};
  }
  throw Error(ErrorKind::usage,
              fmt::format("xengine: the phase centre is '{}'; it must be auto, zenith, or right "
                          "ascension and declination in degrees such as 83.63,22.01",
                          text));
}

PhaseCentre::PhaseCentre(const PhaseCentreChoice& choice, const XEngineDescription& d) {
  const VoltageInfo& r = d.recording;
  const bool says = r.right_ascension && r.declination;
  fixed_.name = r.source.empty() ? "UNKNOWN" : r.source;
  if (choice.place || (says && !choice.zenith)) {
    fixed_.right_ascension = choice.place ? choice.place->right_ascension : *r.right_ascension;
    fixed_.declination = choice.place ? choice.place->declination : *r.declination;
    return;
  }
  if (choice.zenith && !d.antennas.placed)
    throw Error(ErrorKind::usage,
                "xengine: the phase centre is the zenith, but the positions of the antennas are "
                "not known; give --array");
  drifts_ = d.antennas.placed;
  for (const UvfitsAntenna& antenna : d.antennas.antennas)
    for (std::size_t i = 0; i < 3; ++i)
      middle_[i] += antenna.position[i] / static_cast<double>(d.antennas.antennas.size());
}

UvfitsCentre PhaseCentre::at(double mjd) {
  if (!drifts_) return fixed_;
  const SkyPlace place = EarthAt(mjd).zenith(middle_);
  return {fmt::format("zenith-{}", ++times_), place.right_ascension, place.declination};
}

}  // namespace tessera
