// SPDX-License-Identifier: Apache-2.0
/// Measurement Sets (version 2): visibilities as tables of casacore in a folder, one row per
/// baseline and integration. The tables are written by a library that is opened only then
/// (casacore/).
///
/// Rows hold what the groups of UVFITS hold (io/uvfits/uvfits.hpp), in the same order and with the
/// same signs: DATA is E1 conj(E2), a mean, and UVW is that of r_1 - r_2, which is what casacore
/// makes of a UVFITS and what imagers expect. WEIGHT is the number of samples of the mean, SIGMA
/// one over its root. A mean of no samples is 0, flagged, with weight 0 and sigma 0. Channels keep
/// the order of the recording: if they descend their widths are negative.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/uvfits/uvfits.hpp"

namespace tessera {

/// Values that are the same for all integrations.
struct MsHeader {
  int polarisations = 2;          ///< 1 or 2
  std::vector<double> frequency;  ///< Hz, the middles of the channels, in the order of the data
  double channel_width = 1;       ///< Hz
  std::string telescope;
  std::vector<UvfitsAntenna> antennas;
  std::vector<std::string> history;
  std::string command;
};

/// Whether the channels ascend or descend, in any steps.
bool in_order(const std::vector<double>& frequency);

class MsFile {
 public:
  /// Throws Error(usage) if the folder exists and `force` is not given or it is not a Measurement
  /// Set, and for data that it cannot hold; Error(failure) if the library is not installed.
  MsFile(const std::string& path, bool force, MsHeader header);
  ~MsFile();

  void write(const UvfitsIntegration& integration);
  /// Everything except the name is on disk: nothing can fail after this.
  void prepare();
  void finish();
  /// The old Measurement Set, if it could not be removed; empty if it is gone.
  const std::string& left_behind() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tessera
