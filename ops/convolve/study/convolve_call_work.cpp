// SPDX-License-Identifier: Apache-2.0
// A filter of 7x7 that is not separable.
#include <fmt/format.h>

#include "study/benchmark_image.hpp"
#include "study/call_work.hpp"
#include "tessera/convolve.hpp"

namespace tessera {
namespace {

CallWork convolve_call(int side) {
  return call_work<Convolve>(
      fmt::format("{0}x{0} f32 by 7x7", side), {benchmark_image({side, side}, 1)}, 1,
      [weights = benchmark_image({7, 7}, 2)](const ImageInfo& image, Backend backend,
                                             const auto& make) {
        return make(image, weights.view(), ConvolveOptions{.backend = backend});
      },
      [](const Convolve& plan, const CallViews& v) { plan(v.given[0], v.made[0]); });
}

const bool calls_entered = add_call_work({"convolve", convolve_call});

}  // namespace
}  // namespace tessera
