// SPDX-License-Identifier: Apache-2.0
/// Plans of convolve, ready to be timed, and rows of the reference to check them with.
#pragma once

#include <memory>
#include <string>

#include "ops/convolve/tune/convolve_sizes.hpp"
#include "tessera/convolve.hpp"
#include "tune/operations.hpp"
#include "tune/trial_room.hpp"

namespace tessera {

/// Filters of one size, by the methods that accept them.
enum class FilterRank { full, one, two, box };

/// The images that all trials of a request share, where they run.
class TrialImages {
 public:
  TrialImages(const TuneRequest& request, Size size);

  TrialRoom& room() { return room_; }
  double largest() const { return largest_; }
  /// The sampled rows by the reference; only the last filter's are kept, because those of a hundred
  /// would take more memory than the images.
  const Image& truth(const Image& filter);

 private:
  TrialRoom room_;
  Image truth_;
  const void* truth_of_ = nullptr;  ///< the weights it was made with
  double largest_ = 0;
};

/// A filter on these images, with all methods that accept it.
class TrialFilter {
 public:
  TrialFilter(std::shared_ptr<TrialImages> images, FilterSize size, FilterRank rank);

  /// A plan by this method, "auto" for the chosen one.
  Convolve plan(Backend backend, const std::string& method) const;
  /// Throws Error if the method refuses or cannot be made.
  Trial trial(Backend backend, const std::string& method) const;

 private:
  std::shared_ptr<TrialImages> images_;
  Image filter_;
};

}  // namespace tessera
