// SPDX-License-Identifier: Apache-2.0
/// Mean and standard error of many values over the images of an ensemble.
#pragma once

#include <span>
#include <vector>

namespace tessera {

/// Running means in double (Welford). Images must come in one order: the same images in the same
/// order give the same bits, however they were made and whether or not the run was interrupted.
class Ensemble {
 public:
  Ensemble() = default;
  /// As it was when images(), means() and squares() were kept.
  Ensemble(int images, std::vector<double> means, std::vector<double> squares)
      : images_(images), means_(std::move(means)), squares_(std::move(squares)) {}

  /// The values of one more image; always as many.
  void add(std::span<const double> values);

  int images() const { return images_; }
  const std::vector<double>& means() const { return means_; }
  const std::vector<double>& squares() const { return squares_; }  ///< of deviations, summed
  /// Standard deviation (n - 1) over the root of n; NaN for one image, which tells nothing of it.
  std::vector<double> standard_errors() const;

 private:
  int images_ = 0;
  std::vector<double> means_, squares_;
};

}  // namespace tessera
