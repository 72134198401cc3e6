// SPDX-License-Identifier: Apache-2.0
/// What a program in the paper's way pays besides its kernels: each step allocates its output from
/// the driver, the scan is copied to the device, the counts and the result back.
#pragma once

#include <optional>

#include "ops/enhance/study/enhance_case.hpp"

namespace tessera {

/// Milliseconds; none without a device.
struct ScanTransfers {
  /// The device's own memory: the scan and grey; the counts; contrast; the result.
  std::optional<double> grey_allocation, histogram_allocation, contrast_allocation,
      smooth_allocation;
  std::optional<double> upload_ordinary, counts_download, download_ordinary;
  std::optional<double> upload_pinned, download_pinned;

  std::optional<double> allocations() const;
  /// As the paper adds them: allocations and copies, with ordinary memory on the host.
  std::optional<double> all_ordinary() const;
  std::optional<double> copies_pinned() const;
};

/// A sum; none unless both are known.
std::optional<double> added(const std::optional<double>& a, const std::optional<double>& b);

/// Medians of several runs by the wall clock, to the end of the device's work.
ScanTransfers measure_transfers(const EnhanceCase& problem, Stream& device);

}  // namespace tessera
