// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "sample/cell_ground.hpp"
#include "sample/exact_math.hpp"
#include "sample/random.hpp"

namespace tessera {
namespace {

using Samples = std::vector<float>;

size_t index_of(int x, int y, int width) {
  return static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x);
}

/// A Gaussian to four standard deviations; the squares add up to 1 over both axes, so that white
/// noise keeps its variance.
Samples blur_weights(double sigma) {
  const int reach = static_cast<int>(std::ceil(4 * sigma));
  Samples weights;
  double squares = 0;
  for (int i = -reach; i <= reach; ++i) {
    const double weight = exp_of_minus(i * i / (2 * sigma * sigma));
    weights.push_back(static_cast<float>(weight));
    squares += weight * weight;
  }
  for (float& weight : weights) weight /= static_cast<float>(std::sqrt(squares));
  return weights;
}

/// Uniform white noise of variance 1, blurred along both axes. The noise is wider than the field by
/// the reach of the weights.
Samples blurred_noise(int width, int height, std::uint64_t seed, const Samples& weights,
                      int threads) {
  const int more = static_cast<int>(weights.size()) - 1;
  Samples across(static_cast<size_t>(width) * static_cast<size_t>(height + more));
  parallel_for(height + more, threads, [&](int y) {
    Random random{seed, static_cast<std::uint64_t>(y)};
    Samples noise(static_cast<size_t>(width + more));
    const double half_range = std::sqrt(3.0);
    for (float& value : noise) value = static_cast<float>(random.between(-half_range, half_range));
    float* row = &across[index_of(0, y, width)];
    for (size_t tap = 0; tap < weights.size(); ++tap)
      for (int x = 0; x < width; ++x) row[x] += weights[tap] * noise[static_cast<size_t>(x) + tap];
  });
  Samples both(static_cast<size_t>(width) * static_cast<size_t>(height));
  parallel_for(height, threads, [&](int y) {
    float* row = &both[index_of(0, y, width)];
    for (size_t tap = 0; tap < weights.size(); ++tap) {
      const float* from = &across[index_of(0, y + static_cast<int>(tap), width)];
      for (int x = 0; x < width; ++x) row[x] += weights[tap] * from[x];
    }
  });
  return both;
}

void normalise(Samples& field) {
  double sum = 0, squares = 0;
  for (const float value : field) sum += value;
  const double mean = sum / static_cast<double>(field.size());
  for (const float value : field) squares += (value - mean) * (value - mean);
  const double width = std::sqrt(squares / static_cast<double>(field.size()));
  for (float& value : field) value = width > 0 ? static_cast<float>((value - mean) / width) : 0.0f;
}

}  // namespace

std::vector<float> texture_field(int width, int height, std::uint64_t seed, double fine,
                                 double coarse, int threads) {
  const int steps = std::max(0, static_cast<int>(std::lround(log_of(coarse / fine) / log_of(2))));
  Samples sum(static_cast<size_t>(width) * static_cast<size_t>(height));
  for (int i = 0; i <= steps; ++i) {
    // Between fine and coarse in equal ratios.
    const double scale = steps == 0 ? fine : fine / exp_of_minus(log_of(coarse / fine) * i / steps);
    // Blurring by sigma leaves an autocorrelation of exp(-d^2 / (4 sigma^2)).
    Samples part = blurred_noise(width, height, mixed(seed + static_cast<std::uint64_t>(i)),
                                 blur_weights(scale / 2), threads);
    normalise(part);
    for (size_t k = 0; k < sum.size(); ++k) sum[k] += part[k];
  }
  normalise(sum);
  return sum;
}

}  // namespace tessera
