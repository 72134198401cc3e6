// SPDX-License-Identifier: Apache-2.0
// Usual filters, small to large: separable, and not.
#include <fmt/format.h>

#include "ops/convolve/convolve_problem.hpp"
#include "study/benchmark_image.hpp"
#include "study/choice_work.hpp"

namespace tessera {
namespace {

ChoiceWays filter_ways(int side, const Image& weights) {
  const Image image = benchmark_image({side, side}, 1);
  Image made(image.info());
  return choice_ways(
      convolve_methods(),
      [&](Backend backend, const std::string& method) {
        return Convolve(image.info(), weights.view(), {.backend = backend, .method = method});
      },
      [image, made](const Convolve& plan) mutable { plan(image.view(), made.view()); });
}

std::vector<ChoiceWork> convolve_choices(int side) {
  std::vector<ChoiceWork> works;
  for (const int width : {3, 15, 63})
    works.push_back({fmt::format("convolve {0}x{0} f32 by {1}x{1}", side, width), [=] {
                       return filter_ways(side, benchmark_image({width, width}, 2));
                     }});
  works.push_back({fmt::format("convolve {0}x{0} f32 by box:31x31", side),
                   [=] { return filter_ways(side, box(31, 31)); }});
  works.push_back({fmt::format("convolve {0}x{0} f32 by gauss:2.5", side),
                   [=] { return filter_ways(side, gaussian(2.5)); }});
  return works;
}

const bool choices_entered = add_choice_work({"convolve", convolve_choices});

}  // namespace
}  // namespace tessera
