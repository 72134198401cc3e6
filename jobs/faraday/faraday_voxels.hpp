// SPDX-License-Identifier: Apache-2.0
/// Q and U with the noise and weights of their channels: planes of Q, of U, then of noise and of
/// weights if these differ from pixel to pixel.
///
/// A model of Stokes I divides all of them: Q and U are multiplied by I_0 / I_k, the noise by the
/// magnitude of that, and weights by variance follow from the noise.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jobs/faraday/faraday_input.hpp"
#include "jobs/faraday/faraday_noise.hpp"
#include "tessera/faraday_bands.hpp"

namespace tessera {

/// The options that name noise and weights.
struct FaradayVoxelFiles {
  std::string noise;    ///< "", a number, or a file: a list, a map or a cube
  std::string weights;  ///< "uniform", "variance", or a file: a list or a cube
};

class FaradayVoxelInput : public RowSource {
 public:
  /// Throws Error for files that do not fit Q.
  FaradayVoxelInput(const FaradayVoxelFiles& files, FaradayInput& input, const ReadOptions& reading,
                    FaradayMemory& memory);

  FaradayInput& cubes() { return input_; }
  const FaradayInput& cubes() const { return input_; }
  bool knows_noise() const { return noise_.known(); }
  /// Weights differ from pixel to pixel.
  bool has_weights() const;

  /// Weights of channels, after input.set_frequencies: all 1 if they differ from pixel to pixel.
  std::vector<double> channel_weights() const;
  /// The mean weight of each channel over the voxels that count, read from all rows; after
  /// input.refer_to.
  std::vector<double> mean_weights();
  /// Noise of channels, after input.refer_to; empty if it is not known or differs from pixel to
  /// pixel.
  std::vector<double> channel_sigma() const;

  ImageInfo info() const override;
  void read(Rows rows, AnyMutableView to) override;
  std::size_t scratch_bytes_a_row() const;
  /// The parts of a strip that `read` has filled.
  FaradayVoxels voxels(AnyView strip) const;

 private:
  int channels() const { return input_.cube().size.planes; }
  int sigma_planes() const;
  void read_weights(Rows rows, AnyView sigma, AnyMutableView weights);

  FaradayInput& input_;
  std::string weights_;  ///< as given
  FaradayNoise noise_;
  std::vector<double> weight_list_;
  std::unique_ptr<FaradayCubeSource> weight_cube_;
};

}  // namespace tessera
