// SPDX-License-Identifier: Apache-2.0
// The formulas of tessera/scene_planes.hpp, one thread per pixel.
#pragma once

#include "ops/correlate/scene/cuda/scene_planes_args.cuh"
#include "tessera/border.hpp"

namespace tessera {

extern __shared__ double scene_sums[];

// IEC 61966-2-1 primaries to XYZ relative to the white point; each row's remainder is the weight of
// green (scene_colour_simd.cpp).
inline constexpr double kSceneXRed = 0.4124564 / 0.9504700, kSceneXBlue = 0.1804375 / 0.9504700;
inline constexpr double kSceneYRed = 0.2126729, kSceneYBlue = 0.0721750;
inline constexpr double kSceneZRed = 0.0193339 / 1.0888300, kSceneZBlue = 0.9503041 / 1.0888300;
inline constexpr float kSceneLinearBelow = static_cast<float>(216.0 / 24389);

/// Weights of red and blue less green, rounded once.
__device__ inline float scene_mixed(float red, float blue, double of_red, double of_blue) {
  return red * static_cast<float>(of_red) + blue * static_cast<float>(of_blue);
}

__device__ inline float scene_curve(float t) {
  if (t <= kSceneLinearBelow)
    return static_cast<float>(24389.0 / 27 / 116) * t + static_cast<float>(16.0 / 116);
  return cbrtf(t);
}

/// scene_curve(s) - scene_curve(t) by the difference s - t, which keeps the digits of like values.
__device__ inline float scene_curve_difference(float s, float t, float f_s, float f_t,
                                               float difference) {
  if (s <= kSceneLinearBelow || t <= kSceneLinearBelow) return f_s - f_t;
  return difference / (f_s * f_s + (f_s * f_t + f_t * f_t));
}

__device__ inline float scene_light(unsigned char sample, const SceneColourArgs& a) {
  return a.light[sample];
}
__device__ inline float scene_light(unsigned short sample, const SceneColourArgs& a) {
  return a.light[sample];
}
__device__ inline float scene_light(float sample, const SceneColourArgs& a) {
  if (a.linear) return sample;
  if (sample <= 0.04045F) return sample * static_cast<float>(1 / 12.92);
  return powf((sample + 0.055F) * static_cast<float>(1 / 1.055), 2.4F);
}
__device__ inline float scene_light(double sample, const SceneColourArgs& a) {
  return scene_light(static_cast<float>(sample), a);
}

__device__ inline long long scene_thread() {
  return 1LL * blockIdx.x * kSceneThreads + threadIdx.x;
}

template <class T>
__device__ void scene_colour(const SceneColourArgs& a) {
  const long long pixels = 1LL * a.width * a.height, k = scene_thread();
  if (k >= pixels) return;
  const T* const pixel =
      static_cast<const T*>(a.photograph) + k / a.width * a.row + k % a.width * a.pixel;
  const bool grey = a.channels < 3;
  const float red = scene_light(pixel[0], a);
  const float green = grey ? red : scene_light(pixel[1], a);
  const float blue = grey ? red : scene_light(pixel[2], a);
  const float r = red - green, b = blue - green;
  const float x = green + scene_mixed(r, b, kSceneXRed, kSceneXBlue);
  const float y = green + scene_mixed(r, b, kSceneYRed, kSceneYBlue);
  const float z = green + scene_mixed(r, b, kSceneZRed, kSceneZBlue);
  const float f_x = scene_curve(x), f_y = scene_curve(y), f_z = scene_curve(z);
  const float x_y = scene_mixed(r, b, kSceneXRed - kSceneYRed, kSceneXBlue - kSceneYBlue);
  const float y_z = scene_mixed(r, b, kSceneYRed - kSceneZRed, kSceneYBlue - kSceneZBlue);
  a.colours[k] = 116 * f_y - 16;
  a.colours[pixels + k] = 500 * scene_curve_difference(x, y, f_x, f_y, x_y);
  a.colours[2 * pixels + k] = 200 * scene_curve_difference(y, z, f_y, f_z, y_z);
}

/// Borders are reflected.
__device__ inline void scene_line(const SceneLineArgs& a) {
  const long long pixels = 1LL * a.width * a.height, k = scene_thread();
  if (k >= pixels * a.planes) return;
  const int x = static_cast<int>(k % a.width), y = static_cast<int>(k % pixels / a.width);
  const float* const plane = a.in + k / pixels * pixels;
  const int at = a.down ? y : x, count = a.down ? a.height : a.width;
  float sum = 0;
  for (int i = -a.radius; i <= a.radius; ++i) {
    const int from = border_index(at + i, count, Border::reflect_101);
    sum += a.weights[i + a.radius] *
           plane[a.down ? 1LL * from * a.width + x : 1LL * y * a.width + from];
  }
  a.out[k] = sum;
}

__device__ inline void scene_doubled(const SceneDoubledArgs& a) {
  const long long k = scene_thread();
  if (k >= a.pixels) return;
  const float x = a.along_x[k], y = a.along_y[k];
  a.doubled[k] = y * y - x * x;
  a.doubled[a.pixels + k] = 2 * x * y;
  a.doubled[2 * a.pixels + k] = y * y + x * x;
}

__device__ inline void scene_orient(const SceneOrientArgs& a) {
  const long long k = scene_thread();
  if (k >= a.pixels) return;
  const float scale = a.coherence ? 1 / (a.averaged[2 * a.pixels + k] + 1e-4F) : 1;
  a.made[k] = a.averaged[k] * scale;
  a.made[a.pixels + k] = a.averaged[a.pixels + k] * scale;
}

/// The sum over this block's part of its plane; blocks are (part, plane).
template <class Term>
__device__ double scene_part(const SceneNormaliseArgs& a, Term term) {
  const float* const plane = a.planes + blockIdx.y * a.pixels;
  double sum = 0;
  for (long long k = scene_thread(); k < a.pixels; k += 1LL * kSceneParts * kSceneThreads)
    sum += term(plane[k]);
  scene_sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kSceneThreads / 2; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half)
      scene_sums[threadIdx.x] += scene_sums[threadIdx.x + half];
    __syncthreads();
  }
  return scene_sums[0];
}

__device__ inline double scene_total(const double* parts, int plane) {
  double sum = 0;
  for (int part = 0; part < kSceneParts; ++part) sum += parts[plane * kSceneParts + part];
  return sum;
}

__device__ inline void scene_sum(const SceneNormaliseArgs& a) {
  const double sum = scene_part(a, [](float sample) { return static_cast<double>(sample); });
  if (threadIdx.x == 0) a.sums[blockIdx.y * kSceneParts + blockIdx.x] = sum;
}

__device__ inline void scene_square(const SceneNormaliseArgs& a) {
  const double mean = scene_total(a.sums, blockIdx.y) / static_cast<double>(a.pixels);
  const double sum = scene_part(a, [mean](float sample) {
    const double off = static_cast<double>(sample) - mean;
    return off * off;
  });
  if (threadIdx.x == 0) a.squares[blockIdx.y * kSceneParts + blockIdx.x] = sum;
}

/// Mean 0 and deviation 1, or 0 where a plane is flat (kFlatPlane).
__device__ inline void scene_zscore(const SceneNormaliseArgs& a) {
  const auto pixels = static_cast<double>(a.pixels);
  const double mean = scene_total(a.sums, blockIdx.y) / pixels;
  const double deviation = sqrt(scene_total(a.squares, blockIdx.y) / pixels);
  const double scale = deviation <= 1e-4 ? 0 : 1 / deviation;
  float* const plane = a.planes + blockIdx.y * a.pixels;
  for (long long k = scene_thread(); k < a.pixels; k += 1LL * kSceneParts * kSceneThreads)
    plane[k] = static_cast<float>((static_cast<double>(plane[k]) - mean) * scale);
}

/// Vectors (a, b) and (x1, x2) get length 1, or 0 (kFlatPlane); blocks down are the two.
__device__ inline void scene_unit(const SceneNormaliseArgs& a) {
  const long long k = scene_thread();
  if (k >= a.pixels) return;
  float* const one = a.planes + 2LL * blockIdx.y * a.pixels + k;
  float* const two = one + a.pixels;
  const double first = *one, second = *two, length = sqrt(first * first + second * second);
  const double scale = length <= 1e-4 ? 0 : 1 / length;
  *one = static_cast<float>(first * scale);
  *two = static_cast<float>(second * scale);
}

}  // namespace tessera
