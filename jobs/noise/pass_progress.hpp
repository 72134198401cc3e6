// SPDX-License-Identifier: Apache-2.0
/// Successive passes over the rows of an image, or of its planes, as one progress.
#pragma once

#include "jobs/noise/noise_maker.hpp"
#include "jobs/progress.hpp"

namespace tessera {

class PassProgress {
 public:
  PassProgress(const Progress& progress, int passes) : progress_(progress), passes_(passes) {}
  RowsDone next() {
    if (!progress_) return {};
    return [this, pass = pass_++](int done, int all) {
      progress_(1LL * pass * all + done, 1LL * passes_ * all);
    };
  }

 private:
  const Progress& progress_;
  int passes_, pass_ = 0;
};

}  // namespace tessera
