// SPDX-License-Identifier: Apache-2.0
/// How long frames of a live film take: from the arrival of a frame to its result.
///
/// A frame has arrived when its last byte was read. It was processed when the plan has taken it in;
/// its result is known when the tracks reach it, which may need later frames.
#pragma once

#include <chrono>
#include <deque>
#include <tuple>
#include <vector>

#include "tessera/options.hpp"

namespace tessera {

/// Quantiles of values: each is one of the values, and this share of them is not larger.
struct LatencyShares {
  double p50 = 0, p90 = 0, p99 = 0, max = 0;

  static constexpr auto fields() {
    using P = LatencyShares;
    return std::tuple{field("p50", &P::p50, "half of the frames have at most this"),
                      field("p90", &P::p90, "nine tenths of the frames have at most this"),
                      field("p99", &P::p99, "99 of 100 frames have at most this"),
                      field("max", &P::max, "the largest")};
  }
};
LatencyShares latency_shares(std::vector<double> values);

struct CellsLatency {
  int frames = 0;               ///< that arrived
  int known = 0;                ///< those whose result is known
  int known_at_end = 0;         ///< those of them that waited for the end of the film
  LatencyShares processing_ms;  ///< from arrival to processed
  LatencyShares result_ms;      ///< from arrival to the result
  LatencyShares frames_waited;  ///< later frames that had arrived when a result was known

  static constexpr auto fields() {
    using L = CellsLatency;
    return std::tuple{
        field("frames", &L::frames, "frames that arrived"),
        field("known", &L::known, "frames whose result is known"),
        field("known_at_end", &L::known_at_end, "those that waited for the end of the film"),
        field("processing_ms", &L::processing_ms,
              "milliseconds from the arrival of a frame until it was processed"),
        field("result_ms", &L::result_ms,
              "milliseconds from the arrival of a frame until its result was known, with the wait "
              "for later frames"),
        field("frames_waited", &L::frames_waited,
              "later frames that had arrived when the result of a frame was known")};
  }
};

class LatencyClock {
 public:
  using Clock = std::chrono::steady_clock;
  /// A frame was processed now; results are known of the first `done` frames.
  void processed(Clock::time_point arrived, int done);
  /// The film has ended, and all results are known.
  void end();
  CellsLatency latency() const;

 private:
  void known_up_to(int done);

  std::deque<Clock::time_point> waiting_;  ///< arrivals of frames without a result
  std::vector<double> processing_, result_, waited_;
  int known_at_end_ = 0;
};

}  // namespace tessera
