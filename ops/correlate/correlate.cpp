// SPDX-License-Identifier: Apache-2.0
// The plan: check, choose, run.
#include "tessera/correlate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.hpp"
#include "core/counted.hpp"
#include "core/plan_impl.hpp"
#include "core/refuse.hpp"
#include "ops/correlate/correlate_problem.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera {
namespace {

constexpr const char* kName = "correlate";

void check_options(const ImageInfo& image, const CorrelateOptions& options) {
  check_image(kName, image);
  check_ranges(kName, options);
  const Size s = image.size;
  if (s.empty())
    refuse(kName, fmt::format("the image is {}x{} with {}; it needs at least one pixel", s.width,
                              s.height, counted(s.planes, "plane")));
  const int side = std::min(s.width, s.height);
  if (options.max_shift > side)
    refuse(kName, fmt::format("max-shift is {}; it can be 1 to {}, the smaller side of the image",
                              options.max_shift, side));
  if (s.planes % options.batch != 0)
    refuse(kName, fmt::format("batch is {} but there are {} planes; it must divide them",
                              options.batch, s.planes));
}

CorrelateProblem make_problem(const ImageInfo& image, const CorrelateOptions& options) {
  check_options(image, options);
  CorrelateProblem p;
  p.image = image;
  p.batch = options.batch;
  p.planes = image.size.planes / options.batch * image.size.channels;
  p.sums = parse_sums(options.sums, p.planes);
  p.scale = options.scale;
  const bool all = options.quadrants == Quadrants::all;
  p.first_shift = all ? Point{1 - options.max_shift, 1 - options.max_shift} : Point{0, 0};
  p.shifts_x = p.shifts_y = all ? 2 * options.max_shift - 1 : options.max_shift;
  const long long maps = static_cast<long long>(p.sums.size()) * p.batch;
  if (maps > 1 << 30) refuse(kName, fmt::format("{} maps are asked for; that is too many", maps));
  p.output = {{p.shifts_x, p.shifts_y, 1, static_cast<int>(maps)}, Type::f32, image.device};
  p.device = image.device == kHost ? options.device : image.device;
  return p;
}

struct CorrelatePlan final : ImagePlanOf<CorrelateProblem, CorrelateRunner> {
  using ImagePlanOf::ImagePlanOf;
  std::string problem_text() const override {
    const CorrelateProblem& p = problem;
    const Size s = p.image.size;
    return fmt::format("{} {} of {}x{} {}{}, shifts {}x{}", kName, counted(p.planes, "plane"),
                       s.width, s.height, name_of(p.image.type),
                       p.batch == 1 ? "" : fmt::format(" in {} images", p.batch), p.shifts_x,
                       p.shifts_y);
  }
};

}  // namespace

Correlate::Correlate(const ImageInfo& image, const CorrelateOptions& options)
    : ImagePlan(std::make_shared<const CorrelatePlan>(kName, make_problem(image, options),
                                                      correlate_methods(), options)) {}

const std::vector<CorrelateSum>& Correlate::sums() const {
  return impl<CorrelatePlan>().problem.sums;
}
Point Correlate::first_shift() const { return impl<CorrelatePlan>().problem.first_shift; }

void Correlate::operator()(AnyView image, AnyMutableView map) const { (*this)(image, image, map); }

void Correlate::operator()(AnyView image, AnyView other, AnyMutableView map) const {
  Stream& stream = thread_stream(*this);
  (*this)(image, other, map, stream);
  stream.wait();
}

void Correlate::operator()(AnyView image, AnyView other, AnyMutableView map, Stream& stream) const {
  check_whole(kName, "image", image.info(), input());
  check_whole(kName, "other image", other.info(), input());
  check_whole(kName, "map", map.info(), output());
  check_apart(kName, image, map);
  check_apart(kName, other, map);
  check_stream(kName, stream, device());
  impl<CorrelatePlan>().runner->run(image, other, map, stream);
}

Image correlate(AnyView image, const CorrelateOptions& options) {
  return correlate(image, image, options);
}

Image correlate(AnyView image, AnyView other, const CorrelateOptions& options) {
  const auto plan = kept_plan<Correlate>(image.info(), options);
  Image map(plan.output());
  plan(image, other, map.view());
  return map;
}

}  // namespace tessera
