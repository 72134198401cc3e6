// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/scene/scene_orientation.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"

namespace tessera {
namespace {

constexpr int kOrientationPieceRows = 32;
constexpr float kLeastEnergy = 1e-4F;  // scene_planes.hpp says why

using Weights = std::vector<double>;

/// A filter with more rows is not made: 8001x8001 weights would take gigabytes and half a minute
/// for an image of any size.
constexpr std::size_t kMostFilterRows = 512;

Convolve filter_plan(Size size, const Weights& row, const Weights& column, const char* method) {
  ConvolveOptions options;
  options.backend = Backend::cpu;
  options.method = method;
  const Image filter = outer(row, column);
  return Convolve({size, Type::f32, kHost}, filter.view(), options);
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

std::vector<double> gaussian_row(double sigma) {
  const int radius = static_cast<int>(std::ceil(4 * sigma));
  std::vector<double> weights;
  double sum = 0;
  for (int i = -radius; i <= radius; ++i) {
    weights.push_back(std::exp(-0.5 * i * i / (sigma * sigma)));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

std::vector<double> derivative_row(const std::vector<double>& gaussian) {
  const int radius = static_cast<int>(gaussian.size()) / 2;
  std::vector<double> weights;
  double slope = 0;
  for (int i = -radius; i <= radius; ++i) {
    weights.push_back(i * gaussian[static_cast<std::size_t>(i + radius)]);
    slope += i * weights.back();
  }
  for (double& weight : weights) weight /= slope;
  return weights;
}

RowColumnFilter::RowColumnFilter(Size size, const std::vector<double>& row,
                                 const std::vector<double>& column) {
  if (std::max(row.size(), column.size()) <= kMostFilterRows)
    passes_ = {filter_plan(size, row, column, "separable")};
  else
    passes_ = {filter_plan(size, row, {1}, "direct"), filter_plan(size, {1}, column, "direct")};
}

void RowColumnFilter::run(float* in, float* out, Stream& stream) const {
  const Size size = passes_[0].output().size;
  const Piece from{packed(in, size), 0};
  const MutablePiece to{packed(out, size), 0};
  if (passes_.size() == 1) return passes_[0](from, to, stream);
  const Scratch between = stream.scratch(static_cast<std::size_t>(size.samples()) * sizeof(float));
  passes_[0](from, {packed(between.as<float>(), size), 0}, stream);
  passes_[1](Piece{packed(between.as<float>(), size), 0}, to, stream);
}

SceneOrientation::SceneOrientation(int width, int height, const ScenePlanesOptions& options)
    : size_{width, height}, strength_(options.strength) {
  check_ranges("scene planes", options);
  const Weights fine = gaussian_row(options.gradient_scale), slope = derivative_row(fine),
                coarse = gaussian_row(options.texture_scale);
  gradient_width_ = static_cast<int>(fine.size());
  texture_width_ = static_cast<int>(coarse.size());
  const int averaged = strength_ == OrientationStrength::coherence ? 3 : 2;
  filters_ = {
      {size_, slope, fine}, {size_, fine, slope}, {{width, height, 1, averaged}, coarse, coarse}};
}

void SceneOrientation::double_gradients(float* lightness, float* doubled, Stream& stream) const {
  const long long pixels = size_.pixels();
  const Scratch gradients = stream.scratch(static_cast<std::size_t>(2 * pixels) * sizeof(float));
  float *gx = gradients.as<float>(), *gy = gx + pixels;
  filters_[0].run(lightness, gx, stream);
  filters_[1].run(lightness, gy, stream);
  for_pieces({0, size_.height}, kOrientationPieceRows, stream, [&](Rows rows) {
    double_angles(gx, gy, 1LL * rows.first * size_.width, 1LL * rows.end * size_.width, pixels,
                  doubled);
  });
}

void SceneOrientation::average(float* doubled, View<float> x1, View<float> x2,
                               Stream& stream) const {
  const long long pixels = size_.pixels();
  const bool coherence = strength_ == OrientationStrength::coherence;
  const Scratch averages = stream.scratch(static_cast<std::size_t>(3 * pixels) * sizeof(float));
  float* mean = averages.as<float>();
  filters_[2].run(doubled, mean, stream);
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
