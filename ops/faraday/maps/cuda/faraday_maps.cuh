// SPDX-License-Identifier: Apache-2.0
// Maps on a GPU: one thread per pixel, lanes are neighbours. The arithmetic is the reference's, in
// the same order; only the arc tangent is the device's own.
#pragma once

#include "ops/faraday/maps/cuda/faraday_maps_args.cuh"

namespace tessera {

/// The spectrum of a pixel.
template <class T>
struct FaradayColumn {
  const T *real, *imaginary;
  long long real_plane, imaginary_plane;

  __device__ FaradayColumn(const FaradayMapsArgs& a, long long pixel)
      : real_plane(a.real.plane), imaginary_plane(a.imaginary.plane) {
    const long long y = pixel / a.width, x = pixel % a.width;
    real = static_cast<const T*>(a.real.data) + y * a.real.row + x * a.real.pixel;
    imaginary =
        static_cast<const T*>(a.imaginary.data) + y * a.imaginary.row + x * a.imaginary.pixel;
  }
  __device__ double re(int p) const { return real[p * real_plane]; }
  __device__ double im(int p) const { return imaginary[p * imaginary_plane]; }
  __device__ double power(int p) const { return faraday_power(re(p), im(p)); }
};

/// The first of equals; never NaN.
template <class T>
__device__ inline FaradayTop faraday_column_top(const FaradayColumn<T>& column,
                                                const FaradayMapsArgs& a) {
  FaradayTop top;
  double highest = -1, inner = -1;
  const int depths = a.rule.depths;
#pragma unroll 8
  for (int p = 0; p < depths; ++p) {
    const double power = column.power(p);
    if (power > highest) {
      highest = power;
      top.highest = p;
    }
    if (p > 0 && p + 1 < depths && power > inner) {
      inner = power;
      top.index = p;
    }
  }
  if (top.highest < 0) return top;
  top.max_pi = sqrt(highest);
  top.peak_rm = a.phi[top.highest];
  for (int k = 0; k < 3 && top.index >= 0; ++k) {
    const int p = top.index - 1 + k;
    top.phi[k] = a.phi[p];
    top.real[k] = column.re(p);
    top.imaginary[k] = column.im(p);
  }
  return top;
}

template <class T>
__device__ inline double faraday_column_moment(const FaradayColumn<T>& column,
                                               const FaradayMapsArgs& a) {
  double sum = 0, first = 0, second = 0;
#pragma unroll 4
  for (int p = 0; p < a.rule.depths; ++p) {
    const double height = sqrt(column.power(p));
    sum += height;
    first += a.phi[p] * height;
  }
  const double mean = first / sum;
#pragma unroll 4
  for (int p = 0; p < a.rule.depths; ++p)
    second += (a.phi[p] - mean) * (a.phi[p] - mean) * sqrt(column.power(p));
  return sqrt(second / sum);
}

template <class T>
__device__ inline void faraday_map_pixels(const FaradayMapsArgs& a) {
  const long long pixel = 1LL * blockIdx.x * kFaradayMapThreads + threadIdx.x;
  if (pixel >= a.pixels) return;
  const FaradayColumn<T> column(a, pixel);
  const FaradayTop top = faraday_column_top(column, a);
  FaradayBandValues band = faraday_band_of<T>(a, pixel);
  double& noise = band.at[kFaradayBandNoise];
  if (a.measured && noise != noise) noise = a.measured[pixel];
  const double moment =
      a.plane_of[kFaradaySecondMoment] >= 0 ? faraday_column_moment(column, a) : 0;
  const FaradayValues values = faraday_values(top, a.rule, band, moment);
  T* const out =
      static_cast<T*>(a.maps.data) + pixel / a.width * a.maps.row + pixel % a.width * a.maps.pixel;
#pragma unroll
  for (int place = 0; place < kFaradayPlaces; ++place)
    if (a.plane_of[place] >= 0)
      out[a.plane_of[place] * a.maps.plane] = faraday_value_as<T>(values.at[place], place);
}

}  // namespace tessera
