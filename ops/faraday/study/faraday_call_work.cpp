// SPDX-License-Identifier: Apache-2.0
// Synthesis of 300 channels to 401 depths: a cube has the pixels of an image 16 times smaller each
// way.
#include <fmt/format.h>

#include "ops/faraday/study/faraday_spot_check.hpp"
#include "study/benchmark_image.hpp"
#include "study/call_work.hpp"
#include "tessera/faraday.hpp"

namespace tessera {
namespace {

CallWork faraday_call(int side) {
  const FaradayAxes axes = spot_axes();
  const int pixels = side / 16;
  const Size size{pixels, pixels, 1, axes.channels()};
  return call_work<FaradaySynth>(
      fmt::format("300 channels of {0}x{0} f32, 401 depths", pixels),
      {benchmark_image(size, 1), benchmark_image(size, 2)}, 2,
      [axes](const ImageInfo& image, Backend backend, const auto& make) {
        return make(image, axes, FaradayOptions{.backend = backend});
      },
      [](const FaradaySynth& plan, const CallViews& v) {
        plan(v.given[0], v.given[1], v.made[0], v.made[1]);
      });
}

const bool calls_entered = add_call_work({"faraday", faraday_call});

}  // namespace
}  // namespace tessera
