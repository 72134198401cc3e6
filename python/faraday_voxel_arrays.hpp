// SPDX-License-Identifier: Apache-2.0
/// Noise and weights of faraday_synth: one number, one per channel, per pixel or per voxel. The
/// library of the arrays does the arithmetic, so that arrays on a GPU stay there.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <vector>

#include "python/arrays.hpp"
#include "python/faraday_model.hpp"
#include "tessera/faraday_bands.hpp"

namespace tessera::python {

class VoxelArrays {
 public:
  /// `noise` and `weights` may be None, weights "variance". `model`: null if there is none; it
  /// divides the noise. TypeError and ValueError name the argument, noise by its name.
  VoxelArrays(nb::handle noise, nb::handle weights, const Array& q, int axis,
              const StokesModel* model, const char* noise_name = "faraday_synth: noise");

  /// Weights differ from pixel to pixel.
  bool has_weights() const { return weight_.has_value(); }
  /// Weights of channels for the axes; None: all 1. For weights that differ from pixel to pixel
  /// their means over voxels that count.
  nb::object channel_weights(const Array& q, const Array& u) const;
  /// Noise of channels; empty: not known, or not one per channel.
  const std::vector<double>& channel_sigma() const { return channel_sigma_; }
  /// Q, U and what differs from pixel to pixel.
  FaradayVoxels voxels(const Array& q, const Array& u) const;
  /// Noise that differs from pixel to pixel; null: it does not.
  const Array* sigma() const { return sigma_ ? &*sigma_ : nullptr; }
  std::vector<const Array*> arrays() const;

 private:
  void take_noise(nb::handle noise, const Array& q, const StokesModel* model);
  void take_weights(nb::handle weights, const Array& q);

  const char* noise_name_;
  int axis_;                 ///< counted from the front
  nb::object owner_;         ///< the library
  nb::object sigma_like_q_;  ///< broadcasts to Q; none: not known
  std::vector<double> channel_sigma_;
  nb::object channel_weights_ = nb::none();
  std::optional<Array> sigma_, weight_;
};

}  // namespace tessera::python
