// SPDX-License-Identifier: Apache-2.0
// Host to host on one stream: the way there, the histogram that slides, the way back.
#include "core/device.hpp"
#include "ops/noise/study/noise_rungs.hpp"
#include "study/study_loops.hpp"

namespace tessera {
namespace {

void upload(const NoiseCase& c, Stream& stream) {
  device_stream(stream).copy(c.given(false), c.given(true));
}
void download(const NoiseCase& c, Stream& stream) {
  device_stream(stream).copy(c.maps(true), c.maps(false));
}

PreparedRung prepare_stream(const NoiseCase& c, Stream&) {
  PreparedRung rung = described_noise(c, "gpu.stream", NoiseTruth::sorted);
  rung.run = [&c](Stream& on) {
    upload(c, on);
    launch_box_slide(c, on);
    download(c, on);
  };
  return rung;
}

}  // namespace

NoiseRung noise_stream_rung() {
  return {"gpu.stream",
          "the same with both ways, one stream",
          {noise_ladder_file("noise_stream_rungs."), noise_ladder_file("n4_"),
           noise_ladder_file("box_slide_bodies.")},
          prepare_stream};
}

NoiseTransfer time_noise_transfer(const NoiseCase& c, Stream& stream) {
  const auto timed = [&](void (*step)(const NoiseCase&, Stream&)) {
    PreparedRung part;
    part.run = [&c, step](Stream& on) { step(c, on); };
    return 1e3 * time_rung(part, stream).seconds;
  };
  return {timed(upload), timed(launch_box_slide), timed(download)};
}

}  // namespace tessera
