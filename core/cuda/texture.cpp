// SPDX-License-Identifier: Apache-2.0
#include "core/texture.hpp"

#include <cstdint>

#include "core/cuda/open_device.hpp"

namespace tessera {

Texture make_texture(int device, const float* data, long long samples, int samples_a_texel) {
  CUcontext context = cuda::open_device(device).context;
  const cuda::CurrentContext current(context);
  CUDA_RESOURCE_DESC memory = {};
  memory.resType = CU_RESOURCE_TYPE_LINEAR;
  memory.res.linear.devPtr = reinterpret_cast<std::uintptr_t>(data);
  memory.res.linear.format = CU_AD_FORMAT_FLOAT;
  memory.res.linear.numChannels = static_cast<unsigned>(samples_a_texel);
  memory.res.linear.sizeInBytes = static_cast<std::size_t>(samples) * sizeof(float);
  const CUDA_TEXTURE_DESC as_it_is = {};
  CUtexObject texture = 0;
  cuda::check(cuda::driver().cuTexObjectCreate(&texture, &memory, &as_it_is, nullptr),
              "device: making a texture");
  const auto destroy = [context, texture](void*) {
    const cuda::CurrentContext while_destroying(context);
    cuda::driver().cuTexObjectDestroy(texture);
  };
  return {texture, std::shared_ptr<void>(nullptr, destroy)};
}

}  // namespace tessera
