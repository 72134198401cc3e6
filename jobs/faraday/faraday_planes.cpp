// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_planes.hpp"

#include <cmath>

#include "core/parallel.hpp"

namespace tessera {

void faraday_magnitudes(AnyView real, AnyView imaginary, AnyMutableView to, int threads) {
  const View<const float> re = real.as<const float>(), im = imaginary.as<const float>();
  const View<float> out = to.as<float>();
  parallel_for(to.size.planes, threads, [&](int p) {
    for (int y = 0; y < to.size.height; ++y)
      for (int x = 0; x < to.size.width; ++x) {
        const double a = re.at(x, y, 0, p), b = im.at(x, y, 0, p);
        out.at(x, y, 0, p) = static_cast<float>(std::sqrt(a * a + b * b));
      }
  });
}

}  // namespace tessera
