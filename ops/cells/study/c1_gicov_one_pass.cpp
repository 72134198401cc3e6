// SPDX-License-Identifier: Apache-2.0
// Mean and squares are updated with every slope (Welford), as in the last CUDA program for
// detection.
#include "ops/cells/study/plain_gicov.hpp"

namespace tessera {
namespace {

struct PlainOnePass {
  template <class Slope>
  static CircleMoments of(Slope slope) {
    double mean = 0, squares = 0;
    for (int n = 0; n < kGicovPoints; ++n) {
      const double value = slope(n), off = value - mean;
      mean += off / (n + 1);
      squares += off * (value - mean);
    }
    return {mean, squares / (kGicovPoints - 1)};
  }
};

}  // namespace

void one_pass_gicov_row(const double* along_x, const double* along_y, int width, int height, int y,
                        double* row) {
  plain_gicov_row_by<PlainOnePass>(along_x, along_y, width, height, y, row,
                                   [width](int x, int at_y) { return at_y * width + x; });
}

}  // namespace tessera
