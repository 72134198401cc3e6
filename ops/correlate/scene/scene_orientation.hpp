// SPDX-License-Identifier: Apache-2.0
/// Oriented texture fields (Rao and Schunck, 1991): tessera/scene_planes.hpp defines (x1, x2).
#pragma once

#include <vector>

#include "tessera/convolve.hpp"
#include "tessera/scene_planes.hpp"

namespace tessera {

/// Weights that reach 4 sigma and sum to 1.
std::vector<double> gaussian_row(double sigma);
/// The derivative, scaled so that the result for a ramp is exactly its slope.
std::vector<double> derivative_row(const std::vector<double>& gaussian);

/// The product of a row and a column of weights as a filter of packed floats.
class RowColumnFilter {
 public:
  RowColumnFilter(Size size, const std::vector<double>& row, const std::vector<double>& column);
  void run(float* in, float* out, Stream& stream) const;

 private:
  std::vector<Convolve> passes_;  ///< one plan, or one for the row and one for the column
};

class SceneOrientation {
 public:
  /// Throws Error(usage) for invalid scales.
  SceneOrientation(int width, int height, const ScenePlanesOptions& options);

  /// Cosine and sine of the doubled angle of gradients times their energy, then the energy: three
  /// packed planes. `lightness` is packed, width * height floats.
  void double_gradients(float* lightness, float* doubled, Stream& stream) const;
  /// Averages them; `x1` and `x2` have steps of 1 between pixels.
  void average(float* doubled, View<float> x1, View<float> x2, Stream& stream) const;

  int gradient_width() const { return gradient_width_; }
  int texture_width() const { return texture_width_; }

 private:
  Size size_;
  OrientationStrength strength_;
  int gradient_width_, texture_width_;
  std::vector<RowColumnFilter> filters_;  ///< along x, along y, averages of three planes
};

}  // namespace tessera
