// SPDX-License-Identifier: Apache-2.0
#include "tessera/percentile_filter.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "core/device.hpp"
#include "ops/noise/noise_check.hpp"

namespace tessera {
namespace {

/// On the device; the result is copied to the host.
Image filtered_on_device(AnyView in, const PercentileFilter& plan) {
  Stream& stream = thread_stream(plan.device());
  const Scratch memory = stream.scratch(static_cast<std::size_t>(bytes_of(plan.output())));
  const AnyMutableView result = packed(memory.data(), plan.output());
  plan(Piece{in, 0}, MutablePiece{result, 0}, stream);
  Image out(plan.output());
  device_stream(stream).copy(result, out.view());
  stream.wait();
  return out;
}

}  // namespace

struct PercentileFilter::Impl {
  NoiseProblem problem;
  const NoiseMethod* method;
  NoiseRunnerPointer runner;
};

PercentileFilter::PercentileFilter(const ImageInfo& image, double percentile,
                                   const PercentileOptions& options) {
  auto impl = std::make_shared<Impl>();
  impl->problem = make_percentile_problem(image, percentile, options);
  impl->method = &choose(impl->problem.operation, noise_methods(), impl->problem,
                         wanted_backend(options.backend), options.method, this_machine());
  impl->runner = impl->method->make(impl->problem);
  impl_ = std::move(impl);
}

const ImageInfo& PercentileFilter::input() const { return impl_->problem.image; }
const ImageInfo& PercentileFilter::output() const { return impl_->problem.output; }
Rows PercentileFilter::needs(Rows out) const { return impl_->problem.needs(out); }
int PercentileFilter::source_row(int row) const {
  return border_index(row, impl_->problem.image.size.height, impl_->problem.border);
}
Backend PercentileFilter::backend() const { return impl_->method->backend; }
std::string PercentileFilter::method() const { return impl_->method->name; }
int PercentileFilter::device() const {
  return impl_->method->backend == Backend::cuda ? impl_->problem.device : kHost;
}

void PercentileFilter::operator()(AnyView in, AnyMutableView out) const {
  Stream& stream = thread_stream(device());
  (*this)(Piece{in, 0}, MutablePiece{out, 0}, stream);
  stream.wait();
}

void PercentileFilter::operator()(const Piece& in, const MutablePiece& out, Stream& stream) const {
  const NoiseProblem& p = impl_->problem;
  check_call(p.operation, in, out, p.image, p.output, stream, device());
  if (out.view.size.empty()) return;
  impl_->runner->run(in, out, stream);
}

std::string PercentileFilter::describe() const {
  const NoiseProblem& p = impl_->problem;
  return fmt::format("{} {}, box {}x{}: {} {}, {}", p.operation, image_text(p.image), p.box.width,
                     p.box.height, name_of(backend()), method(), impl_->runner->describe());
}

Image percentile_filter(AnyView in, double percentile, const PercentileOptions& options) {
  const PercentileFilter plan(in.info(), percentile, options);
  if (in.device != kHost && !in.size.empty()) return filtered_on_device(in, plan);
  Image out(plan.output());
  plan(in, out.view());
  return out;
}

}  // namespace tessera
