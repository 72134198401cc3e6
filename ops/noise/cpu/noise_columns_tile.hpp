// SPDX-License-Identifier: Apache-2.0
/// One tile of the CPU method `columns`, exactly or by bins.
#pragma once

#include "ops/noise/cpu/noise_columns_rows.hpp"
#include "ops/noise/cpu/noise_ranks.hpp"

namespace tessera {

struct NoiseTileSize {
  int width = 0, height = 0;
};

template <class T>
class NoiseColumnsTile {
 public:
  NoiseColumnsTile(const NoiseProblem& problem, const Piece& in, const MutablePiece& out,
                   NoiseTileSize exact_size)
      : problem_(problem), in_(in), out_(out), exact_size_(exact_size) {}

  /// `only`: one flag per pixel of the rectangle, with its own row step; the others are not
  /// written.
  void exact(const NoiseRectangle& outputs, const unsigned char* only = nullptr, int only_step = 0);
  /// One whole tile in mode binned.
  void binned(const NoiseRectangle& outputs);

 private:
  void exactly_where(const NoiseRectangle& outputs, const std::vector<unsigned char>& flags);
  void exact_quantiles(const NoiseTileRows& rows, int width, double* quantiles) const;
  void binned_quantiles(const NoiseTileRows& rows, const NoiseBins& bins, int width,
                        double* quantiles, unsigned char* at_end) const;
  NoiseMarks bin(const NoiseRegion& region, const NoiseBins& bins);

  const NoiseProblem& problem_;
  const Piece& in_;
  const MutablePiece& out_;
  NoiseTileSize exact_size_;
  NoiseRanks<T> ranks_;
  GrowingScratch marks_;
};

extern template class NoiseColumnsTile<unsigned char>;
extern template class NoiseColumnsTile<unsigned short>;
extern template class NoiseColumnsTile<float>;
extern template class NoiseColumnsTile<double>;

}  // namespace tessera
