// SPDX-License-Identifier: Apache-2.0
/// Host cubes on a device: strips of rows are uploaded, processed and downloaded.
#pragma once

#include <functional>
#include <vector>

#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// The same rows of some cubes and maps. A view without data means: not given, or not wanted; it
/// stays empty. The first input is always given. Outputs may be inputs too.
struct FaradayStrip {
  std::vector<AnyView> in;
  std::vector<AnyMutableView> out;
  int first_row = 0;  ///< counted from row 0 of the call's views

  int rows() const { return in.front().size.height; }
};

/// Device memory that work takes besides its images.
struct FaradayWorkBytes {
  long long fixed = 0, row = 0;  ///< for every strip, and for each of its rows
  long long shared = 0;          ///< for all strips together
};

/// Enqueues work on views in the memory of the stream's device.
using FaradayStripWork = std::function<void(const FaradayStrip&, Stream&)>;

/// Calls `work` with `all` if it is on the device. Host views are copied in strips that fit the
/// stream's memory limit, smaller ones if the device still runs out of memory; copies of strips
/// overlap with work on others. The output is complete after stream.wait(). `operation`: the prefix
/// of errors.
void run_faraday_strips(const char* operation, const FaradayStrip& all,
                        const FaradayWorkBytes& bytes, Stream& stream,
                        const FaradayStripWork& work);

}  // namespace tessera
