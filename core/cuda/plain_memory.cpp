// SPDX-License-Identifier: Apache-2.0
#include "core/plain_memory.hpp"

#include <cstdint>

#include "core/cuda/open_device.hpp"

namespace tessera {

Scratch plain_device_memory(int device, std::size_t bytes) {
  CUcontext context = cuda::open_device(device).context;
  const cuda::CurrentContext current(context);
  CUdeviceptr memory = 0;
  cuda::check(cuda::driver().cuMemAlloc(&memory, bytes), "device: allocating plain memory");
  void* const data = reinterpret_cast<void*>(static_cast<std::uintptr_t>(memory));
  const auto give_back = [context](void* given) {
    const cuda::CurrentContext while_freeing(context);
    cuda::driver().cuMemFree(reinterpret_cast<std::uintptr_t>(given));
  };
  return {data, bytes, std::shared_ptr<void>(data, give_back)};
}

}  // namespace tessera
