// SPDX-License-Identifier: Apache-2.0
// Arguments of every kernel of correlate, and how kernels read pixels and write maps.
#pragma once

#include "tessera/view.hpp"

namespace tessera {

/// Where the samples of some images lie; steps in samples.
struct CorrelateSource {
  const void* data;
  long long pixel, row, plane;
};

struct CorrelatePair {
  int first, second;
};

struct CorrelateArgs {
  CorrelateSource sources[2];  ///< the images and the others; `second` says which are the others
  int second;                  ///< 0: the images themselves
  int width, height, channels, planes;  ///< per image
  int images;
  const CorrelatePair* pairs;  ///< of all maps, one after the other
  const int* map_begin;        ///< the first pair of each map, and the number of pairs
  int maps;                    ///< per image
  int first_x, first_y, shifts_x, shifts_y;
  float* out;
  long long out_pixel, out_row, out_plane;
  int by_overlap;         ///< whether sums are divided by the number of common pixels
  double* divisors;       ///< for every image's maps, or none
  double* energies;       ///< of planes, in parts: see correlate_exact.cuh
  double energy_factor;   ///< for a divisor
  const int* not_finite;  ///< slots for each image; any that is not 0: the image has such a sample
  int slots;
};

/// Parts of a plane's energy, added in order.
inline constexpr int kEnergyParts = 32;
inline constexpr int kCorrelateThreads = 256;

/// Plane `plane` of image `image` of a source; pixel x, y is at [y * row + x * pixel].
template <class In>
TESSERA_BOTH inline const In* plane_of(const CorrelateArgs& a, int source, int image, int plane) {
  const CorrelateSource& s = a.sources[source];
  const long long planes = a.planes / a.channels;
  return static_cast<const In*>(s.data) + (image * planes + plane / a.channels) * s.plane +
         plane % a.channels;
}

/// Divides and stores one sum; x and y count from the map's first column and row.
TESSERA_BOTH inline void store_sum(const CorrelateArgs& a, int image, int map, int x, int y,
                                   double sum) {
  const int dx = a.first_x + x, dy = a.first_y + y;
  double divisor = a.divisors ? a.divisors[static_cast<long long>(image) * a.maps + map] : 1;
  if (a.by_overlap)
    divisor *=
        static_cast<double>(a.width - (dx < 0 ? -dx : dx)) * (a.height - (dy < 0 ? -dy : dy));
  a.out[(static_cast<long long>(image) * a.maps + map) * a.out_plane + y * a.out_row +
        x * a.out_pixel] = static_cast<float>(sum / divisor);
}

}  // namespace tessera
