// SPDX-License-Identifier: Apache-2.0
// The plans: check, choose, run.
#include "tessera/rank_filter.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "core/device.hpp"
#include "core/plan_impl.hpp"
#include "ops/noise/rank/rank_problem.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera {
namespace {

struct RankPlan final : RowsPlanOf<RankProblem> {
  using RowsPlanOf::RowsPlanOf;
  std::string problem_text() const override {
    const Size size = problem.footprint;
    const std::string window = problem.is_box() ? "" : fmt::format(" of {}", problem.count());
    const std::string planes = problem.is_flat() ? "" : fmt::format("x{}", problem.depth);
    return fmt::format("{} {} by {}x{}{}{}", operation, image_text(problem.image), size.width,
                       size.height, planes, window);
  }
};

template <class Options>
std::shared_ptr<const RankPlan> make_plan(const RankProblem& problem, const Options& options) {
  return std::make_shared<const RankPlan>(problem.operation, problem, rank_methods(), options);
}

/// A whole image, which may be on a device; the result is in host memory.
Image filtered(const RowsPlan& plan, AnyView in) {
  Image out(ImageInfo{plan.output().size, plan.output().type});
  if (in.device == kHost || in.size.empty()) {
    plan(in, out.view());
    return out;
  }
  Stream& stream = thread_stream(plan);
  const Scratch memory = stream.scratch(static_cast<std::size_t>(bytes_of(plan.output())));
  const AnyMutableView result = packed(memory.data(), plan.output());
  plan(Piece{in, 0}, MutablePiece{result, 0}, stream);
  device_stream(stream).copy(result, out.view());
  stream.wait();
  return out;
}

}  // namespace

RankFilter::RankFilter(const ImageInfo& image, AnyView footprint, const RankOptions& options)
    : RowsPlan(make_plan(make_rank_problem(image, footprint, options), options)) {}

PercentileFilter::PercentileFilter(const ImageInfo& image, double percentile,
                                   const PercentileOptions& options)
    : RowsPlan(make_plan(make_box_problem(image, percentile, options), options)) {}

Image rank_filter(AnyView in, AnyView footprint, const RankOptions& options) {
  return filtered(kept_plan<RankFilter>(in.info(), footprint, options), in);
}
Image median(AnyView in, AnyView footprint, const MedianOptions& options) {
  return rank_filter(in, footprint, options.ranks());
}
Image percentile_filter(AnyView in, double percentile, const PercentileOptions& options) {
  return filtered(kept_plan<PercentileFilter>(in.info(), percentile, options), in);
}

}  // namespace tessera
