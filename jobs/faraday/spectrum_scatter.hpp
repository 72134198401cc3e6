// SPDX-License-Identifier: Apache-2.0
/// sigma_add: the scatter of a spectrum around one Faraday thin source beyond its errors, in units
/// of these errors.
#pragma once

#include <vector>

namespace tessera {

/// The median of the probability, and the distances to 15.72% and 84.27%.
struct AddedScatter {
  double value = 0, minus = 0, plus = 0;
};

/// `residuals` over their errors; those that are not finite do not count. NaN if none counts. The
/// likelihood is sampled at 1000 places up to the range of the residuals with their errors, with a
/// prior of 1 / sigma.
AddedScatter added_scatter(const std::vector<double>& residuals);

}  // namespace tessera
