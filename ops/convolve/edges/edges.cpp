// SPDX-License-Identifier: Apache-2.0
// The plan: check, choose, run.
#include "tessera/edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/check.hpp"
#include "core/refuse.hpp"
#include "ops/convolve/edges/edges_problem.hpp"
#include "tessera/kept_plans.hpp"
#include "tune/method_list.hpp"

namespace tessera {
namespace {

EdgesProblem make_edges_problem(const ImageInfo& image, AnyView x, AnyView y,
                                const EdgesOptions& options) {
  check_image("edges", image);
  check_ranges("edges", options);
  for (const AnyView& filter : {x, y}) check_stencil("edges", "filter", "weight", filter);
  if (x.size.width != y.size.width || x.size.height != y.size.height)
    refuse("edges", fmt::format("the filters are {}x{} and {}x{}; they must have the same size",
                                x.size.width, x.size.height, y.size.width, y.size.height));
  if (wanted_backend(options.backend) == Backend::cuda)
    refuse("edges", "there is no method on a device; give backend cpu or auto");
  EdgesProblem p;
  p.image = p.output = image;
  p.x = copy(x);
  p.y = copy(y);
  p.border = options.border;
  p.constant = options.constant;
  p.scale = options.scale;
  p.output.type = options.output_type.value_or(image.type);
  if (is_integer(p.output.type) && p.output.type != image.type)
    refuse("edges",
           fmt::format("output type {} of input {} is not offered; it can be {}f32 or f64",
                       name_of(p.output.type), name_of(image.type),
                       is_integer(image.type) ? fmt::format("{}, ", name_of(image.type)) : ""));
  check_constant("edges", options.border, options.constant, image.type);
  p.device = image.device == kHost ? options.device : image.device;
  p.sums = image.type == Type::f64 || p.output.type == Type::f64 ? Type::f64 : Type::f32;
  if (p.border == Border::valid) {
    p.output.size.width = std::max(0, image.size.width - x.size.width + 1);
    p.output.size.height = std::max(0, image.size.height - x.size.height + 1);
  }
  return p;
}

struct EdgesPlan final : RowsPlanOf<EdgesProblem> {
  using RowsPlanOf::RowsPlanOf;
  std::string problem_text() const override {
    const Size size = problem.x.info().size;
    return fmt::format("edges {} by {}x{}", image_text(problem.image), size.width, size.height);
  }
};

double weights_of(const EdgesProblem& p) {
  return static_cast<double>(p.x.info().size.width) + p.x.info().size.height;
}
// The reference is only used on request, or if nothing else can run.
double edges_reference_seconds(const EdgesProblem& p, const Machine&) {
  return kOnlyOnRequest + 1e-8 * weights_of(p) * static_cast<double>(p.output.size.samples());
}
// Two separable filters, and a root of some 3 ns per sample. There is no other method to compare
// it with; it says how many threads the work is worth.
double edges_pair_seconds(const EdgesProblem& p, const Machine& m) {
  const auto samples = static_cast<double>(p.output.size.samples());
  return samples * (4 * weights_of(p) / m.cpu_flops + 3e-9 / m.threads);
}

const RegisteredMethods edges_methods_list("edges",
                                           [] { return names_of_methods(edges_methods()); });

}  // namespace

const std::vector<EdgesMethod>& edges_methods() {
  static const std::vector<EdgesMethod> methods{
      {"reference", Backend::cpu, refuses_on_host, edges_reference_seconds, make_edges_reference},
      {"pair", Backend::cpu, refuses_on_host, edges_pair_seconds, make_edges_pair},
  };
  return methods;
}

Edges::Edges(const ImageInfo& image, AnyView x, AnyView y, const EdgesOptions& options)
    : RowsPlan(std::make_shared<const EdgesPlan>("edges", make_edges_problem(image, x, y, options),
                                                 edges_methods(), options)) {}

double Edges::error_bound(double largest_input) const {
  const EdgesProblem& p = impl<EdgesPlan>().problem;
  const double x = p.derivative(p.x, p.sums, "auto").error_bound(largest_input),
               y = p.derivative(p.y, p.sums, "auto").error_bound(largest_input);
  const double largest =
      p.border == Border::constant ? std::max(largest_input, std::abs(p.constant)) : largest_input;
  double sum = 0;
  for (const Image* weights : {&p.x, &p.y})
    for (const double weight : samples_as_double(weights->view())) sum += std::abs(weight);
  // The roundings of the squares, their sum, the root and the result.
  const double eps = p.output.type == Type::f64 || is_integer(p.output.type)
                         ? std::numeric_limits<double>::epsilon()
                         : std::numeric_limits<float>::epsilon();
  return std::abs(p.scale) * (std::hypot(x, y) + 4 * eps * sum * largest) +
         (eps > 1e-10 ? std::numeric_limits<float>::denorm_min() : 0.0);
}

Image edges(AnyView in, std::string_view filters, EdgesOptions options) {
  const EdgeFilters pair = edge_filters(filters);
  options.scale *= pair.scale;
  const auto plan = kept_plan<Edges>(in.info(), pair.x.view(), pair.y.view(), options);
  Image out(plan.output());
  plan(in, out.view());
  return out;
}

}  // namespace tessera
