// SPDX-License-Identifier: Apache-2.0
// Two images, 32 shifts.
#include <fmt/format.h>

#include "study/benchmark_image.hpp"
#include "study/call_work.hpp"
#include "tessera/correlate.hpp"

namespace tessera {
namespace {

CallWork correlate_call(int side) {
  return call_work<Correlate>(
      fmt::format("{0}x{0} f32, 32 shifts", side),
      {benchmark_image({side, side}, 1), benchmark_image({side, side}, 2)}, 1,
      [](const ImageInfo& image, Backend backend, const auto& make) {
        return make(image, CorrelateOptions{.max_shift = 32, .backend = backend});
      },
      [](const Correlate& plan, const CallViews& v) { plan(v.given[0], v.given[1], v.made[0]); });
}

const bool calls_entered = add_call_work({"correlate", correlate_call});

}  // namespace
}  // namespace tessera
