// SPDX-License-Identifier: Apache-2.0
/// Gaussian random numbers from a table, for films: four from one random word, while exact ones
/// take one logarithm each.
#pragma once

#include <cstdint>
#include <vector>

#include "sample/random.hpp"

namespace tessera {

class NormalNumbers {
 public:
  NormalNumbers();

  /// Adds `sigma` times a number of mean 0 and standard deviation 1 to each value.
  void add_to(float* values, int count, float sigma, Random& random) const;

 private:
  std::vector<float> table_;  ///< the centres of 65536 equally likely parts: up to 4.3
};

}  // namespace tessera
