// SPDX-License-Identifier: Apache-2.0
// The plan: check, choose, run.
#include "tessera/noise.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "core/plan_impl.hpp"
#include "ops/noise/noise_check.hpp"
#include "ops/noise/noise_two_pass.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

NoiseProblem make_problem(const ImageInfo& image, const NoiseOptions& options) {
  if (options.mode == NoiseMode::grid)
    throw Error(ErrorKind::usage,
                "noise: a plan of every pixel has no mode grid; NoiseGrid has it, or give mode "
                "exact or binned");
  return make_noise_problem(image, options);
}

std::string what_of(const NoiseProblem& p, const NoiseOptions& options) {
  const std::string maps = options.quantiles.orders.empty()
                               ? std::string(name_of(p.estimator))
                               : "quantiles " + to_text(options.quantiles);
  return fmt::format("{} {}{}", name_of(p.mode), maps, p.two_pass ? ", two-pass" : "");
}

struct NoisePlan final : RowsPlanOf<NoiseProblem> {
  std::string what;  ///< "exact iqr"

  NoisePlan(const ImageInfo& image, const NoiseOptions& options)
      : RowsPlanOf("noise", make_problem(image, options), noise_methods(), options,
                   {.make = make_noise_runner}),
        what(what_of(problem, options)) {}

  int row_step() const override { return problem.row_step(); }
  std::string problem_text() const override {
    return fmt::format("noise {}, box {}x{}, {}", image_text(problem.image), problem.box.width,
                       problem.box.height, what);
  }
};

}  // namespace

Noise::Noise(const ImageInfo& image, const NoiseOptions& options)
    : RowsPlan(std::make_shared<const NoisePlan>(image, options)) {}

}  // namespace tessera
