// SPDX-License-Identifier: Apache-2.0
// NPP's grey, histogram, table and smoothing of packed 8-bit images on the device, behind C
// functions that ctypes can call. 0 is success, another number NPP's answer. Built by peers.py.
#include "npp_context.cuh"

namespace {

constexpr int kLevels = 257;  // edges of 256 bins
NppStreamContext g_context;

using Bytes = const Npp8u*;

// The size is an int before CUDA 12, a size_t since.
template <class Count>
long long bytes_by(NppStatus (*ask)(NppiSize, int, Count*, NppStreamContext), NppiSize size) {
  Count bytes = 0;
  return ask(size, kLevels, &bytes, g_context) ? -1 : static_cast<long long>(bytes);
}

}  // namespace

extern "C" int npp_enhance_begin(void* stream) {
  g_context = context_of(static_cast<cudaStream_t>(stream));
  return 0;
}

extern "C" int npp_grey(const void* rgb, void* grey, int width, int height) {
  const Npp32f weights[3] = {77 / 256.F, 151 / 256.F, 28 / 256.F};
  return nppiColorToGray_8u_C3C1R_Ctx(static_cast<Bytes>(rgb), 3 * width, static_cast<Npp8u*>(grey),
                                      width, {width, height}, weights, g_context);
}

/// Bytes of the buffer that npp_count needs; -1: NPP gives no number.
extern "C" long long npp_count_bytes(int width, int height) {
  return bytes_by(nppiHistogramEvenGetBufferSize_8u_C1R_Ctx, {width, height});
}

extern "C" int npp_count(const void* grey, int width, int height, void* counts, void* buffer) {
  return nppiHistogramEven_8u_C1R_Ctx(static_cast<Bytes>(grey), width, {width, height},
                                      static_cast<Npp32s*>(counts), kLevels, 0, kLevels - 1,
                                      static_cast<Npp8u*>(buffer), g_context);
}

/// `values`: the new value of each of the 256 bytes, on the device.
extern "C" int npp_table(const void* grey, void* out, int width, int height, const void* values) {
  return nppiLUTPalette_8u_C1R_Ctx(static_cast<Bytes>(grey), width, static_cast<Npp8u*>(out), width,
                                   {width, height}, static_cast<Bytes>(values), 8, g_context);
}

/// 5 by 5 weights, on the device.
extern "C" int npp_smooth(const void* grey, void* out, int width, int height, const void* weights) {
  return nppiFilterBorder32f_8u_C1R_Ctx(static_cast<Bytes>(grey), width, {width, height}, {0, 0},
                                        static_cast<Npp8u*>(out), width, {width, height},
                                        static_cast<const Npp32f*>(weights), {5, 5}, {2, 2},
                                        NPP_BORDER_REPLICATE, g_context);
}

extern "C" int npp_gauss(const void* grey, void* out, int width, int height) {
  return nppiFilterGaussBorder_8u_C1R_Ctx(static_cast<Bytes>(grey), width, {width, height}, {0, 0},
                                          static_cast<Npp8u*>(out), width, {width, height},
                                          NPP_MASK_SIZE_5_X_5, NPP_BORDER_REPLICATE, g_context);
}
