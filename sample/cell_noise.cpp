// SPDX-License-Identifier: Apache-2.0
#include "sample/cell_noise.hpp"

#include <cmath>

#include "sample/exact_math.hpp"

namespace tessera {
namespace {

constexpr int kParts = 65536;

double density(double x) {
  constexpr double kRootOfTwoPi = 2.506628274631000502415765284811;
  return exp_of_minus(x * x / 2) / kRootOfTwoPi;
}

/// The probability between x and x + step, by Simpson's rule: steps are below 0.3.
double probability(double x, double step) {
  return step / 6 * (density(x) + 4 * density(x + step / 2) + density(x + step));
}

/// The distance after x of a probability. Newton's method converges from below, as density falls.
double step_for(double x, double wanted) {
  double step = wanted / density(x);
  for (int i = 0; i < 5; ++i) step += (wanted - probability(x, step)) / density(x + step);
  return step;
}

}  // namespace

NormalNumbers::NormalNumbers() : table_(kParts) {
  double x = 0, wanted = 0.5 / kParts;
  for (int i = kParts / 2; i < kParts; ++i, wanted = 1.0 / kParts) {
    x += step_for(x, wanted);
    table_[static_cast<size_t>(i)] = static_cast<float>(x);
    table_[static_cast<size_t>(kParts - 1 - i)] = static_cast<float>(-x);
  }
}

void NormalNumbers::add_to(float* values, int count, float sigma, Random& random) const {
  std::uint64_t word = 0;
  for (int i = 0; i < count; ++i) {
    word = i % 4 == 0 ? random.next() : word >> 16;
    values[i] += sigma * table_[word & (kParts - 1)];
  }
}

}  // namespace tessera
