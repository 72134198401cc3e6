// SPDX-License-Identifier: Apache-2.0
#include "ops/sources/fit/sources_errors.hpp"

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

constexpr std::size_t kMostNeighbours = 6;
/// Gaussians overlap if the integral of their product is more than this share of that of like ones.
constexpr double kOverlap = 0.01;
/// Regions with more pixels are much wider than the noise's correlation: all lags then have nearly
/// the same product, and only their sum counts.
constexpr std::size_t kMostPixels = 20000;

std::size_t element(int r, int n, int c) { return static_cast<std::size_t>(r * n + c); }

/// Pixels by place, in a rectangle around them.
class Places {
 public:
  Places(const SourceGroup& group, const std::vector<std::size_t>& pixels) {
    left_ = right_ = group.x[pixels.front()];
    for (const std::size_t i : pixels) {
      left_ = std::min(left_, group.x[i]);
      right_ = std::max(right_, group.x[i]);
    }
    top_ = group.y[pixels.front()];
    bottom_ = group.y[pixels.back()];
    width_ = right_ - left_ + 1;
    found_.assign(static_cast<std::size_t>(width_) * static_cast<std::size_t>(bottom_ - top_ + 1),
                  -1);
    for (std::size_t k = 0; k < pixels.size(); ++k)
      found_[index(group.x[pixels[k]], group.y[pixels[k]])] = static_cast<int>(k);
  }
  int at(int x, int y) const {
    if (x < left_ || x > right_ || y < top_ || y > bottom_) return -1;
    return found_[index(x, y)];
  }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y - top_) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x - left_);
  }
  int left_, right_, top_, bottom_, width_;
  std::vector<int> found_;
};

/// The sum over pairs of pixels of v_i C_ij v_j^T, for n values of every pixel.
std::vector<double> spread(const SourceGroup& group, const std::vector<std::size_t>& pixels,
                           const std::vector<double>& values, int n, const SourceErrorsOf& of) {
  std::vector<double> all(static_cast<std::size_t>(n * n)), total(static_cast<std::size_t>(n));
  std::vector<double> smooth = values;
  if (!of.lags.empty() && pixels.size() <= kMostPixels) {
    const Places places(group, pixels);
    for (const SourceLag& lag : of.lags)
      for (std::size_t i = 0; i < pixels.size(); ++i) {
        const int j = places.at(group.x[pixels[i]] + lag.dx, group.y[pixels[i]] + lag.dy);
        if (j < 0) continue;
        const std::size_t here = i * static_cast<std::size_t>(n),
                          there = static_cast<std::size_t>(j) * static_cast<std::size_t>(n);
        for (std::size_t c = 0; c < static_cast<std::size_t>(n); ++c) {
          smooth[here + c] += lag.correlation * values[there + c];
          smooth[there + c] += lag.correlation * values[here + c];
        }
      }
  } else {
    for (double& value : smooth) value *= of.noise_pixels;
  }
  for (std::size_t i = 0; i < pixels.size(); ++i)
    for (int r = 0; r < n; ++r) {
      const double value = values[i * static_cast<std::size_t>(n) + static_cast<std::size_t>(r)];
      total[static_cast<std::size_t>(r)] += value;
      for (int c = 0; c < n; ++c)
        all[element(r, n, c)] +=
            value * smooth[i * static_cast<std::size_t>(n) + static_cast<std::size_t>(c)];
    }
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c)
      all[element(r, n, c)] += of.background_variance * total[static_cast<std::size_t>(r)] *
                               total[static_cast<std::size_t>(c)];
  return all;
}

/// The integral of the product of two Gaussians over that of two in one place.
double overlap(const SourceGaussian& a, const SourceGaussian& b) {
  const SourceMoments of_a = moments_of(a), of_b = moments_of(b);
  const double xx = of_a.xx + of_b.xx, xy = of_a.xy + of_b.xy, yy = of_a.yy + of_b.yy;
  const double dx = a.x() - b.x(), dy = a.y() - b.y();
  return std::exp(-0.5 * (yy * dx * dx - 2 * xy * dx * dy + xx * dy * dy) / (xx * yy - xy * xy));
}

/// Source k, then the neighbours that share most with it.
std::vector<std::size_t> with_neighbours(const std::vector<SourceFit>& fits, std::size_t k) {
  std::vector<std::pair<double, std::size_t>> near;
  for (std::size_t j = 0; j < fits.size(); ++j) {
    if (j == k || fits[j].free == 0) continue;
    const double shared = overlap(fits[k].gaussian, fits[j].gaussian);
    if (shared > kOverlap) near.emplace_back(-shared, j);
  }
  std::ranges::sort(near);
  std::vector<std::size_t> all{k};
  for (std::size_t j = 0; j < std::min(near.size(), kMostNeighbours); ++j)
    all.push_back(near[j].second);
  return all;
}

std::vector<double> covariance_of(const SourceGroup& group, const std::vector<SourceFit>& fits,
                                  const std::vector<std::size_t>& members,
                                  const SourceErrorsOf& of) {
  std::vector<std::size_t> pixels;
  int n = 0;
  for (const std::size_t j : members) {
    pixels.insert(pixels.end(), fits[j].region.begin(), fits[j].region.end());
    n += fits[j].free;
  }
  std::ranges::sort(pixels);
  pixels.erase(std::unique(pixels.begin(), pixels.end()), pixels.end());
  const auto width = static_cast<std::size_t>(n);
  std::vector<double> slopes(pixels.size() * width), matrix(width * width);
  double slope[SourceGaussian::kParameters];
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    std::size_t column = i * width;
    for (const std::size_t j : members) {
      fits[j].gaussian.slopes(group.x[pixels[i]], group.y[pixels[i]], slope);
      for (int c = 0; c < fits[j].free; ++c) slopes[column++] = group.weight[pixels[i]] * slope[c];
    }
    for (std::size_t r = 0; r < width; ++r)
      for (std::size_t c = 0; c < width; ++c)
        matrix[r * width + c] += slopes[i * width + r] * slopes[i * width + c];
  }
  std::vector<double> spreads = spread(group, pixels, slopes, n, of);
  for (int side = 0; side < 2; ++side) {
    std::vector<double> copy = matrix;
    if (!solve_positive(copy, n, spreads)) return {};
    for (std::size_t r = 0; r < width; ++r)
      for (std::size_t c = 0; c < r; ++c) std::swap(spreads[r * width + c], spreads[c * width + r]);
  }
  const auto own = static_cast<std::size_t>(fits[members.front()].free);
  std::vector<double> result;
  for (std::size_t r = 0; r < own; ++r)
    for (std::size_t c = 0; c < own; ++c) result.push_back(spreads[r * width + c]);
  return result;
}

}  // namespace

std::vector<double> gaussian_covariance(const SourceGroup& group,
                                        const std::vector<SourceFit>& fits, std::size_t k,
                                        const SourceErrorsOf& of) {
  if (fits[k].free == 0) return {};
  std::vector<double> all = covariance_of(group, fits, with_neighbours(fits, k), of);
  if (all.empty()) all = covariance_of(group, fits, {k}, of);
  return all;
}

double sum_variance(const SourceGroup& group, const std::vector<std::size_t>& pixels,
                    const SourceErrorsOf& of) {
  std::vector<double> rms;
  for (const std::size_t i : pixels) rms.push_back(group.pixels[i].rms);
  return spread(group, pixels, rms, 1, of).front();
}

double pattern_variance(const SourceGroup& group, const std::vector<std::size_t>& pixels,
                        const std::vector<double>& pattern, const SourceErrorsOf& of) {
  return spread(group, pixels, pattern, 1, of).front();
}

}  // namespace tessera
