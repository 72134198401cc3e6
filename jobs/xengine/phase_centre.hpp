// SPDX-License-Identifier: Apache-2.0
/// The direction in which delays are zero.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/uvfits/uvfits_sky.hpp"
#include "jobs/xengine/antenna_list.hpp"
#include "jobs/xengine/phase_choices.hpp"

namespace tessera {

/// The value of --phase-centre; neither: auto.
struct PhaseCentreChoice {
  bool zenith = false;
  std::optional<SkyPlace> place;
  RecordedFrame frame = RecordedFrame::icrs;  ///< of the place

  bool given() const { return zenith || place.has_value(); }
};
/// "auto", "zenith", "83.6,22.0" or "83.9,22.1,date"; throws Error(usage) for others.
PhaseCentreChoice parse_phase_centre(const std::string& text);

/// Where the delays of visibilities are zero, and what has to be done for it:
///
///     recording        no choice            a place or the zenith is chosen
///     tracks a place   that place           turned from there to the choice
///     tracks           none                 the choice is what it tracks
///     does not track   none                 turned to the choice
class PhaseCentre {
 public:
  /// Throws Error(usage) if the choice needs data that the recording does not have.
  /// `dut1` is UT1 - UTC, seconds.
  PhaseCentre(const std::string& choice, Tracked tracked, const VoltageInfo& recording,
              const AntennaList& antennas, double dut1 = 0);

  /// "83.63, 22.01 (ICRS), turned here", "zenith, as recorded", "none: the recording does not say
  /// that it tracks its source".
  std::string text() const;
  bool known() const { return drifts_ || fixed_.has_value(); }
  /// Why there is none: "it does not say that it tracks its source".
  const std::string& reason() const { return reason_; }
  /// Whether it is the zenith, which moves over the sky.
  bool drifts() const { return drifts_; }
  /// The centre at a time; the zenith has a different name each time.
  UvfitsCentre at(double mjd);
  /// Whether delays have to be removed from the samples.
  bool turns() const { return turns_; }
  /// The delay to remove from samples of an antenna at a time, in seconds: how much sooner than the
  /// middle of the array it receives the centre, less what the recording has removed already.
  std::vector<double> delays(double mjd) const;
  /// How far above the horizon of the middle of the array it is at a time, degrees; the middle is
  /// known if delays have to be removed.
  double elevation(double mjd) const;
  /// No delay exceeds it, whatever the time.
  double most_delay() const;

 private:
  void choose(const PhaseCentreChoice& choice, bool tracked, const VoltageInfo& recording);
  void place(const AntennaList& list);

  EarthAt earth(double mjd) const { return EarthAt(mjd, dut1_); }

  double dut1_;
  bool drifts_ = false, turns_ = false;
  std::optional<UvfitsCentre> fixed_;
  std::optional<SkyPlace> removed_;  ///< the place that the recording tracks, if turned from there
  std::string reason_;
  std::vector<Vector3> places_;  ///< of the antennas, from the middle of the array
  Vector3 middle_{};             ///< of the array
  int times_ = 0;
};

}  // namespace tessera
