// SPDX-License-Identifier: Apache-2.0
/// Rungs from host to host: strips of a case that are uploaded, computed and downloaded. On one
/// stream all of it in turn; on several, strips whose copies both ways overlap.
///
/// A strip has the three steps `upload`, `compute` and `download`, each enqueued on a stream.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "study/rung.hpp"
#include "study/study_result.hpp"
#include "tessera/image.hpp"
#include "tessera/stream.hpp"

namespace tessera {

/// Milliseconds of the three steps on one stream, each by itself.
struct TransferTimes {
  double upload = 0, compute = 0, download = 0;
  double copies() const { return upload + download; }
};

/// The time of both ways over that of the computation; none without a device.
std::optional<double> copies_over_compute(const std::optional<TransferTimes>& times);

/// The shares of copies and kernels in the time of a rung from host to host.
void add_shares(StudyRow& row, const TransferTimes& times);

/// "" without a device.
std::string one_stream_text(const std::optional<TransferTimes>& times);

/// Milliseconds of a step, by the clock of the rungs.
double step_ms(Stream& stream, std::function<void(Stream&)> step);

template <class Strip>
TransferTimes time_steps(const Strip& strip, Stream& stream) {
  return {step_ms(stream, [&](Stream& on) { strip.upload(on); }),
          step_ms(stream, [&](Stream& on) { strip.compute(on); }),
          step_ms(stream, [&](Stream& on) { strip.download(on); })};
}

template <class Strip>
void run_steps(const Strip& strip, Stream& on) {
  strip.upload(on);
  strip.compute(on);
  strip.download(on);
}

/// The whole case as one strip.
template <class Strip>
PreparedRung on_one_stream(Strip strip) {
  PreparedRung rung;
  rung.run = [strip = std::make_shared<const Strip>(std::move(strip))](Stream& on) {
    run_steps(*strip, on);
  };
  return rung;
}

inline constexpr int kStudyStreams = 4;

/// `rows` rows in strips, each on a stream that begins when the study's does and ends before it.
/// `make(rows, stream)` makes a strip.
template <class Make>
PreparedRung on_several_streams(int rows, Stream& stream, Make make) {
  using Strip = decltype(make(Rows{}, stream));
  struct Lane {
    Stream stream;
    Strip strip;
  };
  const auto lanes = std::make_shared<std::vector<Lane>>();
  const int strips = std::min(kStudyStreams, rows);
  for (int k = 0; k < strips; ++k) {
    Stream own(stream.device());
    Strip strip = make(Rows{rows * k / strips, rows * (k + 1) / strips}, own);
    lanes->push_back({own, std::move(strip)});
  }
  PreparedRung rung;
  rung.tiles = strips;
  rung.run = [lanes](Stream& on) {
    for (Lane& lane : *lanes) {
      lane.stream.after(on);
      run_steps(lane.strip, lane.stream);
    }
    for (Lane& lane : *lanes) on.after(lane.stream);
  };
  return rung;
}

}  // namespace tessera
