// SPDX-License-Identifier: Apache-2.0
/// Host cubes on a device: strips of rows go up, are worked on, and come down.
#pragma once

#include <functional>
#include <vector>

#include "tessera/stream.hpp"
#include "tessera/view.hpp"

namespace tessera {

/// The same rows of some cubes and maps. Views without data stand for what is not given, or not
/// wanted, and stay so; the first input is given. Outputs may be inputs too.
struct FaradayStrip {
  std::vector<AnyView> in;
  std::vector<AnyMutableView> out;
  int first_row = 0;  ///< of the call, whose row 0 is that of its views

  int rows() const { return in.front().size.height; }
};

/// Device memory that work takes besides its images.
struct FaradayWorkBytes {
  long long fixed = 0, row = 0;  ///< of every strip, and of each of its rows
  long long shared = 0;          ///< of all strips together
};

/// Enqueues work on views that lie on the stream's device.
using FaradayStripWork = std::function<void(const FaradayStrip&, Stream&)>;

/// Calls `work` with `all`, where it lies on the device. Host views are copied in strips that fit
/// the stream's memory limit, smaller ones when the device runs out of memory nevertheless; copies
/// of strips and work on others overlap. The output is whole after stream.wait(). `operation`:
/// what errors begin with.
void run_faraday_strips(const char* operation, const FaradayStrip& all,
                        const FaradayWorkBytes& bytes, Stream& stream,
                        const FaradayStripWork& work);

}  // namespace tessera
