// SPDX-License-Identifier: Apache-2.0
// Background and noise from boxes of 32x32.
#include <fmt/format.h>

#include "study/benchmark_image.hpp"
#include "study/call_work.hpp"
#include "tessera/noise.hpp"

namespace tessera {
namespace {

CallWork noise_call(int side) {
  return call_work<Noise>(
      fmt::format("{0}x{0} f32, box 32", side), {benchmark_image({side, side}, 1)}, 1,
      [](const ImageInfo& image, Backend backend, const auto& make) {
        NoiseOptions options;
        options.box = {32, 32};
        options.backend = backend;
        return make(image, options);
      },
      [](const Noise& plan, const CallViews& v) { plan(v.given[0], v.made[0]); });
}

const bool calls_entered = add_call_work({"noise", noise_call});

}  // namespace
}  // namespace tessera
