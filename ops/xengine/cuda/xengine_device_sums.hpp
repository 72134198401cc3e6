// SPDX-License-Identifier: Apache-2.0
/// Sums on a device: 32 bits wide as long as they fit and flushed to 64 bits before they overflow,
/// or 64 bits (integers or doubles) from the beginning.
#pragma once

#include <array>
#include <optional>

#include "ops/xengine/xengine_problem.hpp"

namespace tessera {

/// All memory belongs to a separate stream, on which all work is enqueued: blocks may come on any
/// stream, one after the other.
class XEngineDeviceSums : public XEngineSums {
 public:
  explicit XEngineDeviceSums(const XEngineProblem& problem) : problem_(problem) {}

  /// Destination of the next products: added to the sums, or overwriting them. The caller must then
  /// produce them: if anything fails from here on, the block has been added in part.
  struct Target {
    void* sums;
    bool add;
  };
  Target narrow(long long samples);  ///< int; room for this many samples
  Target wide();                     ///< long long or double

  /// Sums of a run of floats that is not whole: before the next samples, and after them.
  struct Run {
    float* sums;  ///< null if there are none before nor after
    int phase;    ///< samples of the run that came before
    bool begun;   ///< and are in the sums; otherwise they were missing
  };
  /// For this many samples, to be followed by wide().
  Run run(long long samples);

  Stream& stream();  ///< made on first use
  Stream& next_lane();

  /// Returns how many parts were saturated; afterwards the sums are zero.
  long long dump(VisibilityView out, Stream& caller);
  void clear();

 private:
  long long count() const { return 2 * problem_.shape.values() * problem_.shape.channels; }
  void flush();
  void end_run();  ///< adds the open run to the wide sums

  const XEngineProblem& problem_;
  std::optional<Stream> own_;
  std::array<std::optional<Stream>, 2> lanes_;  ///< copies from the host alternate between them
  int lanes_used_ = 0;
  Scratch narrow_, wide_, run_;
  bool in_narrow_ = false, in_wide_ = false, in_run_ = false;
  long long run_number_ = 0;
  long long in_int32_ = 0;  ///< samples since the last flush
};

/// Enqueues a copy of bytes between host and device, or on the device.
void copy_bytes(const void* from, int from_device, void* to, int to_device, std::size_t bytes,
                Stream& stream);

}  // namespace tessera
