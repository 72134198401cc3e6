// SPDX-License-Identifier: Apache-2.0
/// Recordings of voltages to visibilities.
///
///     XEngineJob job{.inputs = {"scan.0000.raw", "scan.0001.raw"}, .output = "scan.uvfits"};
///     job.choices.integrate.seconds = 1;
///     XEngineResult result = job.run();
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "io/voltages/voltage_file.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "jobs/xengine/fused_bank.hpp"
#include "jobs/xengine/integration_length.hpp"
#include "jobs/xengine/phase_choices.hpp"
#include "jobs/xengine/xengine_result.hpp"
#include "tessera/xengine.hpp"

namespace tessera {

struct XEngineChoices {
  IntegrationLength integrate;
  std::optional<long long> limit, block;
  std::string array;
  std::string phase_centre = "auto";
  Tracked tracked = Tracked::automatic;
  DelayWay delays = DelayWay::automatic;
  double dut1 = 0;
  std::string picture;
  std::optional<int> picture_channel;

  static constexpr auto fields() {
    using C = XEngineChoices;
    return std::tuple{
        field("integrate", &C::integrate,
              "length of an integration: samples (spectra after channelise), seconds (0.5s), or "
              "all"),
        field("limit", &C::limit,
              "the most samples in time to read, after channelise the most spectra",
              Range{.lowest = 1, .unit = "samples"}),
        field("block", &C::block,
              "samples in time, or spectra after channelise, to read at once; auto: from the free "
              "memory",
              Range{.lowest = 1, .unit = "samples"}),
        field("array", &C::array,
              "a text file with one line per antenna: name x y z, ITRF in metres"),
        field("phase-centre", &C::phase_centre,
              "direction of zero delay: RA,DEC in degrees of ICRS (J2000), RA,DEC,date of the true "
              "equator and equinox of date, or zenith; samples of a recording that does not track "
              "it are turned there; auto: the place that the recording tracks, if it does"),
        field(
            "tracked", &C::tracked,
            "whether delays and fringes have been removed from the recording already; auto: as it "
            "says, else no"),
        field("delays", &C::delays,
              "how delays are removed: shift moves samples in time by interpolation and turns "
              "phases, phase only turns them; auto: shift if delays can reach 0.01 samples"),
        field("dut1", &C::dut1,
              "UT1 - UTC at the time of the recording, as the IERS publishes it: the Earth's "
              "rotation, for phase centres and u, v, w",
              Range{-0.9, 0.9, "s"}),
        field("picture", &C::picture, "a picture to draw, .svg or .png"),
        field("picture-channel", &C::picture_channel,
              "the channel whose matrix is drawn, counted from 0; auto: the middle one"),
    };
  }
};

struct XEngineJob {
  std::vector<std::string> inputs;
  std::string output;      ///< .npy, .raw, .bin, .uvfits, .uvf or .ms
  XEngineOptions options;  ///< the type of the samples comes from the recording
  VoltageOptions reading;
  XEngineChoices choices;
  FusedBank bank;  ///< in front, if it has channels
  RunSettings settings;
  bool force = false;
  std::string command;  ///< the command line, for the files

  /// All files or none. A recording that ends early gives the complete data before that, and a
  /// warning. `bits_a_sample` is set before the first progress, which is in samples. Throws Error.
  XEngineResult run(const Progress& progress = {}, double* bits_a_sample = nullptr) const;
  /// The same for an open recording.
  XEngineResult run_on(VoltageSource& source, const Progress& progress = {},
                       double* bits_a_sample = nullptr) const;
};

/// Whether ranks can share its channels.
bool can_be_shared(const XEngineJob& job);

}  // namespace tessera
