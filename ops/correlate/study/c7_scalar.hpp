// SPDX-License-Identifier: Apache-2.0
/// The paper's sequential program.
#pragma once

namespace tessera {

/// `planes` holds four planes of `side` by `side` samples, one after the other; `map` has `shifts`
/// by `shifts` values.
void correlate_scalar(const float* planes, int side, int shifts, float* map);

}  // namespace tessera
