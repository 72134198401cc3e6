// SPDX-License-Identifier: Apache-2.0
// The chain of the paper on a scan in colours.
#include <fmt/format.h>

#include "sample/scene.hpp"
#include "study/call_work.hpp"
#include "tessera/enhance.hpp"

namespace tessera {
namespace {

CallWork enhance_call(int side) {
  return call_work<Enhance>(
      fmt::format("{0}x{0} RGB u8, grey,contrast,smooth", side),
      {scene({side, side, 3}, 1, Type::u8)}, 1,
      [](const ImageInfo& image, Backend backend, const auto& make) {
        return make(image, EnhanceOptions{.steps = "grey,contrast,smooth", .backend = backend});
      },
      [](const Enhance& plan, const CallViews& v) { plan(v.given[0], v.made[0]); });
}

const bool calls_entered = add_call_work({"enhance", enhance_call});

}  // namespace
}  // namespace tessera
