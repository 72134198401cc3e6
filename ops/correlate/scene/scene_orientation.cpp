// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/scene/scene_orientation.hpp"

#include <cmath>

#include "core/parallel.hpp"

namespace tessera {
namespace {

constexpr int kOrientationPieceRows = 32;
constexpr float kLeastEnergy = 1e-4F;  // scene_planes.hpp says why

using Weights = std::vector<double>;

Weights gaussian_row(double sigma) {
  const int radius = static_cast<int>(std::ceil(4 * sigma));
  Weights weights;
  double sum = 0;
  for (int i = -radius; i <= radius; ++i) {
    weights.push_back(std::exp(-0.5 * i * i / (sigma * sigma)));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

// Scaled so that the result for a ramp is exactly its slope.
Weights derivative_row(const Weights& gaussian) {
  const int radius = static_cast<int>(gaussian.size()) / 2;
  Weights weights;
  double slope = 0;
  for (int i = -radius; i <= radius; ++i) {
    weights.push_back(i * gaussian[static_cast<std::size_t>(i + radius)]);
    slope += i * weights.back();
  }
  for (double& weight : weights) weight /= slope;
  return weights;
}

Convolve filter_plan(Size size, const Weights& row, const Weights& column) {
  ConvolveOptions options;
  options.backend = Backend::cpu;
  options.method = "separable";
  return Convolve({size, Type::f32, kHost}, outer(row, column).view(), options);
}

// The doubled angle of gradients: cosine and sine times the energy, then the energy.
void double_angles(const float* gx, const float* gy, long long first, long long end,
                   long long pixels, float* doubled) {
  float *cosine = doubled, *sine = doubled + pixels, *energy = doubled + 2 * pixels;
  for (long long i = first; i < end; ++i) {
    const float xx = gx[i] * gx[i], yy = gy[i] * gy[i];
    cosine[i] = yy - xx;
    sine[i] = 2 * gx[i] * gy[i];
    energy[i] = yy + xx;
  }
}

}  // namespace

SceneOrientation::SceneOrientation(int width, int height, const ScenePlanesOptions& options)
    : size_{width, height}, strength_(options.strength) {
  check_ranges("scene planes", options);
  const Weights fine = gaussian_row(options.gradient_scale), slope = derivative_row(fine),
                coarse = gaussian_row(options.texture_scale);
  gradient_width_ = static_cast<int>(fine.size());
  texture_width_ = static_cast<int>(coarse.size());
  const int averaged = strength_ == OrientationStrength::coherence ? 3 : 2;
  plans_ = {filter_plan(size_, slope, fine), filter_plan(size_, fine, slope),
            filter_plan({width, height, 1, averaged}, coarse, coarse)};
}

void SceneOrientation::run(float* lightness, View<float> x1, View<float> x2, Stream& stream) const {
  const long long pixels = size_.pixels();
  const bool coherence = strength_ == OrientationStrength::coherence;
  const Scratch gradients = stream.scratch(static_cast<std::size_t>(5 * pixels) * sizeof(float));
  const Scratch averages = stream.scratch(static_cast<std::size_t>(3 * pixels) * sizeof(float));
  float *gx = gradients.as<float>(), *gy = gx + pixels, *doubled = gy + pixels;
  const Piece in{packed(lightness, size_), 0};
  plans_[0](in, {packed(gx, size_), 0}, stream);
  plans_[1](in, {packed(gy, size_), 0}, stream);
  for_pieces({0, size_.height}, kOrientationPieceRows, stream, [&](Rows rows) {
    double_angles(gx, gy, 1LL * rows.first * size_.width, 1LL * rows.end * size_.width, pixels,
                  doubled);
  });
  const Size all = plans_[2].output().size;
  float* mean = averages.as<float>();
  plans_[2](Piece{packed(doubled, all), 0}, {packed(mean, all), 0}, stream);
  for_pieces({0, size_.height}, kOrientationPieceRows, stream, [&](Rows rows) {
    for (int y = rows.first; y < rows.end; ++y) {
      const float *cosine = mean + 1LL * y * size_.width, *sine = cosine + pixels,
                  *energy = sine + pixels;
      float *to_x1 = &x1.at(0, y), *to_x2 = &x2.at(0, y);
      for (int x = 0; x < size_.width; ++x) {
        const float scale = coherence ? 1 / (energy[x] + kLeastEnergy) : 1;
        to_x1[x] = cosine[x] * scale;
        to_x2[x] = sine[x] * scale;
      }
    }
  });
}

}  // namespace tessera
