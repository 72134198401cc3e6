// SPDX-License-Identifier: Apache-2.0
// The plan: check, choose, run.
#include "tessera/noise.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "ops/noise/noise_check.hpp"
#include "ops/noise/noise_two_pass.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

void check_mode(const NoiseOptions& options) {
  if (options.mode == NoiseMode::grid)
    throw Error(ErrorKind::usage,
                "noise: a plan of every pixel has no mode grid; NoiseGrid has it, or give mode "
                "exact or binned");
}

std::string what_of(const NoiseProblem& p, const NoiseOptions& options) {
  const std::string maps = options.quantiles.orders.empty()
                               ? std::string(name_of(p.estimator))
                               : "quantiles " + to_text(options.quantiles);
  return fmt::format("{} {}{}", name_of(p.mode), maps, p.two_pass ? ", two-pass" : "");
}

}  // namespace

struct Noise::Impl {
  NoiseProblem problem;
  const NoiseMethod* method;
  NoiseRunnerPointer runner;
  std::string what;
};

Noise::Noise(const ImageInfo& image, const NoiseOptions& options) {
  check_mode(options);
  auto impl = std::make_shared<Impl>();
  impl->problem = make_noise_problem(image, options);
  impl->method = &choose("noise", noise_methods(), impl->problem, wanted_backend(options.backend),
                         options.method, this_machine());
  impl->runner = make_noise_runner(impl->problem, *impl->method);
  impl->what = what_of(impl->problem, options);
  impl_ = std::move(impl);
}

const ImageInfo& Noise::input() const { return impl_->problem.image; }
const ImageInfo& Noise::output() const { return impl_->problem.output; }
Rows Noise::needs(Rows out) const { return impl_->problem.needs(out); }
int Noise::source_row(int row) const {
  return border_index(row, impl_->problem.image.size.height, impl_->problem.border);
}
int Noise::row_step() const { return impl_->problem.row_step(); }
Backend Noise::backend() const { return impl_->method->backend; }
std::string Noise::method() const { return impl_->method->name; }
int Noise::device() const {
  return impl_->method->backend == Backend::cuda ? impl_->problem.device : kHost;
}

void Noise::operator()(AnyView in, AnyMutableView out) const {
  Stream& stream = thread_stream(device());
  (*this)(Piece{in, 0}, MutablePiece{out, 0}, stream);
  stream.wait();
}

void Noise::operator()(const Piece& in, const MutablePiece& out, Stream& stream) const {
  const NoiseProblem& p = impl_->problem;
  check_call("noise", in, out, p.image, p.output, stream, device());
  if (out.view.size.empty()) return;
  impl_->runner->run(in, out, stream);
}

std::string Noise::describe() const {
  const NoiseProblem& p = impl_->problem;
  return fmt::format("noise {}, box {}x{}, {}: {} {}, {}", image_text(p.image), p.box.width,
                     p.box.height, impl_->what, name_of(impl_->method->backend),
                     impl_->method->name, impl_->runner->describe());
}

}  // namespace tessera
