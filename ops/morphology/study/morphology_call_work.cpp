// SPDX-License-Identifier: Apache-2.0
// An erosion by a box of 5x5.
#include <fmt/format.h>

#include "study/benchmark_image.hpp"
#include "study/call_work.hpp"
#include "tessera/elements.hpp"
#include "tessera/morphology.hpp"

namespace tessera {
namespace {

CallWork morphology_call(int side) {
  return call_work<Morphology>(
      fmt::format("{0}x{0} f32 eroded by box:5x5", side), {benchmark_image({side, side}, 1)}, 1,
      [shape = element_from_text("box:5x5")](const ImageInfo& image, Backend backend,
                                             const auto& make) {
        return make(MorphologyKind::erode, image, shape.view(),
                    MorphologyOptions{.backend = backend});
      },
      [](const Morphology& plan, const CallViews& v) { plan(v.given[0], v.made[0]); });
}

const bool calls_entered = add_call_work({"morphology", morphology_call});

}  // namespace
}  // namespace tessera
