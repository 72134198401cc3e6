// SPDX-License-Identifier: Apache-2.0
/// How long the stages of a job take.
#pragma once

#include <chrono>
#include <tuple>

#include "core/strips.hpp"
#include "tessera/options.hpp"

namespace tessera {

/// Seconds. Reading, work and writing overlap, so they may add up to more than `all`.
struct StageSeconds {
  double read = 0, work = 0, write = 0, all = 0;

  static constexpr auto fields() {
    using S = StageSeconds;
    return std::tuple{field("read", &S::read, "reading"), field("work", &S::work, "computing"),
                      field("write", &S::write, "writing"),
                      field("all", &S::all, "whole duration")};
  }
};

/// Adds the duration of its lifetime to a number.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// stream_rows of one image, timed stage by stage.
void stream_timed(RowSource& source, RowSink& sink, const StripPlan& plan, Stream& stream,
                  StageSeconds& seconds, const std::function<void(int, int)>& progress);

}  // namespace tessera
