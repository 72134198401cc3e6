// SPDX-License-Identifier: Apache-2.0
#include "tessera/percentile_filter.hpp"

#include "core/device.hpp"
#include "ops/noise/noise_check.hpp"

namespace tessera {
namespace {

/// On the device; the result is copied to the host.
Image filtered_on_device(AnyView in, const NoiseProblem& problem, const NoiseRunner& runner,
                         Stream& stream) {
  const Scratch memory = stream.scratch(static_cast<std::size_t>(bytes_of(problem.output)));
  const AnyMutableView result = packed(memory.data(), problem.output);
  runner.run({in, 0}, {result, 0}, stream);
  Image out(problem.output);
  device_stream(stream).copy(result, out.view());
  stream.wait();
  return out;
}

}  // namespace

Image percentile_filter(AnyView in, double percentile, const PercentileOptions& options) {
  const NoiseProblem problem = make_percentile_problem(in.info(), percentile, options);
  const NoiseMethod& method =
      choose(problem.operation, noise_methods(), problem, wanted_backend(options.backend),
             options.method, this_machine());
  if (in.size.empty()) return Image(problem.output);
  const NoiseRunnerPointer runner = method.make(problem);
  Stream& stream = thread_stream(method.backend == Backend::cuda ? problem.device : kHost);
  if (in.device != kHost) return filtered_on_device(in, problem, *runner, stream);
  Image out(problem.output);
  runner->run({in, 0}, {out.view(), 0}, stream);
  stream.wait();
  return out;
}

}  // namespace tessera
