// SPDX-License-Identifier: Apache-2.0
// A scan in colours through the paper's chain, and CLAHE of grey levels.
#include <fmt/format.h>

#include "ops/enhance/enhance_problem.hpp"
#include "sample/scene.hpp"
#include "study/choice_work.hpp"

namespace tessera {
namespace {

ChoiceWays chain_ways(int side, int channels, const std::string& steps) {
  const Image image = scene({side, side, channels}, 1, Type::u8);
  const auto plan = [&](Backend backend, const std::string& method) {
    return Enhance(image.info(), {.steps = steps, .backend = backend, .method = method});
  };
  Image made(plan(Backend::automatic, "auto").output());
  return choice_ways(enhance_methods(), plan, [image, made](const Enhance& ready) mutable {
    ready(image.view(), made.view());
  });
}

std::vector<ChoiceWork> enhance_choices(int side) {
  return {{fmt::format("enhance {0}x{0} RGB u8, grey,contrast,smooth", side),
           [=] { return chain_ways(side, 3, "grey,contrast,smooth"); }},
          {fmt::format("enhance {0}x{0} u8, clahe", side),
           [=] { return chain_ways(side, 1, "clahe"); }}};
}

const bool choices_entered = add_choice_work({"enhance", enhance_choices});

}  // namespace
}  // namespace tessera
