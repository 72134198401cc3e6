// SPDX-License-Identifier: Apache-2.0
// The plan: choose, run.
#include "tessera/morphology.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "core/plan_impl.hpp"
#include "ops/morphology/morphology_steps.hpp"
#include "ops/morphology/morphology_volume.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera {
namespace {

Image apply(MorphologyKind kind, AnyView in, AnyView element, const MorphologyOptions& options) {
  const auto plan = kept_plan<Morphology>(kind, in.info(), element, options);
  Image out(plan.output());
  plan(in, out.view());
  return out;
}

struct MorphologyPlan final : RowsPlanOf<MorphologySteps> {
  using RowsPlanOf::RowsPlanOf;
  std::string problem_text() const override {
    return fmt::format("{} {} by {}x{}", name_of(problem.kind), image_text(problem.image),
                       problem.element.width, problem.element.height);
  }
};

std::shared_ptr<const RowsPlan::Impl> make_plan(MorphologyKind kind, const ImageInfo& image,
                                                AnyView element, const MorphologyOptions& options,
                                                MorphologySamples samples) {
  if (element.size.planes > 1) return make_morphology_volume(kind, image, element, options);
  return std::make_shared<const MorphologyPlan>(
      name_of(kind).data(), make_morphology_steps(kind, image, element, options, samples),
      morphology_methods(), options);
}

}  // namespace

Morphology::Morphology(MorphologyKind kind, const ImageInfo& image, AnyView element,
                       const MorphologyOptions& options, MorphologySamples samples)
    : RowsPlan(make_plan(kind, image, element, options, samples)) {}

Point Morphology::first_pixel() const {
  if (const auto* volume = dynamic_cast<const MorphologyVolume*>(&impl<RowsPlan::Impl>()))
    return volume->first_pixel;
  return impl<MorphologyPlan>().problem.first_pixel;
}

Image erode(AnyView in, AnyView element, const MorphologyOptions& options) {
  return apply(MorphologyKind::erode, in, element, options);
}
Image dilate(AnyView in, AnyView element, const MorphologyOptions& options) {
  return apply(MorphologyKind::dilate, in, element, options);
}
Image opening(AnyView in, AnyView element, const MorphologyOptions& options) {
  return apply(MorphologyKind::opening, in, element, options);
}
Image closing(AnyView in, AnyView element, const MorphologyOptions& options) {
  return apply(MorphologyKind::closing, in, element, options);
}
Image white_tophat(AnyView in, AnyView element, const MorphologyOptions& options) {
  return apply(MorphologyKind::white_tophat, in, element, options);
}
Image black_tophat(AnyView in, AnyView element, const MorphologyOptions& options) {
  return apply(MorphologyKind::black_tophat, in, element, options);
}
Image morphological_gradient(AnyView in, AnyView element, const MorphologyOptions& options) {
  return apply(MorphologyKind::gradient, in, element, options);
}

}  // namespace tessera
