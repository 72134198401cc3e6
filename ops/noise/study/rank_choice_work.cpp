// SPDX-License-Identifier: Apache-2.0
// Medians of windows near which another method becomes the fastest.
#include <fmt/format.h>

#include "ops/noise/rank/rank_problem.hpp"
#include "study/benchmark_image.hpp"
#include "study/choice_work.hpp"

namespace tessera {
namespace {

ChoiceWays median_ways(int side, const std::string& window) {
  const Image image = benchmark_image({side, side}, 1);
  const Image shape = element_from_text(window);
  Image made(image.info());
  return choice_ways(
      rank_methods(),
      [&](Backend backend, const std::string& method) {
        return RankFilter(image.info(), shape.view(), {.backend = backend, .method = method});
      },
      [image, made](const RankFilter& plan) mutable { plan(image.view(), made.view()); });
}

std::vector<ChoiceWork> rank_choices(int side) {
  std::vector<ChoiceWork> works;
  for (const char* window : {"box:5x5", "disk:2", "box:9x9"})
    works.push_back({fmt::format("median {0}x{0} f32 by {1}", side, window),
                     [=] { return median_ways(side, window); }});
  return works;
}

const bool rank_choices_entered = add_choice_work({"rank", rank_choices});

}  // namespace
}  // namespace tessera
