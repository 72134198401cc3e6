// SPDX-License-Identifier: Apache-2.0
// Boxes of two sizes, exact and binned.
#include <fmt/format.h>

#include "ops/noise/noise_problem.hpp"
#include "study/benchmark_image.hpp"
#include "study/choice_work.hpp"
#include "tessera/noise.hpp"

namespace tessera {
namespace {

ChoiceWays box_ways(int side, int box, NoiseMode mode) {
  const Image image = benchmark_image({side, side}, 1);
  const auto plan = [&](Backend backend, const std::string& method) {
    NoiseOptions options;
    options.box = {box, box};
    options.mode = mode;
    options.backend = backend;
    options.method = method;
    return Noise(image.info(), options);
  };
  Image maps(plan(Backend::automatic, "auto").output());
  return choice_ways(noise_methods(), plan, [image, maps](const Noise& ready) mutable {
    ready(image.view(), maps.view());
  });
}

std::vector<ChoiceWork> noise_choices(int side) {
  std::vector<ChoiceWork> works;
  for (const NoiseMode mode : {NoiseMode::exact, NoiseMode::binned})
    for (const int box : {16, 64})
      works.push_back({fmt::format("noise {0}x{0} f32, box {1}, {2}", side, box, name_of(mode)),
                       [=] { return box_ways(side, box, mode); }});
  return works;
}

const bool choices_entered = add_choice_work({"noise", noise_choices});

}  // namespace
}  // namespace tessera
