// SPDX-License-Identifier: Apache-2.0
#include "tessera/percentile_filter.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "core/device.hpp"
#include "core/plan_impl.hpp"
#include "ops/noise/noise_check.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera {
namespace {

/// On the device; the result is copied to the host.
Image filtered_on_device(AnyView in, const PercentileFilter& plan) {
  Stream& stream = thread_stream(plan);
  const Scratch memory = stream.scratch(static_cast<std::size_t>(bytes_of(plan.output())));
  const AnyMutableView result = packed(memory.data(), plan.output());
  plan(Piece{in, 0}, MutablePiece{result, 0}, stream);
  Image out(plan.output());
  device_stream(stream).copy(result, out.view());
  stream.wait();
  return out;
}

struct PercentilePlan final : RowsPlanOf<NoiseProblem> {
  using RowsPlanOf::RowsPlanOf;
  std::string problem_text() const override {
    return fmt::format("{} {}, box {}x{}", operation, image_text(problem.image), problem.box.width,
                       problem.box.height);
  }
};

}  // namespace

PercentileFilter::PercentileFilter(const ImageInfo& image, double percentile,
                                   const PercentileOptions& options)
    : RowsPlan(std::make_shared<const PercentilePlan>(
          "percentile_filter", make_percentile_problem(image, percentile, options), noise_methods(),
          options)) {}

Image percentile_filter(AnyView in, double percentile, const PercentileOptions& options) {
  const auto plan = kept_plan<PercentileFilter>(in.info(), percentile, options);
  if (in.device != kHost && !in.size.empty()) return filtered_on_device(in, plan);
  Image out(plan.output());
  plan(in, out.view());
  return out;
}

}  // namespace tessera
