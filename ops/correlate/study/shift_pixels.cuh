// SPDX-License-Identifier: Apache-2.0
// Shared by the rungs: reading pixels, rows in shared memory, and the shift of a thread.
#pragma once

#include "ops/correlate/study/shift_args.cuh"

namespace tessera {

/// Layout of the planes: one float4 per pixel (the paper: co-located), or plane after plane.
enum class Layout { together, separate };

/// The path of a load: the texture units, both caches (ca), or the L2 cache alone (cg).
enum class Path { texture, ca, cg };

template <Path kPath>
__device__ float sample(const ShiftArgs& a, int at) {
  if constexpr (kPath == Path::texture) return tex1Dfetch<float>(a.separate_texture, at);
  if constexpr (kPath == Path::ca) return __ldca(a.separate + at);
  if constexpr (kPath == Path::cg) return __ldcg(a.separate + at);
}

template <Layout kLayout, Path kPath>
__device__ float4 pixel(const ShiftArgs& a, int at) {
  if constexpr (kLayout == Layout::separate) {
    const int plane = a.side * a.side;
    return {sample<kPath>(a, at), sample<kPath>(a, at + plane), sample<kPath>(a, at + 2 * plane),
            sample<kPath>(a, at + 3 * plane)};
  } else {
    const float4* const from = reinterpret_cast<const float4*>(a.together) + at;
    if constexpr (kPath == Path::texture) return tex1Dfetch<float4>(a.together_texture, at);
    if constexpr (kPath == Path::ca) return __ldca(from);
    if constexpr (kPath == Path::cg) return __ldcg(from);
  }
}

/// The innermost step: 4 multiplications, 3 additions; the caller adds the result to its sum.
__device__ inline float dot(float4 p, float4 q) {
  return __fmaf_rn(p.w, q.w, __fmaf_rn(p.z, q.z, __fmaf_rn(p.y, q.y, p.x * q.x)));
}

/// The beginning of rows of kShiftPlanes * side floats, laid out as in memory.
__device__ inline float* shared_rows() {
  extern __shared__ float4 rows[];
  return reinterpret_cast<float*>(rows);
}

template <Layout kLayout>
__device__ float4 row_pixel(const float* row, int side, int x) {
  if constexpr (kLayout == Layout::together) return reinterpret_cast<const float4*>(row)[x];
  return {row[x], row[x + side], row[x + 2 * side], row[x + 3 * side]};
}

/// All threads of the block load row y; below the image there are zeros.
template <Layout kLayout, Path kPath>
__device__ void load_row(const ShiftArgs& a, int y, float* row) {
  for (int x = static_cast<int>(threadIdx.x); x < a.side; x += static_cast<int>(blockDim.x)) {
    const float4 p = y < a.side ? pixel<kLayout, kPath>(a, y * a.side + x) : float4{0, 0, 0, 0};
    if constexpr (kLayout == Layout::together) {
      reinterpret_cast<float4*>(row)[x] = p;
    } else {
      row[x] = p.x, row[x + a.side] = p.y;
      row[x + 2 * a.side] = p.z, row[x + 3 * a.side] = p.w;
    }
  }
}

struct ThreadShift {
  int dx, dy;
  int first_dx, first_dy;  ///< of the block
  bool works;              ///< blocks are whole warps, and the last tiles reach outside the map
};

/// Blocks go through the map from left to right, then down; a block has tile_x by `tile_rows`.
__device__ inline ThreadShift thread_shift(const ShiftArgs& a, int tile_rows) {
  const int tiles_x = (a.shifts + a.tile_x - 1) / a.tile_x;
  const int block = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x);
  ThreadShift t;
  t.first_dx = block % tiles_x * a.tile_x;
  t.first_dy = block / tiles_x * tile_rows;
  t.dx = t.first_dx + thread % a.tile_x;
  t.dy = t.first_dy + thread / a.tile_x;
  t.works = thread < a.tile_x * a.tile_y && t.dx < a.shifts && t.dy < a.shifts;
  return t;
}

/// An entry point: every rung takes the same argument.
#define TESSERA_SHIFT_ENTRY(name, ...)                               \
  extern "C" __global__ void __launch_bounds__(kMostShiftThreads, 1) \
      name(const __grid_constant__ ShiftArgs a) {                    \
    __VA_ARGS__(a);                                                  \
  }

}  // namespace tessera
