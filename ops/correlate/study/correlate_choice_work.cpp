// SPDX-License-Identifier: Apache-2.0
// Few shifts, and as many as the paper has.
#include <fmt/format.h>

#include "ops/correlate/correlate_problem.hpp"
#include "study/benchmark_image.hpp"
#include "study/choice_work.hpp"

namespace tessera {
namespace {

ChoiceWays shift_ways(int side, int shifts) {
  const Image image = benchmark_image({side, side}, 1);
  const auto plan = [&](Backend backend, const std::string& method) {
    return Correlate(image.info(), {.max_shift = shifts, .backend = backend, .method = method});
  };
  Image map(plan(Backend::automatic, "auto").output());
  return choice_ways(correlate_methods(), plan, [image, map](const Correlate& ready) mutable {
    ready(image.view(), image.view(), map.view());
  });
}

std::vector<ChoiceWork> correlate_choices(int side) {
  std::vector<ChoiceWork> works;
  for (const int shifts : {32, 250})
    works.push_back({fmt::format("correlate {0}x{0} f32, {1} shifts", side, shifts),
                     [=] { return shift_ways(side, shifts); }});
  return works;
}

const bool choices_entered = add_choice_work({"correlate", correlate_choices});

}  // namespace
}  // namespace tessera
