// SPDX-License-Identifier: Apache-2.0
// NPP's everyday filters with border replicate, behind one C function that ctypes can call.
// peers.py builds it: nvcc -shared -Xcompiler -fPIC npp_everyday_shim.cu -lnppif -lnppim -lnppc
#include "npp_context.cuh"

namespace {

using Context = NppStreamContext;
using Border = NppiBorderType;
Context g_context;

// NPP's functions for samples of type T. All begin with source, step, size, offset, destination,
// step, size.
template <class T>
struct Filters {
  NppStatus (*weights)(const T*, int, NppiSize, NppiPoint, T*, int, NppiSize, const Npp32f*,
                       NppiSize, NppiPoint, Border, Context);
  NppStatus (*box)(const T*, int, NppiSize, NppiPoint, T*, int, NppiSize, NppiSize, NppiPoint,
                   Border, Context);
  NppStatus (*gauss)(const T*, int, NppiSize, NppiPoint, T*, int, NppiSize, int, const Npp32f*,
                     Border, Context);
  NppStatus (*median)(const T*, int, NppiSize, NppiPoint, T*, int, NppiSize, NppiSize, NppiPoint,
                      Npp8u*, Border, Context);
  NppStatus (*median_bytes)(NppiSize, NppiSize, Npp32u*, Border, Context);
  NppStatus (*erode)(const T*, int, NppiSize, NppiPoint, T*, int, NppiSize, const Npp8u*, NppiSize,
                     NppiPoint, Border, Context);
  NppStatus (*erode_3x3)(const T*, int, NppiSize, NppiPoint, T*, int, NppiSize, Border, Context);
};

constexpr Filters<Npp8u> kBytes{nppiFilterBorder32f_8u_C1R_Ctx,
                                nppiFilterBoxBorder_8u_C1R_Ctx,
                                nppiFilterGaussAdvancedBorder_8u_C1R_Ctx,
                                nppiFilterMedianBorder_8u_C1R_Ctx,
                                nppiFilterMedianBorderGetBufferSize_8u_C1R_Ctx,
                                nppiErodeBorder_8u_C1R_Ctx,
                                nppiErode3x3Border_8u_C1R_Ctx};
constexpr Filters<Npp16u> kWords{nppiFilterBorder32f_16u_C1R_Ctx,
                                 nppiFilterBoxBorder_16u_C1R_Ctx,
                                 nppiFilterGaussAdvancedBorder_16u_C1R_Ctx,
                                 nppiFilterMedianBorder_16u_C1R_Ctx,
                                 nppiFilterMedianBorderGetBufferSize_16u_C1R_Ctx,
                                 nppiErodeBorder_16u_C1R_Ctx,
                                 nppiErode3x3Border_16u_C1R_Ctx};
constexpr Filters<Npp32f> kFloats{nppiFilterBorder_32f_C1R_Ctx,
                                  nppiFilterBoxBorder_32f_C1R_Ctx,
                                  nppiFilterGaussAdvancedBorder_32f_C1R_Ctx,
                                  nppiFilterMedianBorder_32f_C1R_Ctx,
                                  nppiFilterMedianBorderGetBufferSize_32f_C1R_Ctx,
                                  nppiErodeBorder_32f_C1R_Ctx,
                                  nppiErode3x3Border_32f_C1R_Ctx};

template <class Function>
int with_filters(int sample_bytes, Function function) {
  if (sample_bytes == 1) return function(kBytes);
  if (sample_bytes == 2) return function(kWords);
  return function(kFloats);
}

NppiSize square(int side) { return {side, side}; }

template <class T>
int run(const Filters<T>& filters, char word, const void* source, void* target, int side, int taps,
        const void* values, void* buffer) {
  const auto* in = static_cast<const T*>(source);
  auto* out = static_cast<T*>(target);
  const int step = side * static_cast<int>(sizeof(T));
  const NppiSize size = square(side), mask = square(taps);
  const NppiPoint middle{taps / 2, taps / 2};
  const Border edge = NPP_BORDER_REPLICATE;
  const auto* floats = static_cast<const Npp32f*>(values);
  const Context& c = g_context;
  switch (word) {
    case 'w':
      return filters.weights(in, step, size, {0, 0}, out, step, size, floats, mask, middle, edge,
                             c);
    case 'b':
      return filters.box(in, step, size, {0, 0}, out, step, size, mask, middle, edge, c);
    case 'g':
      return filters.gauss(in, step, size, {0, 0}, out, step, size, taps, floats, edge, c);
    case 'm':
      return filters.median(in, step, size, {0, 0}, out, step, size, mask, middle,
                            static_cast<Npp8u*>(buffer), edge, c);
    default:
      if (!values) return filters.erode_3x3(in, step, size, {0, 0}, out, step, size, edge, c);
      return filters.erode(in, step, size, {0, 0}, out, step, size,
                           static_cast<const Npp8u*>(values), mask, middle, edge, c);
  }
}

}  // namespace

/// Asks the device once, so that later calls are only NPP's.
extern "C" void npp_everyday_stream(void* stream) {
  g_context = context_of(static_cast<cudaStream_t>(stream));
}

/// Bytes of the buffer of a median; -1 if NPP gives no number.
extern "C" long long npp_median_bytes(int sample_bytes, int side, int taps) {
  return with_filters(sample_bytes, [&](const auto& filters) {
    Npp32u bytes = 0;
    const auto status =
        filters.median_bytes(square(side), square(taps), &bytes, NPP_BORDER_REPLICATE, g_context);
    return status ? -1 : static_cast<int>(bytes);
  });
}

/// Packed square images on the device; word: w weights, b box, g Gaussian, m median, e erosion (3x3
/// without values). 0 is success, another number NPP's answer.
extern "C" int npp_everyday(char word, int sample_bytes, const void* in, void* out, int side,
                            int taps, const void* values, void* buffer) {
  return with_filters(sample_bytes, [&](const auto& filters) {
    return run(filters, word, in, out, side, taps, values, buffer);
  });
}
