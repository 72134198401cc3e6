// SPDX-License-Identifier: Apache-2.0
/// Writes voltages of an array to a recording, block by block, with the truth in files next to it.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "io/uvfits/uvfits_sky.hpp"
#include "jobs/progress.hpp"
#include "jobs/settings.hpp"
#include "sample/voltage_maker.hpp"

namespace tessera {

class BandVoltages;

struct VoltagesResult {
  std::string made;
  std::vector<std::string> files;  ///< recording, truth, model, antennas
  int seed = 0;
  long long saturated = 0;
  double seconds = 0;

  static constexpr auto fields() {
    using R = VoltagesResult;
    return std::tuple{field("made", &R::made, "the recording"),
                      field("files", &R::files, "the files: recording, truth, model, antennas"),
                      field("seed", &R::seed, "the seed"),
                      field("saturated", &R::saturated, "parts that the type could not hold"),
                      field("seconds", &R::seconds, "how long it took")};
  }
  std::string describe() const;
};

struct VoltagesJob {
  /// "a.raw" (GUPPI RAW), "a.dada", "a.vdif", "a.npy" or "a.bin"; "a_truth.json", "a_model.npy" and
  /// "a_antennas.txt" come with it.
  std::string output;
  std::string format = "auto";
  int seed = 1;
  std::string array, sky;  ///< text files (jobs/sample/voltages_inputs.hpp); empty: random
  bool force = false;
  VoltagesOptions voltages;
  RunSettings settings;

  VoltagesResult run(const Progress& progress = {}) const;
};

/// The place of ICRS that is seen in a direction. Right ascensions of options and truths are of
/// date; recordings have those of ICRS.
SkyPlace icrs_place(const EarthVector& direction, double mjd);

/// Antennas, sources, directions, delays and scale as JSON.
std::string voltages_truth(const VoltageMaker& made, const VoltagesResult& result,
                           const BandVoltages* raw = nullptr);
/// The model as an NPY of complex128, (channels, baselines, polarisations, polarisations), in
/// triangular order: the expected sums over time, divided by the number of samples.
std::string voltages_model(const VoltageMaker& made);

}  // namespace tessera
