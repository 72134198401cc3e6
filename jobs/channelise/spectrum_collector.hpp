// SPDX-License-Identifier: Apache-2.0
/// Keeps the data that a picture of spectra needs.
#pragma once

#include <vector>

#include "jobs/bank/channelised_voltages.hpp"
#include "jobs/channelise/channelise_job.hpp"
#include "report/spectrum_plot.hpp"

namespace tessera {

class SpectrumCollector {
 public:
  /// Without a picture to draw it keeps nothing.
  SpectrumCollector(const ChanneliseJob& job, const ChannelisedVoltages& spectra);

  void add(const VoltageBlock& block);
  Plot plot(PictureFormat format) const;

 private:
  bool wanted_;
  std::string title_;
  const VoltageInfo& info_;
  PlottedBank bank_;
  std::vector<double> sums_, counts_;  ///< [polarisation][channel], [polarisation]
};

}  // namespace tessera
