// SPDX-License-Identifier: Apache-2.0
// The plan: check, choose, run.
#include "tessera/morphology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "core/plan_impl.hpp"
#include "core/refuse.hpp"
#include "ops/morphology/morphology_problem.hpp"
#include "ops/morphology/morphology_volume.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera {
namespace {

const char* operation_name(MorphologyKind kind) { return name_of(kind).data(); }

/// One value per pixel: whether it belongs to the element.
std::vector<bool> read_members(MorphologyKind kind, AnyView element) {
  const Size s = element.size;
  check_stencil(operation_name(kind), "element", "pixel", element);
  const std::vector<double> values = samples_as_double(element);
  std::vector<bool> members;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (std::isnan(values[k]))
      refuse(name_of(kind),
             fmt::format("the element's pixel at column {}, row {} is nan; it must be 0 or "
                         "not",
                         k % s.width, k / s.width));
    members.push_back(values[k] != 0);
  }
  if (std::find(members.begin(), members.end(), true) == members.end())
    refuse(name_of(kind),
           fmt::format("all {} pixels of the element are 0; at least one must not be",
                       members.size()));
  return members;
}

std::vector<ElementRun> find_runs(const std::vector<bool>& members, int width) {
  std::vector<ElementRun> runs;
  for (int k = 0; k < std::ssize(members); ++k) {
    if (!members[k]) continue;
    if (k % width != 0 && members[k - 1])
      ++runs.back().length;
    else
      runs.push_back({k / width, k % width, 1});
  }
  return runs;
}

/// Cuts empty rows and columns off the element's sides; the anchor moves along.
void trim(MorphologyProblem& p) {
  int left = p.element.width, right = 0;
  const int top = p.runs.front().row, bottom = p.runs.back().row + 1;
  for (const ElementRun& run : p.runs) {
    left = std::min(left, run.first);
    right = std::max(right, run.first + run.length);
  }
  for (ElementRun& run : p.runs) {
    run.row -= top;
    run.first -= left;
  }
  p.width = right - left;
  p.height = bottom - top;
  p.anchor = {p.anchor.x - left, p.anchor.y - top};
}

MorphologyProblem make_problem(MorphologyKind kind, const ImageInfo& image, AnyView element,
                               const MorphologyOptions& options) {
  check_image(operation_name(kind), image);
  check_constant(operation_name(kind), options.border, options.constant, image.type);
  MorphologyProblem p;
  p.kind = kind;
  p.image = p.output = image;
  p.element = element.size;
  std::vector<bool> members = read_members(kind, element);
  p.anchor = anchor_in(operation_name(kind), "element", options.anchor, p.element);
  if ((kind == MorphologyKind::dilate) != options.flip) {
    std::reverse(members.begin(), members.end());
    p.anchor = {p.element.width - 1 - p.anchor.x, p.element.height - 1 - p.anchor.y};
  }
  p.runs = find_runs(members, p.element.width);
  p.border = options.border;
  // All NaN are one: a sign would make it smaller than every number.
  p.constant =
      std::isnan(options.constant) ? std::numeric_limits<double>::quiet_NaN() : options.constant;
  if (p.border == Border::valid) {
    p.output.size.width = std::max(0, image.size.width - p.element.width + 1);
    p.output.size.height = std::max(0, image.size.height - p.element.height + 1);
    p.first_pixel = p.anchor;
    p.anchor = {0, 0};
  }
  trim(p);
  p.device = image.device == kHost ? options.device : image.device;
  return p;
}

Image apply(MorphologyKind kind, AnyView in, AnyView element, const MorphologyOptions& options) {
  const auto plan = kept_plan<Morphology>(kind, in.info(), element, options);
  Image out(plan.output());
  plan(in, out.view());
  return out;
}

struct MorphologyPlan final : RowsPlanOf<MorphologyProblem> {
  using RowsPlanOf::RowsPlanOf;
  std::string problem_text() const override {
    return fmt::format("{} {} by {}x{}", name_of(problem.kind), image_text(problem.image),
                       problem.element.width, problem.element.height);
  }
};

std::shared_ptr<const RowsPlan::Impl> make_plan(MorphologyKind kind, const ImageInfo& image,
                                                AnyView element, const MorphologyOptions& options) {
  if (element.size.planes > 1) return make_morphology_volume(kind, image, element, options);
  return std::make_shared<const MorphologyPlan>(operation_name(kind),
                                                make_problem(kind, image, element, options),
                                                morphology_methods(), options);
}

}  // namespace

Morphology::Morphology(MorphologyKind kind, const ImageInfo& image, AnyView element,
                       const MorphologyOptions& options)
    : RowsPlan(make_plan(kind, image, element, options)) {}

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

}  // namespace tessera
