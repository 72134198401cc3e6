// SPDX-License-Identifier: Apache-2.0
// Host to host on one stream: upload, the histogram that slides, download.
#include "core/device.hpp"
#include "ops/noise/study/noise_rungs.hpp"

namespace tessera {
namespace {

/// The whole image: both sides of the case have memory for it.
struct Strip {
  const NoiseCase& c;

  void upload(Stream& stream) const { device_stream(stream).copy(c.given(false), c.given(true)); }
  void compute(Stream& stream) const { launch_box_slide(c, stream); }
  void download(Stream& stream) const { device_stream(stream).copy(c.maps(true), c.maps(false)); }
};

PreparedRung prepare_stream(const NoiseCase& c, Stream&) {
  return described_noise(c, "gpu.stream", NoiseTruth::sorted, on_one_stream(Strip{c}));
}

}  // namespace

NoiseRung noise_stream_rung() {
  return {"gpu.stream",
          "the same with copies both ways, one stream",
          {noise_ladder_file("noise_stream_rungs."), noise_ladder_file("n4_"),
           noise_ladder_file("box_slide_bodies.")},
          prepare_stream};
}

TransferTimes time_noise_transfer(const NoiseCase& c, Stream& stream) {
  return time_steps(Strip{c}, stream);
}

}  // namespace tessera
