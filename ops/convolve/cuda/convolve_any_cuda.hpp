// SPDX-License-Identifier: Apache-2.0
/// The kernel for any filter, compiled ahead of time: direct uses it if compiling does not pay, and
/// other methods fall back on it.
#pragma once

#include <fmt/format.h>

#include "ops/convolve/cuda/convolve_cuda.hpp"
#include "ops/convolve/cuda/convolve_direct_args.cuh"

namespace tessera {

template <class T>
class AnyFilterKernel {
 public:
  explicit AnyFilterKernel(const ConvolveProblem& p)
      : weights_(p.weights.begin(), p.weights.end()),
        many_weights_(p.device, weights_.size() > kInlineWeights ? weights_ : std::vector<T>{}),
        knobs_(has_few_tiles(p) ? kSmallDirectKnobs : DirectKnobs{}),
        kernel_(
            find_kernel(p.device, {"convolve_direct",
                                   fmt::format("direct_{}{}_{}", has_few_tiles(p) ? "small_" : "",
                                               name_of(p.image.type), name_of(p.output.type)),
                                   "", ""})) {}

  const std::vector<T>& weights() const { return weights_; }

  /// `args` is complete except for the weights. `only_if`: null, or a device address; if the number
  /// there is 0, nothing is done.
  void launch(DirectArgs<T>& args, const Piece& in, const MutablePiece& out, const int* only_if,
              Stream& stream) const {
    const DirectKnobs& k = knobs_;
    args.only_if = only_if;
    args.weights = many_weights_.template as<T>();
    if (!args.weights) std::copy(weights_.begin(), weights_.end(), args.inline_weights);
    each_launch(out, k.block_y * k.rows, args.channels, [&](Rows rows, int plane, int planes) {
      move_to_part(args, in, out, rows, plane);
      kernel_.launch(
          stream,
          {blocks_for(args.out_width, k.block_x), blocks_for(rows.count(), k.block_y * k.rows),
           static_cast<unsigned>(planes * args.channels)},
          {static_cast<unsigned>(k.block_x), static_cast<unsigned>(k.block_y)}, 0, args);
    });
    many_weights_.used_by(stream);
  }

 private:
  /// Whether usual tiles would give a multiprocessor fewer than two blocks.
  static bool has_few_tiles(const ConvolveProblem& p) {
    constexpr DirectKnobs k;
    const Size size = p.output.size;
    return 1LL * blocks_for(size.width, k.block_x) * blocks_for(size.height, k.block_y * k.rows) *
               size.planes * size.channels <
           2LL * device_info(p.device).multiprocessors;
  }

  std::vector<T> weights_;
  Resident many_weights_;
  DirectKnobs knobs_;
  const GpuKernel& kernel_;
};

}  // namespace tessera
