// SPDX-License-Identifier: Apache-2.0
/// Mean and standard error of many values over the images of an ensemble.
#pragma once

#include <span>
#include <vector>

namespace tessera {

/// Number, means and sums of squared deviations of the images added so far, in double (Welford).
struct Moments {
  int images = 0;
  std::vector<double> means, squares;

  /// The values of one more image; always the same number.
  void add(std::span<const double> values);
  /// Those of other images, which come after these (Chan, Golub and LeVeque).
  void add(const Moments& later);
  /// Standard deviation (n - 1) over the root of n; NaN for a single image.
  std::vector<double> standard_errors() const;

  bool operator==(const Moments&) const = default;
};

/// The moments of images in the order of a list. They are added in blocks of a fixed number of
/// places in the list, and the blocks in their order: so the same list gives the same bits, whether
/// the run was interrupted, and however blocks are shared among processes.
class Ensemble {
 public:
  static constexpr int kBlock = 8;

  Ensemble() = default;
  /// Restores the state in which these were saved.
  Ensemble(Moments whole, Moments open, long long last)
      : whole_(std::move(whole)), open_(std::move(open)), last_(last) {}

  /// The values of the image at this place of the list. Places ascend; those of images without
  /// values are left out.
  void add(long long place, std::span<const double> values);
  /// All images of the next block, of which the last with values is at this place.
  void add_block(long long last, Moments moments);

  int images() const { return whole_.images + open_.images; }
  const Moments& whole() const { return whole_; }  ///< of the blocks before the last
  const Moments& open() const { return open_; }    ///< of the block of the last image
  long long last() const { return last_; }         ///< place of the last image with values
  Moments all() const;

 private:
  Moments whole_, open_;
  long long last_ = 0;
};

}  // namespace tessera
