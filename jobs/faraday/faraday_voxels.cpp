// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_voxels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jobs/faraday/faraday_lists.hpp"
#include "jobs/faraday/faraday_planes.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

template <class Function>
void for_samples(AnyMutableView view, const Function& function) {
  const View<float> samples = view.as<float>();
  for (int k = 0; k < view.size.planes; ++k)
    for (int y = 0; y < view.size.height; ++y)
      for (int x = 0; x < view.size.width; ++x) function(samples.at(x, y, 0, k), x, y, k);
}

}  // namespace

FaradayVoxelInput::FaradayVoxelInput(const FaradayVoxelFiles& files, FaradayInput& input,
                                     const ReadOptions& reading, FaradayMemory& memory)
    : input_(input), weights_(files.weights), noise_(files.noise, input.q(), reading, memory) {
  const FaradayCubeSource& q = input.q();
  if (weights_ == "uniform") return;
  if (weights_ == "variance") {
    if (!knows_noise())
      throw Error(ErrorKind::usage,
                  "faraday: weights by variance need --noise: a number, a list with the noise of "
                  "every channel, a map or a cube");
  } else if (is_faraday_list(weights_)) {
    weight_list_ = read_channel_list(weights_, q, "weights");
  } else {
    weight_cube_ = open_cube_like(weights_, "the cube of weights", q, reading, memory);
  }
}

// A map of noise, or a list with a cube of Stokes I: noise has planes as soon as pixels differ.
int FaradayVoxelInput::sigma_planes() const {
  if (!knows_noise()) return 0;
  if (noise_.cube || input_.has_model_cube()) return channels();
  if (noise_.map) return input_.model_list().empty() ? 1 : channels();
  return 0;
}

bool FaradayVoxelInput::has_weights() const {
  return weight_cube_ || (weights_ == "variance" && sigma_planes() == channels());
}

std::vector<double> FaradayVoxelInput::channel_weights() const {
  std::vector<double> weights(static_cast<std::size_t>(channels()), 1.0);
  if (!weight_list_.empty()) return weight_list_;
  if (weights_ != "variance" || has_weights() || noise_.list.empty()) return weights;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const double model = input_.model_list().empty() ? 1 : input_.model_list()[k];
    weights[k] = model * model / (noise_.list[k] * noise_.list[k]);
  }
  return weights;
}

std::vector<double> FaradayVoxelInput::channel_sigma() const {
  if (noise_.list.empty() || sigma_planes() > 0) return {};
  std::vector<double> sigma = noise_.list;
  const std::vector<double> factors = input_.list_factors();
  for (std::size_t k = 0; k < factors.size(); ++k) sigma[k] *= std::abs(factors[k]);
  return sigma;
}

ImageInfo FaradayVoxelInput::info() const {
  ImageInfo info = input_.info();
  info.size.planes += sigma_planes() + (has_weights() ? channels() : 0);
  return info;
}

std::size_t FaradayVoxelInput::scratch_bytes_a_row() const {
  std::size_t bytes = input_.scratch_bytes_a_row();
  for (const FaradayCubeSource* cube : {noise_.cube.get(), weight_cube_.get()})
    if (cube) bytes = std::max(bytes, cube->scratch_bytes_a_row());
  return bytes;
}

void FaradayVoxelInput::read(Rows rows, AnyMutableView to) {
  const int n = channels(), sigmas = sigma_planes();
  AnyMutableView sigma;
  if (sigmas > 0) {
    sigma = planes_of(to, 2 * n, sigmas);
    noise_.read(rows, sigma);
  }
  input_.read(rows, planes_of(to, 0, 2 * n), sigma);
  if (has_weights()) read_weights(rows, sigma, planes_of(to, 2 * n + sigmas, n));
}

// Powers of the noise leave the range of floats sooner than the noise itself; such voxels do not
// count.
void FaradayVoxelInput::read_weights(Rows rows, AnyView sigma, AnyMutableView weights) {
  if (weight_cube_) return weight_cube_->read(rows, weights);
  for_samples(weights, [&](float& value, int x, int y, int k) {
    const double s = sigma.as<const float>().at(x, y, 0, k);
    value = static_cast<float>(1 / (s * s));
  });
}

FaradayVoxels FaradayVoxelInput::voxels(AnyView strip) const {
  const int n = channels(), sigmas = sigma_planes();
  FaradayVoxels voxels{planes_of(strip, 0, n), planes_of(strip, n, n)};
  if (sigmas > 0) voxels.sigma = planes_of(strip, 2 * n, sigmas);
  if (has_weights()) voxels.weight = planes_of(strip, 2 * n + sigmas, n);
  return voxels;
}

std::vector<double> FaradayVoxelInput::mean_weights() {
  constexpr long long kEnoughBytes = 1 << 22;
  ImageInfo part = info();
  const int height = part.size.height;
  const long long row_bytes = 4LL * part.size.width * part.size.planes;
  part.size.height = static_cast<int>(std::clamp<long long>(kEnoughBytes / row_bytes, 1, height));
  Image strip(part);
  std::vector<double> sums(static_cast<std::size_t>(channels()), 0.0);
  std::vector<long long> counts(sums.size(), 0);
  for (int row = 0; row < height; row += part.size.height) {
    const Rows rows{row, std::min(row + part.size.height, height)};
    AnyMutableView to = strip.view();
    to.size.height = rows.count();
    read(rows, to);
    const FaradayVoxels all = voxels(to);
    for_samples(AnyMutableView(planes_of(to, 0, channels())), [&](float q, int x, int y, int k) {
      const float w = all.weight.as<const float>().at(x, y, 0, k);
      if (!std::isfinite(q + all.u.as<const float>().at(x, y, 0, k)) || !(w > 0) || std::isinf(w))
        return;
      sums[static_cast<std::size_t>(k)] += w;
      ++counts[static_cast<std::size_t>(k)];
    });
  }
  for (std::size_t k = 0; k < sums.size(); ++k)
    if (counts[k] > 0) sums[k] /= static_cast<double>(counts[k]);
  return sums;
}

}  // namespace tessera
