// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/event.hpp"
#include "core/cuda/open_device.hpp"
#include "core/device.hpp"

namespace tessera {

std::vector<double> time_on_device(Stream& stream, const DeviceTiming& timing,
                                   const std::function<void()>& enqueue) {
  const cuda::CurrentContext current(cuda::open_device(stream.device()).context);
  auto* const on = static_cast<CUstream>(stream.cuda_stream());
  cuda::Event start(CU_EVENT_DEFAULT), end(CU_EVENT_DEFAULT);
  std::vector<double> seconds;
  for (int i = -timing.warm_ups; i < timing.repeats; ++i) {
    start.record(on);
    for (int call = 0; call < timing.calls; ++call) enqueue();
    end.record(on);
    end.wait();
    float milliseconds = 0;
    cuda::check(cuda::driver().cuEventElapsedTime(&milliseconds, start.handle(), end.handle()),
                "stream: timing");
    if (i >= 0) seconds.push_back(milliseconds * 1e-3 / timing.calls);
  }
  return seconds;
}

}  // namespace tessera
