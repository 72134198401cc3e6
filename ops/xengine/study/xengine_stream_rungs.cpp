// SPDX-License-Identifier: Apache-2.0
// Host to host: the way there, the kernel with sums in registers, the way back. On one stream all
// of it in turn; on several, channels whose ways overlap.
#include <algorithm>

#include "core/device.hpp"
#include "core/kernel.hpp"
#include "ops/xengine/study/sums_args.cuh"
#include "ops/xengine/study/xengine_rungs.hpp"
#include "study/study_lanes.hpp"
#include "study/study_loops.hpp"
#include "tessera/image.hpp"

namespace tessera {
namespace {

constexpr int kStreams = 4;

/// Some channels on their way through the device: memory there, and the three steps.
class Strip {
 public:
  Strip(const XEngineCase& c, const XEngineRoom& room, Rows channels, Stream& stream)
      : from_(room.host_given.rows(channels.first, channels.count())),
        to_(room.host_made.rows(channels.first, channels.count())),
        kernel_(
            find_kernel(stream.device(), {"x4_sums_registers", "sums_registers_entry", "", ""})),
        channels_(channels.count()) {
    given_ = device_view(from_, stream, given_memory_);
    made_ = device_view(to_, stream, made_memory_);
    args_ = {static_cast<const signed char*>(given_.data), static_cast<int*>(made_.data),
             c.inputs(), c.samples()};
  }

  void upload(Stream& stream) const { device_stream(stream).copy(from_, given_); }
  void sum(Stream& stream) const { launch_sums(kernel_, args_, channels_, 0, stream); }
  void download(Stream& stream) const { device_stream(stream).copy(made_, to_); }
  void all(Stream& stream) const {
    upload(stream);
    sum(stream);
    download(stream);
  }

 private:
  AnyMutableView from_, to_, given_, made_;
  const GpuKernel& kernel_;
  int channels_;
  Scratch given_memory_, made_memory_;
  SumsArgs args_{};
};

const XEngineRoom& host_room(const XEngineCase& c, Stream& stream) {
  return c.room({GivenForm::time_input, MadeForm::full, false, false}, stream);
}

PreparedRung prepare_one(const XEngineCase& c, Stream& stream) {
  PreparedRung rung = described_xengine(c, MadeForm::full);
  const auto strip =
      std::make_shared<const Strip>(c, host_room(c, stream), Rows{0, c.channels()}, stream);
  rung.run = [strip](Stream& on) { strip->all(on); };
  return rung;
}

PreparedRung prepare_several(const XEngineCase& c, Stream& stream) {
  const auto lanes = std::make_shared<std::vector<Lane<Strip>>>();
  const int strips = std::min(kStreams, c.channels());
  for (int k = 0; k < strips; ++k) {
    Stream own(stream.device());
    Strip strip(c, host_room(c, stream),
                {c.channels() * k / strips, c.channels() * (k + 1) / strips}, own);
    lanes->push_back({own, std::move(strip)});
  }
  PreparedRung rung = described_xengine(c, MadeForm::full);
  rung.tiles = strips;
  rung.run = [lanes](Stream& on) { run_lanes(*lanes, on); };
  return rung;
}

}  // namespace

std::vector<XEngineRung> xengine_stream_rungs() {
  const std::vector<std::string> files{xengine_ladder_file("xengine_stream_rungs."),
                                       xengine_ladder_file("x4_")};
  return {{"gpu.stream", "registers with both ways, one stream", files, prepare_one},
          {"gpu.streams", "the same on four streams", files, prepare_several}};
}

XEngineTransfer time_xengine_transfer(const XEngineCase& c, Stream& stream) {
  const Strip strip(c, host_room(c, stream), {0, c.channels()}, stream);
  const auto timed = [&](void (Strip::*step)(Stream&) const) {
    PreparedRung part;
    part.run = [&](Stream& on) { (strip.*step)(on); };
    return 1e3 * time_rung(part, stream).seconds;
  };
  return {timed(&Strip::upload), timed(&Strip::sum), timed(&Strip::download)};
}

}  // namespace tessera
