// SPDX-License-Identifier: Apache-2.0
// Synthesis of 300 channels to 401 depths. A cube has the pixels of an image eight times smaller
// each way: it has 300 times the samples.
#include <fmt/format.h>

#include "ops/faraday/study/faraday_spot_check.hpp"
#include "ops/faraday/synth/faraday_problem.hpp"
#include "study/benchmark_image.hpp"
#include "study/choice_work.hpp"

namespace tessera {
namespace {

ChoiceWays cube_ways(int side) {
  const FaradayAxes axes = spot_axes();
  const Size size{side, side, 1, axes.channels()};
  const Image q = benchmark_image(size, 1), u = benchmark_image(size, 2);
  const auto plan = [&](Backend backend, const std::string& method) {
    return FaradaySynth(q.info(), axes, {.backend = backend, .method = method});
  };
  const ImageInfo made = plan(Backend::automatic, "auto").output();
  Image real(made), imaginary(made);
  return choice_ways(faraday_methods(), plan,
                     [q, u, real, imaginary](const FaradaySynth& ready) mutable {
                       ready(q.view(), u.view(), real.view(), imaginary.view());
                     });
}

std::vector<ChoiceWork> faraday_choices(int side) {
  const int pixels = side / 8;
  return {{fmt::format("faraday 300 channels of {0}x{0} f32, 401 depths", pixels),
           [=] { return cube_ways(pixels); }}};
}

const bool choices_entered = add_choice_work({"faraday", faraday_choices});

}  // namespace
}  // namespace tessera
