// SPDX-License-Identifier: Apache-2.0
// The plan: check, choose, run.
#include "tessera/match_template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "core/counted.hpp"
#include "core/plan_impl.hpp"
#include "core/refuse.hpp"
#include "core/samples.hpp"
#include "ops/correlate/match/match_problem.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera {
namespace {

constexpr const char* kMatch = "match";

void check_template(const ImageInfo& image, const AnyView& pattern, const AnyView& mask) {
  const Size s = pattern.size, in = image.size;
  if (pattern.device != kHost || mask.device != kHost)
    refuse(kMatch, "the template and its mask must be in host memory");
  if (s.empty() || s.planes != 1)
    refuse(kMatch, fmt::format("the template is {}x{} with {}; it must have pixels, and one plane",
                               s.width, s.height, counted(s.planes, "plane")));
  if (s.channels != in.channels)
    refuse(kMatch, fmt::format("the template has {} and the image {}; give both the same",
                               counted(s.channels, "channel"), counted(in.channels, "channel")));
  if (in.empty())
    refuse(kMatch, fmt::format("the image is {}x{} with {}; it needs at least one pixel", in.width,
                               in.height, counted(in.planes, "plane")));
  if (s.width > in.width || s.height > in.height)
    refuse(kMatch, fmt::format("the template is {}x{}, larger than the image of {}x{}; it must fit "
                               "into the image",
                               s.width, s.height, in.width, in.height));
  const Size m = mask.size;
  if (mask.data && (m.width != s.width || m.height != s.height || m.channels != 1 || m.planes != 1))
    refuse(kMatch, fmt::format("the mask is {}x{} with {} and {}; it must be {}x{} with one of "
                               "each, as the template",
                               m.width, m.height, counted(m.channels, "channel"),
                               counted(m.planes, "plane"), s.width, s.height));
}

void read_template(MatchProblem& p, const AnyView& pattern, const AnyView& mask) {
  p.width = pattern.size.width;
  p.height = pattern.size.height;
  const int channels = p.channels();
  p.pattern.resize(static_cast<std::size_t>(p.pixels() * channels));
  for (int y = 0; y < p.height; ++y)
    for (int x = 0; x < p.width; ++x) {
      bool counts = !mask.data || sample_at(mask, x, y, 0, 0) != 0;
      for (int c = 0; c < channels; ++c)
        counts = counts && std::isfinite(sample_at(pattern, x, y, c, 0));
      for (int c = 0; c < channels; ++c)
        p.pattern[static_cast<std::size_t>(c * p.pixels() + 1LL * y * p.width + x)] =
            counts ? sample_at(pattern, x, y, c, 0) : std::numeric_limits<double>::quiet_NaN();
      p.counted += counts;
    }
  if (p.counted == 0)
    refuse(kMatch, "no pixel of the template counts; it needs one that is finite and not masked");
}

MatchProblem make_problem(const ImageInfo& image, const AnyView& pattern, const AnyView& mask,
                          const MatchOptions& options) {
  check_image(kMatch, image);
  check_ranges(kMatch, options);
  if (wanted_backend(options.backend) == Backend::cuda)
    refuse(kMatch, "it runs on the CPU only; give backend auto or cpu");
  check_constant(kMatch, options.border, options.constant, Type::f64);
  if (std::isinf(options.constant))
    refuse(kMatch, "constant is infinite; it can be any finite number, or nan");
  const Type type = options.output_type.value_or(Type::f32);
  if (type != Type::f32 && type != Type::f64)
    refuse(kMatch, fmt::format("output-type is {}; a map is f32 or f64", name_of(type)));
  check_template(image, pattern, mask);
  MatchProblem p;
  p.image = image;
  p.output = {{image.size.width, image.size.height, 1, image.size.planes}, type, image.device};
  p.border = options.border;
  p.constant = options.constant;
  p.overlap = options.overlap;
  p.device = image.device == kHost ? options.device : image.device;
  read_template(p, pattern, mask);
  if (p.border == Border::valid) {
    p.output.size.width = std::max(0, image.size.width - p.width + 1);
    p.output.size.height = std::max(0, image.size.height - p.height + 1);
  } else {
    p.anchor = {p.width / 2, p.height / 2};
  }
  if (options.method == "auto") p.products = method_of_products(p);
  return p;
}

struct MatchPlan final : RowsPlanOf<MatchProblem> {
  using RowsPlanOf::RowsPlanOf;
  std::string problem_text() const override {
    const std::string some =
        problem.whole() ? "" : fmt::format(", {} of its pixels", problem.counted);
    return fmt::format("{} {} with {}x{}{}", kMatch, image_text(problem.image), problem.width,
                       problem.height, some);
  }
};

}  // namespace

MatchTemplate::MatchTemplate(const ImageInfo& image, AnyView pattern, const MatchOptions& options)
    : MatchTemplate(image, pattern, AnyView(), options) {}

MatchTemplate::MatchTemplate(const ImageInfo& image, AnyView pattern, AnyView mask,
                             const MatchOptions& options)
    : RowsPlan(std::make_shared<const MatchPlan>(
          kMatch, make_problem(image, pattern, mask, options), match_methods(), options)) {}

Point MatchTemplate::first_place() const {
  const Point anchor = impl<MatchPlan>().problem.anchor;
  return {-anchor.x, -anchor.y};
}

Image match_template(AnyView image, AnyView pattern, const MatchOptions& options) {
  const auto plan = kept_plan<MatchTemplate>(image.info(), pattern, options);
  Image map(plan.output());
  plan(image, map.view());
  return map;
}

Image match_template(AnyView image, AnyView pattern, AnyView mask, const MatchOptions& options) {
  if (!mask.data) return match_template(image, pattern, options);
  const auto plan = kept_plan<MatchTemplate>(image.info(), pattern, mask, options);
  Image map(plan.output());
  plan(image, map.view());
  return map;
}

}  // namespace tessera
