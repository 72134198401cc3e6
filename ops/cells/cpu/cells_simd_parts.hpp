// SPDX-License-Identifier: Apache-2.0
/// The heavy loops in float, on SIMD blocks and all the threads of a stream.
#pragma once

#include <vector>

#include "ops/cells/cells_parts.hpp"
#include "ops/cells/cpu/cells_blocks.hpp"

namespace tessera {

class SimdCellsParts : public CellsParts<float> {
 public:
  explicit SimdCellsParts(const CellsProblem& problem);

  void smooth(AnyView frame, CellPlane<float>& out, Stream& stream) const override;
  void accumulate(const CellPlane<float>& smooth, float shift_x, float shift_y,
                  CellPlane<float>& sum, std::vector<int>& count, Stream& stream) const override;
  void median(const std::vector<EpochCanvas<float>>& epochs, StillScene<float>& out,
              Stream& stream) const override;
  DriftSums drift_sums(const CellPlane<float>& smooth, const StillScene<float>& scene,
                       float shift_x, float shift_y, float limit, Stream& stream) const override;
  void subtract(const CellPlane<float>& smooth, const StillScene<float>& scene, float shift_x,
                float shift_y, CellPlane<float>& out, Stream& stream) const override;
  double gradients(const CellPlane<float>& in, CellPlane<float>& across, CellPlane<float>& down,
                   Stream& stream) const override;
  void scores(const CellPlane<float>& across, const CellPlane<float>& down, float floor,
              CellsCrop region, ScoreMap<float>& out, Stream& stream) const override;
  void mgvf(const float* edge, int width, int height, float* field) const override;

 private:
  void median_row(const std::vector<EpochCanvas<float>>& epochs, int y, float* memory,
                  StillScene<float>& out) const;
  std::size_t area() const;
  long long at(int y) const { return static_cast<long long>(y) * width_; }

  int width_, height_;
  std::vector<float> weights_;
  GicovShape shape_;
  std::vector<GicovCircle> circles_;
  float least_mean_, most_mean_;
  MgvfRule rule_;
  CellsBlocks blocks_;
};

}  // namespace tessera
