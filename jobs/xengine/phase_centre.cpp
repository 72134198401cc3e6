// SPDX-License-Identifier: Apache-2.0
#include "jobs/xengine/phase_centre.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr double kLight = 299792458;

/// A place in the axes of ICRS. Places of date are of the start of the recording; they are relative
/// to the equinox, so UT1 does not matter.
SkyPlace icrs_of(const SkyPlace& place, RecordedFrame frame, const VoltageInfo& recording) {
  if (frame == RecordedFrame::icrs) return place;
  if (!recording.start)
    throw Error(ErrorKind::usage,
                "xengine: the phase centre is of date, but the recording does not say when it "
                "began; give an ICRS place with --phase-centre");
  return EarthAt(*recording.start).from_date(place);
}

std::optional<SkyPlace> place_of(const VoltageInfo& r) {
  if (!r.right_ascension || !r.declination) return std::nullopt;
  return icrs_of({*r.right_ascension, *r.declination}, r.frame, r);
}

[[noreturn]] void lack(const char* what) {
  throw Error(ErrorKind::usage,
              fmt::format("xengine: a phase centre cannot be tracked because {}", what));
}

double along(const Vector3& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

}  // namespace

PhaseCentreChoice parse_phase_centre(const std::string& text) {
  if (text == "auto") return {};
  if (text == "zenith") return {.zenith = true};
  std::string_view numbers = text;
  const bool of_date = numbers.ends_with(",date");
  if (of_date) numbers.remove_suffix(5);
  SkyPlace place;
  const char* const last = numbers.data() + numbers.size();
  const auto [comma, error] = std::from_chars(numbers.data(), last, place.right_ascension);
  if (error == std::errc() && comma != last && *comma == ',') {
    const auto [end, second] = std::from_chars(comma + 1, last, place.declination);
    const bool on_sky = place.right_ascension >= 0 && place.right_ascension < 360 &&
                        place.declination >= -90 && place.declination <= 90;
    if (second == std::errc() && end == last && on_sky)
      return {.place = place, .frame = of_date ? RecordedFrame::date : RecordedFrame::icrs};
  }
  throw Error(ErrorKind::usage,
              fmt::format("xengine: the phase centre is '{}'; it must be auto, zenith, or right "
                          "ascension and declination in degrees such as 83.63,22.01 (ICRS) or "
                          "83.98,22.03,date",
                          text));
}

PhaseCentre::PhaseCentre(const std::string& choice, Tracked tracked, const VoltageInfo& recording,
                         const AntennaList& antennas, double dut1)
    : dut1_(dut1) {
  choose(
      parse_phase_centre(choice),
      tracked == Tracked::automatic ? recording.tracked.value_or(false) : tracked == Tracked::yes,
      recording);
  if (drifts_ || turns_) place(antennas);
  if (turns_ && recording.frequency.empty())
    lack("the recording does not state its frequencies; describe them");
  if (turns_ && !recording.sample_rate)
    lack("the recording does not state its sample rate; give --sample-rate");
  if (turns_ && !recording.start)
    lack("the recording does not state when it began; describe its start");
}

void PhaseCentre::place(const AntennaList& list) {
  if (!list.placed) lack("the positions of the antennas are not known; give --array");
  check_on_earth("xengine", list.antennas);
  const auto count = static_cast<double>(list.antennas.size());
  for (const UvfitsAntenna& antenna : list.antennas)
    for (std::size_t i = 0; i < 3; ++i) middle_[i] += antenna.position[i] / count;
  for (const UvfitsAntenna& antenna : list.antennas)
    places_.push_back({antenna.position[0] - middle_[0], antenna.position[1] - middle_[1],
                       antenna.position[2] - middle_[2]});
}

void PhaseCentre::choose(const PhaseCentreChoice& choice, bool tracked, const VoltageInfo& r) {
  const std::optional<SkyPlace> recorded = tracked ? place_of(r) : std::nullopt;
  std::optional<SkyPlace> place = recorded;
  if (choice.place) place = icrs_of(*choice.place, choice.frame, r);
  if (!choice.given() && !recorded)
    reason_ = tracked ? "the recording tracks a place, but does not say which"
                      : "the recording does not say that it tracks its source";
  drifts_ = choice.zenith;
  if (place && !drifts_)
    fixed_ = UvfitsCentre{r.source.empty() || (choice.place && !tracked) ? "CENTRE" : r.source,
                          place->right_ascension, place->declination};
  const bool same = recorded && fixed_ && recorded->right_ascension == fixed_->right_ascension &&
                    recorded->declination == fixed_->declination;
  turns_ = choice.given() && !same && (!tracked || recorded);
  if (turns_) removed_ = recorded;
}

std::string PhaseCentre::text() const {
  if (!known()) return "none: " + reason_;
  const std::string where =
      drifts_ ? "zenith"
              : fmt::format("{:.9g}, {:.9g} (ICRS)", fixed_->right_ascension, fixed_->declination);
  return where + (turns_ ? ", turned here" : ", as recorded");
}

UvfitsCentre PhaseCentre::at(double mjd) {
  if (!drifts_) return fixed_.value_or(UvfitsCentre{});
  const SkyPlace place = earth(mjd).zenith(middle_);
  return {fmt::format("zenith-{}", ++times_), place.right_ascension, place.declination};
}

double PhaseCentre::elevation(double mjd) const {
  if (drifts_) return 90;
  const EarthAt now = earth(mjd);
  const Vector3 up = now.direction(now.zenith(middle_));
  const Vector3 towards = now.direction({fixed_->right_ascension, fixed_->declination});
  return std::asin(std::clamp(along(up, towards), -1.0, 1.0)) * 180 / std::numbers::pi;
}

double PhaseCentre::most_delay() const {
  double radius = 0;
  for (const Vector3& place : places_) radius = std::max(radius, std::sqrt(along(place, place)));
  // A difference of two directions is at most 2 long; rounding adds little.
  return (removed_ ? 2 : 1) * radius / kLight * (1 + 1e-9);
}

std::vector<double> PhaseCentre::delays(double mjd) const {
  const EarthAt now = earth(mjd);
  Vector3 towards = drifts_ ? now.direction(now.zenith(middle_))
                            : now.direction({fixed_->right_ascension, fixed_->declination});
  if (removed_) {
    const Vector3 before = now.direction(*removed_);
    for (std::size_t i = 0; i < 3; ++i) towards[i] -= before[i];
  }
  std::vector<double> delays;
  for (const Vector3& place : places_) delays.push_back(along(place, towards) / kLight);
  return delays;
}

}  // namespace tessera
