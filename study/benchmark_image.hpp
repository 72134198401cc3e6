// SPDX-License-Identifier: Apache-2.0
/// An image to work on, for benchmarks and reports.
#pragma once

#include <random>

#include "tessera/image.hpp"

namespace tessera {

/// Samples in [-0.5, 0.5], the same for a seed.
inline Image benchmark_image(Size size, unsigned seed) {
  Image image(size, Type::f32);
  std::mt19937 random(seed);
  float* samples = image.as<float>().data;
  for (long long k = 0; k < size.samples(); ++k)
    samples[k] = static_cast<float>(random()) / static_cast<float>(std::mt19937::max()) - 0.5F;
  return image;
}

}  // namespace tessera
