// SPDX-License-Identifier: Apache-2.0
#include "jobs/correlate/ensemble.hpp"

#include <cmath>
#include <limits>

namespace tessera {

void Ensemble::add(std::span<const double> values) {
  if (images_ == 0) {
    means_.assign(values.size(), 0);
    squares_.assign(values.size(), 0);
  }
  ++images_;
  const auto count = static_cast<double>(images_);
  for (std::size_t i = 0; i < means_.size(); ++i) {
    const double off = values[i] - means_[i];
    means_[i] += off / count;
    squares_[i] += off * (values[i] - means_[i]);
  }
}

std::vector<double> Ensemble::standard_errors() const {
  if (images_ < 2)
    return std::vector<double>(means_.size(), std::numeric_limits<double>::quiet_NaN());
  const double n = images_;
  std::vector<double> errors;
  errors.reserve(squares_.size());
  for (const double square : squares_) errors.push_back(std::sqrt(square / (n - 1) / n));
  return errors;
}

}  // namespace tessera
