// SPDX-License-Identifier: Apache-2.0
#include "core/texture.hpp"

#include <cstdint>

#include "core/cuda/open_device.hpp"

namespace tessera {
namespace {

Texture made_texture(int device, const void* data, std::size_t bytes, CUarray_format format,
                     int samples_a_texel, const CUDA_TEXTURE_DESC& how) {
  CUcontext context = cuda::open_device(device).context;
  const cuda::CurrentContext current(context);
  CUDA_RESOURCE_DESC memory = {};
  memory.resType = CU_RESOURCE_TYPE_LINEAR;
  memory.res.linear.devPtr = reinterpret_cast<std::uintptr_t>(data);
  memory.res.linear.format = format;
  memory.res.linear.numChannels = static_cast<unsigned>(samples_a_texel);
  memory.res.linear.sizeInBytes = bytes;
  CUtexObject texture = 0;
  cuda::check(cuda::driver().cuTexObjectCreate(&texture, &memory, &how, nullptr),
              "device: making a texture");
  const auto destroy = [context, texture](void*) {
    const cuda::CurrentContext while_destroying(context);
    cuda::driver().cuTexObjectDestroy(texture);
  };
  return {texture, std::shared_ptr<void>(nullptr, destroy)};
}

}  // namespace

Texture make_texture(int device, const float* data, long long samples, int samples_a_texel) {
  return made_texture(device, data, static_cast<std::size_t>(samples) * sizeof(float),
                      CU_AD_FORMAT_FLOAT, samples_a_texel, {});
}

Texture make_texture(int device, const signed char* data, long long samples, int samples_a_texel) {
  CUDA_TEXTURE_DESC whole_numbers = {};
  whole_numbers.flags = CU_TRSF_READ_AS_INTEGER;
  return made_texture(device, data, static_cast<std::size_t>(samples), CU_AD_FORMAT_SIGNED_INT8,
                      samples_a_texel, whole_numbers);
}

}  // namespace tessera
