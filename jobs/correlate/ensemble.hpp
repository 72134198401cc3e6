// SPDX-License-Identifier: Apache-2.0
/// Mean and standard error of many values over the images of an ensemble.
#pragma once

#include <span>
#include <vector>

namespace tessera {

/// Running means in double (Welford). The order of images matters: the same images in the same
/// order give the same bits, whether or not the run was interrupted.
class Ensemble {
 public:
  Ensemble() = default;
  /// Restores the state in which images(), means() and squares() were saved.
  Ensemble(int images, std::vector<double> means, std::vector<double> squares)
      : images_(images), means_(std::move(means)), squares_(std::move(squares)) {}

  /// The values of one more image; always the same number.
  void add(std::span<const double> values);

  int images() const { return images_; }
  const std::vector<double>& means() const { return means_; }
  const std::vector<double>& squares() const { return squares_; }  ///< sums of squared deviations
  /// Standard deviation (n - 1) over the root of n; NaN for a single image.
  std::vector<double> standard_errors() const;

 private:
  int images_ = 0;
  std::vector<double> means_, squares_;
};

}  // namespace tessera
