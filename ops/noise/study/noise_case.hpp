// SPDX-License-Identifier: Apache-2.0
/// The talk's problem: a box about every pixel, the quartiles of its values, and what they say of
/// the noise. An image of noise that varies, on a slope, with sources; rungs make background and
/// noise of all of it, slow ones of a band of rows.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ops/noise/study/box_study_args.cuh"
#include "study/rung.hpp"
#include "tessera/image.hpp"
#include "tessera/noise.hpp"

namespace tessera {

/// What a rung makes, and where.
enum class NoiseMade : int { host, host_band, device, device_band };
/// What it is held against: the reference to the bit, in mode exact or binned; or sorted values
/// within the bound of a histogram.
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
  /// With a device, images lie there too, and those of the host are page-locked.
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
  /// What a quantile counted by hand may be off from the sorted value at or below its place: it
  /// lies in that value's bin, or half a bin above.
  double bound_by_hand() const { return 1.5 * bins_.width; }

  /// Fills what the rung is to write with NaN.
  void poison(const PreparedRung& rung, Stream& stream) const;
  /// The first pixel that is not the reference's, in the rows that are looked at, or not finite in
  /// others; "".
  std::string disagreement(const PreparedRung& rung, Stream& stream) const;

 private:
  void place_images(Stream* device);
  void fill() const;
  /// Background and noise of one of truth_rows_; made when asked for. Sorted values are not
  /// interpolated: counting comes near those.
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
