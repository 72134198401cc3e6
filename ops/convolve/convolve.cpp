// SPDX-License-Identifier: Apache-2.0
// The plan: check, choose, run.
#include "tessera/convolve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "core/check.hpp"
#include "core/plan_impl.hpp"
#include "core/refuse.hpp"
#include "ops/convolve/convolve_problem.hpp"
#include "ops/convolve/convolve_volume.hpp"
#include "ops/convolve/tune/convolve_times.hpp"
#include "tessera/error.hpp"
#include "tessera/kept_plans.hpp"

namespace tessera {
namespace {

std::vector<double> read_weights(AnyView filter, bool flip) {
  check_stencil("convolve", "filter", "weight", filter);
  std::vector<double> weights = samples_as_double(filter);
  if (flip) std::reverse(weights.begin(), weights.end());
  return weights;
}

Point find_anchor(const ConvolveOptions& options, Size filter) {
  const Point anchor = anchor_in("convolve", "filter", options.anchor, filter);
  if (options.border == Border::valid) return {0, 0};
  // A turned filter keeps its anchor on the same weight.
  return options.flip ? Point{filter.width - 1 - anchor.x, filter.height - 1 - anchor.y} : anchor;
}

Type find_output_type(const ConvolveOptions& options, Type input) {
  const Type type = options.output_type.value_or(input);
  const bool is_signed = type == Type::i16 && is_integer(input);
  if (is_integer(type) && type != input && !is_signed)
    refuse("convolve",
           fmt::format("output type {} of input {} is not offered; it can be {}", name_of(type),
                       name_of(input),
                       is_integer(input) ? fmt::format("{}, i16, f32 or f64", name_of(input))
                                         : "f32 or f64"));
  return type;
}

ConvolveProblem make_problem(const ImageInfo& image, AnyView filter,
                             const ConvolveOptions& options) {
  const Size s = image.size;
  check_image("convolve", image);
  check_ranges("convolve", options);
  ConvolveProblem p;
  p.image = p.output = image;
  p.weights = read_weights(filter, options.flip);
  p.finite_weights = std::all_of(p.weights.begin(), p.weights.end(),
                                 [](double weight) { return std::isfinite(weight); });
  p.filter_width = filter.size.width;
  p.filter_height = filter.size.height;
  p.anchor = find_anchor(options, filter.size);
  p.border = options.border;
  p.constant = options.constant;
  p.scale = options.scale;
  p.output.type = find_output_type(options, image.type);
  if (std::isinf(options.constant))
    refuse("convolve", "constant is infinite; it can be any finite number, or nan");
  check_constant("convolve", options.border, options.constant, image.type);
  check_constant("convolve", options.border, options.constant, p.output.type);
  if (p.border == Border::valid) {
    p.output.size.width = std::max(0, s.width - p.filter_width + 1);
    p.output.size.height = std::max(0, s.height - p.filter_height + 1);
  }
  p.sums = image.type == Type::f64 || p.output.type == Type::f64 ? Type::f64 : Type::f32;
  p.device = image.device == kHost ? options.device : image.device;
  if (options.method == "lowrank") p.split_side = kMostSplitSide;
  return p;
}

/// cuFFT's method has no counterpart on the CPU: the message names the method to use there.
void check_method(const ConvolveOptions& options) {
  const Backend backend = wanted_backend(options.backend);
  const bool on_cpu =
      backend == Backend::cpu || (backend == Backend::automatic && this_machine().devices.empty());
  if (on_cpu && options.method == "fft-library")
    refuse("convolve",
           "method fft-library runs on CUDA only; on the CPU method fft takes every filter size");
}

ConvolveProblem checked_problem(const ImageInfo& image, AnyView filter,
                                const ConvolveOptions& options) {
  ConvolveProblem problem = make_problem(image, filter, options);
  check_method(options);
  return problem;
}

/// The backend and method asked for.
struct ConvolveWish {
  Backend backend;
  std::string method;
};

struct ConvolvePlan final : RowsPlanOf<ConvolveProblem, ConvolveRunner> {
  ConvolveWish wish;

  ConvolvePlan(ConvolveProblem checked, const ConvolveWish& asked)
      : RowsPlanOf("convolve", std::move(checked), convolve_methods(), asked,
                   {.seconds = convolve_seconds}),
        wish(asked) {}

  /// Whether the CPU may take over when the device runs out of memory.
  bool may_fall_back() const {
    return method.backend == Backend::cuda && problem.image.device == kHost &&
           wish.backend == Backend::automatic;
  }
  /// The plan that a machine without a device would make for the same call; null if the CPU has no
  /// such method. Made once, when the device first runs out of memory.
  std::shared_ptr<const ConvolvePlan> on_cpu() const {
    const std::lock_guard lock(mutex_);
    try {
      if (!on_cpu_)
        on_cpu_ =
            std::make_shared<const ConvolvePlan>(problem, ConvolveWish{Backend::cpu, wish.method});
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage) throw;
    }
    return on_cpu_;
  }
  /// The same plan if it already took over, else null.
  std::shared_ptr<const ConvolvePlan> took_over() const {
    const std::lock_guard lock(mutex_);
    return on_cpu_;
  }

  void run(const Piece& in, const MutablePiece& out, Stream& stream) const override {
    if (problem.image.size.empty())
      refuse("convolve", "the image is empty; there is nothing to filter");
    runner->run(in, out, stream);
  }
  std::string problem_text() const override {
    return fmt::format("convolve {} by {}x{}", image_text(problem.image), problem.filter_width,
                       problem.filter_height);
  }
  std::string runner_text() const override {
    const auto instead = took_over();
    return fmt::format("{}{}{}", runner->describe(),
                       problem.finite_weights ? "" : "; the filter has weights that are not finite",
                       instead ? fmt::format("; the device ran out of memory, cpu {} took over",
                                             instead->method.name)
                               : "");
  }

 private:
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const ConvolvePlan> on_cpu_;
};

std::shared_ptr<const RowsPlan::Impl> make_plan(const ImageInfo& image, AnyView filter,
                                                const ConvolveOptions& options) {
  if (filter.size.planes > 1) return make_convolve_volume(image, filter, options);
  return std::make_shared<const ConvolvePlan>(
      checked_problem(image, filter, options),
      ConvolveWish{wanted_backend(options.backend), options.method});
}

}  // namespace

Convolve::Convolve(const ImageInfo& image, AnyView filter, const ConvolveOptions& options)
    : RowsPlan(make_plan(image, filter, options)) {}

void Convolve::operator()(AnyView in, AnyMutableView out) const {
  Stream& stream = thread_stream(*this);
  (*this)(in, out, stream);
  stream.wait();
}

void Convolve::operator()(AnyView in, AnyMutableView out, Stream& stream) const {
  try {
    (*this)(Piece{in, 0}, MutablePiece{out, 0}, stream);
  } catch (const Error& error) {
    if (backend() == Backend::cpu) throw;
    const auto& plan = impl<ConvolvePlan>();
    const bool left_open = error.kind() == ErrorKind::resources && plan.may_fall_back();
    const auto on_cpu = left_open ? plan.on_cpu() : nullptr;
    if (!on_cpu) throw;
    Stream host(kHost, stream.threads());
    on_cpu->runner->run(Piece{in, 0}, MutablePiece{out, 0}, host);
  }
}

double Convolve::error_bound(double largest_input) const {
  if (const auto* volume = dynamic_cast<const ConvolveVolume*>(&impl<RowsPlan::Impl>()))
    return volume->error_bound(largest_input);
  const auto& plan = impl<ConvolvePlan>();
  const ConvolveProblem& p = plan.problem;
  const double largest =
      p.border == Border::constant ? std::max(largest_input, std::abs(p.constant)) : largest_input;
  const bool single = p.sums == Type::f32 || p.output.type == Type::f32;
  const double eps =
      single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  const auto instead = plan.took_over();
  const double factor =
      std::max(plan.runner->error_factor(), instead ? instead->runner->error_factor() : 0.0);
  if (factor > 0)
    return factor * largest +
           (single ? std::numeric_limits<float>::min() : std::numeric_limits<double>::min());
  // Below the smallest normal number rounding is absolute, not relative.
  const double tiny =
      single ? std::numeric_limits<float>::denorm_min() : std::numeric_limits<double>::denorm_min();
  const auto n = static_cast<double>(p.weights.size());
  double sum = 0;
  for (const double weight : p.weights) sum += std::abs(weight);
  return 2 * n * (eps * std::abs(p.scale) * sum * largest + tiny);
}

Image convolve(AnyView in, AnyView filter, const ConvolveOptions& options) {
  const auto plan = kept_plan<Convolve>(in.info(), filter, options);
  Image out(plan.output());
  plan(in, out.view());
  return out;
}

}  // namespace tessera
