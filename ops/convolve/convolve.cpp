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
#include "core/refuse.hpp"
#include "core/rows.hpp"
#include "ops/convolve/convolve_problem.hpp"
#include "ops/convolve/tune/convolve_times.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

std::vector<double> read_weights(AnyView filter, bool flip) {
  const Size s = filter.size;
  if (filter.device != kHost)
    refuse("convolve", "the filter is on a device; its weights must be in host memory");
  if (s.width < 1 || s.height < 1)
    refuse("convolve", fmt::format("the filter is {} by {}; it needs at least one weight each way",
                                   s.width, s.height));
  if (s.channels != 1 || s.planes != 1)
    refuse("convolve", fmt::format("the filter has {} channels and {} planes; it needs one of each",
                                   s.channels, s.planes));
  std::vector<double> weights = samples_as_double(filter);
  if (flip) std::reverse(weights.begin(), weights.end());
  return weights;
}

Point find_anchor(const ConvolveOptions& options, Size filter) {
  const Point centre{filter.width / 2, filter.height / 2};
  Point anchor = options.anchor.value_or(centre);
  if (anchor.x < 0 || anchor.x >= filter.width || anchor.y < 0 || anchor.y >= filter.height)
    refuse("convolve", fmt::format("the anchor {},{} is not in the filter; it can be 0,0 to {},{}",
                                   anchor.x, anchor.y, filter.width - 1, filter.height - 1));
  if (options.border == Border::valid) return {0, 0};
  // A turned filter keeps its anchor on the same weight.
  return options.flip ? Point{filter.width - 1 - anchor.x, filter.height - 1 - anchor.y} : anchor;
}

Type find_output_type(const ConvolveOptions& options, Type input) {
  const Type type = options.output_type.value_or(input);
  if (is_integer(type) && type != input)
    refuse("convolve",
           fmt::format("output type {} of input {} is not offered; it can be f32, f64 or {}",
                       name_of(type), name_of(input), name_of(input)));
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
  if (p.border == Border::valid) {
    p.output.size.width = std::max(0, s.width - p.filter_width + 1);
    p.output.size.height = std::max(0, s.height - p.filter_height + 1);
  }
  p.sums = image.type == Type::f64 || p.output.type == Type::f64 ? Type::f64 : Type::f32;
  p.device = image.device == kHost ? options.device : image.device;
  if (options.method == "lowrank") p.split_side = kMostSplitSide;
  return p;
}

/// cuFFT's method has no counterpart on the CPU: a caller that asks for it there is told what to
/// use.
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

}  // namespace

struct Convolve::Impl {
  ConvolveProblem problem;
  std::string asked;  ///< the method asked for
  const ConvolveMethod* method;
  std::unique_ptr<const ConvolveRunner> runner;
  bool may_fall_back;  ///< to the CPU, when the device runs out of memory

  Impl(ConvolveProblem p, Backend backend, std::string asked_for)
      : problem(std::move(p)),
        asked(std::move(asked_for)),
        method(&choose("convolve", convolve_methods(), problem, backend, asked, this_machine(),
                       convolve_seconds)),
        runner(method->make(problem)),
        may_fall_back(method->backend == Backend::cuda && problem.image.device == kHost &&
                      backend == Backend::automatic) {}

  /// The plan that a machine without a device would make for the same call; null if the CPU has no
  /// such method. Made once, when the device first runs out of memory.
  std::shared_ptr<const Impl> on_cpu() const {
    const std::lock_guard lock(mutex_);
    try {
      if (!on_cpu_) on_cpu_ = std::make_shared<Impl>(problem, Backend::cpu, asked);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage) throw;
    }
    return on_cpu_;
  }
  /// The same plan if it already took over, else null.
  std::shared_ptr<const Impl> took_over() const {
    const std::lock_guard lock(mutex_);
    return on_cpu_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Impl> on_cpu_;
};

Convolve::Convolve(const ImageInfo& image, AnyView filter, const ConvolveOptions& options)
    : impl_(std::make_shared<Impl>(checked_problem(image, filter, options),
                                   wanted_backend(options.backend), options.method)) {}

const ImageInfo& Convolve::input() const { return impl_->problem.image; }
const ImageInfo& Convolve::output() const { return impl_->problem.output; }
Rows Convolve::needs(Rows out) const {
  return impl_->problem.needs(whole_groups(out, row_step(), output().size.height));
}
int Convolve::row_step() const { return impl_->runner->row_step(); }
int Convolve::source_row(int row) const {
  return border_index(row, impl_->problem.image.size.height, impl_->problem.border);
}
Backend Convolve::backend() const { return impl_->method->backend; }
std::string Convolve::method() const { return impl_->method->name; }
int Convolve::device() const {
  return impl_->method->backend == Backend::cuda ? impl_->problem.device : kHost;
}

void Convolve::operator()(AnyView in, AnyMutableView out) const {
  Stream& stream = thread_stream(device());
  (*this)(in, out, stream);
  stream.wait();
}

void Convolve::operator()(AnyView in, AnyMutableView out, Stream& stream) const {
  try {
    (*this)(Piece{in, 0}, MutablePiece{out, 0}, stream);
  } catch (const Error& error) {
    const bool left_open = error.kind() == ErrorKind::resources && impl_->may_fall_back;
    const auto on_cpu = left_open ? impl_->on_cpu() : nullptr;
    if (!on_cpu) throw;
    Stream host(kHost, stream.threads());
    on_cpu->runner->run(Piece{in, 0}, MutablePiece{out, 0}, host);
  }
}

void Convolve::operator()(const Piece& in, const MutablePiece& out, Stream& stream) const {
  const ConvolveProblem& p = impl_->problem;
  check_call("convolve", in, out, p.image, p.output, stream, device());
  if (out.view.size.empty()) return;
  if (p.image.size.empty()) refuse("convolve", "the image is empty; there is nothing to filter");
  impl_->runner->run(in, out, stream);
}

std::string Convolve::describe() const {
  const ConvolveProblem& p = impl_->problem;
  const auto instead = impl_->took_over();
  return fmt::format(
      "convolve {} by {}x{}: {} {}, {}{}{}", image_text(p.image), p.filter_width, p.filter_height,
      name_of(impl_->method->backend), impl_->method->name, impl_->runner->describe(),
      p.finite_weights ? "" : "; the filter has weights that are not finite",
      instead
          ? fmt::format("; the device ran out of memory, cpu {} took over", instead->method->name)
          : "");
}

double Convolve::error_bound(double largest_input) const {
  const ConvolveProblem& p = impl_->problem;
  const double largest =
      p.border == Border::constant ? std::max(largest_input, std::abs(p.constant)) : largest_input;
  const bool single = p.sums == Type::f32 || p.output.type == Type::f32;
  const double eps =
      single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  const auto instead = impl_->took_over();
  const double factor =
      std::max(impl_->runner->error_factor(), instead ? instead->runner->error_factor() : 0.0);
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
  const Convolve plan(in.info(), filter, options);
  Image out(plan.output());
  plan(in, out.view());
  return out;
}

}  // namespace tessera
