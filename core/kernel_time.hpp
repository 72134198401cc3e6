// SPDX-License-Identifier: Apache-2.0
/// The time of kernels alone, next to that of the stage that launches them.
#pragma once

#include <functional>

#include "tessera/stream.hpp"

namespace tessera {

struct KernelTime {
  double seconds = 0;      ///< of each by itself, added
  long long launches = 0;  ///< a call of a library counts once
};

/// Runs `work` and waits for the stream; `work` ends with it. Events enclose every kernel, and
/// every call of cuBLAS and cuFFT, that this process enqueues meanwhile, on this stream or others
/// of the same device. Copies and allocation are not counted, nor is the time between kernels: the
/// device begins one of ours when it and its events are all enqueued. Kernels of several streams
/// are added even where they overlapped, so the sum may exceed the time of the stage. One caller at
/// a time.
KernelTime time_kernels(Stream& stream, const std::function<void()>& work);

}  // namespace tessera
