// SPDX-License-Identifier: Apache-2.0
#include "core/typed_samples.hpp"
#include "ops/sources/sources_problem.hpp"

namespace tessera {

void read_source_pixels(const SourceRows& rows, int row, int x0, int x1, int sign,
                        SourcePixel* to) {
  with_samples(rows.image, [&](auto image) {
    for (int x = x0; x < x1; ++x) to[x - x0].d = static_cast<double>(image.at(x, row));
  });
  with_samples(rows.background, [&](auto map) {
    for (int x = x0; x < x1; ++x) to[x - x0].background = static_cast<double>(map.at(x, row));
  });
  with_samples(rows.rms, [&](auto map) {
    for (int x = x0; x < x1; ++x) to[x - x0].rms = static_cast<double>(map.at(x, row));
  });
  for (int x = 0; x < x1 - x0; ++x) to[x].d = sign * (to[x].d - to[x].background);
}

}  // namespace tessera
