// SPDX-License-Identifier: Apache-2.0
// NPP's 2-D filter with border replicate, behind one C function that ctypes can call.
// peers.py builds it: nvcc -shared -Xcompiler -fPIC npp_shim.cu -lnppif -lnppc
#include "npp_context.cuh"

namespace {

template <class T>
using Filter = NppStatus (*)(const T*, Npp32s, NppiSize, NppiPoint, T*, Npp32s, NppiSize,
                             const Npp32f*, NppiSize, NppiPoint, NppiBorderType, NppStreamContext);

template <class T>
int run(Filter<T> filter, const void* in, void* out, int row_bytes, NppiSize size,
        const float* weights, NppiSize taps, const NppStreamContext& context) {
  return filter(static_cast<const T*>(in), row_bytes, size, {0, 0}, static_cast<T*>(out), row_bytes,
                size, weights, taps, {taps.width / 2, taps.height / 2}, NPP_BORDER_REPLICATE,
                context);
}

NppStreamContext g_context;

}  // namespace

/// Asks the device once, so that later calls are only NPP's.
extern "C" void npp_use_stream(void* stream) {
  g_context = context_of(static_cast<cudaStream_t>(stream));
}

/// Device pointers to packed images; sample_bytes 1, 2 or 4 is u8, u16 or f32. 0 is success,
/// a negative number NPP's error, 1 a type NPP has no filter for.
extern "C" int npp_filter(const void* in, void* out, int width, int height, int channels,
                          int sample_bytes, const float* weights, int filter_width,
                          int filter_height) {
  const NppiSize size{width, height}, taps{filter_width, filter_height};
  const int row = width * channels * sample_bytes;
  const int kind = 10 * sample_bytes + channels;
  const NppStreamContext& c = g_context;
  if (kind == 41)
    return run<Npp32f>(nppiFilterBorder_32f_C1R_Ctx, in, out, row, size, weights, taps, c);
  if (kind == 43)
    return run<Npp32f>(nppiFilterBorder_32f_C3R_Ctx, in, out, row, size, weights, taps, c);
  if (kind == 11)
    return run<Npp8u>(nppiFilterBorder32f_8u_C1R_Ctx, in, out, row, size, weights, taps, c);
  if (kind == 13)
    return run<Npp8u>(nppiFilterBorder32f_8u_C3R_Ctx, in, out, row, size, weights, taps, c);
  if (kind == 21)
    return run<Npp16u>(nppiFilterBorder32f_16u_C1R_Ctx, in, out, row, size, weights, taps, c);
  if (kind == 23)
    return run<Npp16u>(nppiFilterBorder32f_16u_C3R_Ctx, in, out, row, size, weights, taps, c);
  return 1;
}
