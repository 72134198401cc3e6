// SPDX-License-Identifier: Apache-2.0
/// What the study of cells measures besides its rungs: parts of the C program, and single calls of
/// the device.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/device_calls.hpp"
#include "ops/cells/study/cells_case.hpp"
#include "study/compared.hpp"

namespace tessera {

struct CellsCosts {
  std::optional<PartSeconds> detection, tracking;  ///< of the C program
  std::optional<DeviceCalls> calls;
  /// Seconds per launch of a rung's kernels, each waited for.
  std::map<std::string, double> launch_waits;
};

/// One run of the C program, on one thread.
PartSeconds timed_detection(const CellsCase& c);
PartSeconds timed_tracking(const CellsCase& c);

/// A part in percent of all.
std::optional<double> part_percent(const std::optional<PartSeconds>& parts,
                                   double PartSeconds::*part);
/// The share of the launch itself in the wait for a rung's kernels, in percent.
std::optional<double> launching_percent(const CellsCosts& costs, const std::string& rung);

/// Microseconds of the device's calls, and how many times as long as those of the host.
std::vector<ComparedFigure> call_figures(const CellsCosts& costs);

}  // namespace tessera
