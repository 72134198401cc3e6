// SPDX-License-Identifier: Apache-2.0
// Erosion by a box, which is separable, and by a disk.
#include <fmt/format.h>

#include "ops/morphology/morphology_steps.hpp"
#include "study/benchmark_image.hpp"
#include "study/choice_work.hpp"

namespace tessera {
namespace {

ChoiceWays erosion_ways(int side, const std::string& element) {
  const Image image = benchmark_image({side, side}, 1);
  const Image shape = element_from_text(element);
  Image made(image.info());
  return choice_ways(
      morphology_methods(),
      [&](Backend backend, const std::string& method) {
        return Morphology(MorphologyKind::erode, image.info(), shape.view(),
                          {.backend = backend, .method = method});
      },
      [image, made](const Morphology& plan) mutable { plan(image.view(), made.view()); });
}

std::vector<ChoiceWork> morphology_choices(int side) {
  std::vector<ChoiceWork> works;
  for (const char* element : {"box:15x15", "disk:5"})
    works.push_back({fmt::format("erode {0}x{0} f32 by {1}", side, element),
                     [=] { return erosion_ways(side, element); }});
  return works;
}

const bool choices_entered = add_choice_work({"morphology", morphology_choices});

}  // namespace
}  // namespace tessera
