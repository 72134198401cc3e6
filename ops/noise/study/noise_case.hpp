// SPDX-License-Identifier: Apache-2.0
/// The talk's problem: a box around every pixel, the quartiles of its values, and the noise that
/// follows from them. The image is varying noise on a slope, with sources; rungs make background
/// and noise of all of it, slow ones of a band of rows.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ops/noise/study/box_study_args.cuh"
#include "study/rung.hpp"
#include "tessera/image.hpp"
#include "tessera/noise.hpp"

namespace tessera {

/// The output of a rung, and its place.
enum class NoiseMade : int { host, host_band, device, device_band };
/// The truth it is compared with: the reference, bit by bit, in mode exact or binned; or sorted
/// values within the bound of a histogram.
enum class NoiseTruth : int { exact, binned, sorted };

/// PreparedRung::truth has both.
struct NoiseRungResult {
  NoiseMade made = NoiseMade::host;
  NoiseTruth truth = NoiseTruth::exact;

  static NoiseRungResult of(const PreparedRung& rung) {
    return {static_cast<NoiseMade>(rung.truth % 4), static_cast<NoiseTruth>(rung.truth / 4)};
  }
  int number() const { return static_cast<int>(made) + 4 * static_cast<int>(truth); }
};

class NoiseCase {
 public:
  /// With a device, images are there too, and those of the host are page-locked.
  NoiseCase(int side, NoiseBox box, Stream* device);

  std::string name() const;
  int side() const { return side_; }
  NoiseBox box() const { return box_; }
  Rows rows(NoiseMade made) const;  ///< that such a rung makes
  double pixels(NoiseMade made) const { return 1.0 * side_ * rows(made).count(); }

  AnyMutableView given(bool on_device) const;  ///< f32
  AnyMutableView maps(bool on_device) const;   ///< planes background and rms
  /// For rungs by hand; `room` is null.
  BoxStudyArgs args(NoiseMade made) const;
  /// The largest difference of a quantile counted by hand from the sorted value at or below its
  /// position: it is in that value's bin, or half a bin above.
  double bound_by_hand() const { return 1.5 * bins_.width; }

  /// Fills the output of the rung with NaN.
  void poison(const PreparedRung& rung, Stream& stream) const;
  /// The first pixel that differs from the reference in the rows that are compared, or is not
  /// finite in others; "" if there is none.
  std::string disagreement(const PreparedRung& rung, Stream& stream) const;

 private:
  void place_images(Stream* device);
  void fill() const;
  /// Background and noise of one of truth_rows_; made when asked for. Sorted values are not
  /// interpolated: counting approximates them.
  const Image& truth(int row, NoiseTruth kind) const;
  Image made_truth(int y, NoiseTruth kind) const;
  std::string wrong_pixel(int truth_row, NoiseTruth kind) const;

  int side_;
  NoiseBox box_;
  std::vector<Scratch> memory_;
  AnyMutableView host_given_, host_maps_, device_given_, device_maps_;
  NoiseBins bins_{};  ///< of rungs by hand: of the whole image
  std::vector<int> truth_rows_;
  mutable std::array<std::vector<Image>, 3> truth_;
};

}  // namespace tessera
