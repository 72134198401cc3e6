// SPDX-License-Identifier: Apache-2.0
#include "ops/sources/sources_noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/parallel.hpp"

namespace tessera {
namespace {

/// 128 squares of 64 by 64 pixels show a correlation of white noise within 0.0015.
constexpr int kSquare = 64, kMostSquares = 128;
constexpr double kErrorsShown = 3;
/// With fewer pixels the correlations of neighbours are known no better than to 0.03, which changes
/// errors by more than 10%.
constexpr long long kFewestPixels = 1000;
/// Pixels beyond are sources that the seed left out, or their like.
constexpr float kFarthest = 5;

struct LagSums {
  std::vector<double> products, counts;
};

}  // namespace

SourceNoiseSamples::SourceNoiseSamples(const Size& image, int reach) : reach_(reach) {
  if (image.width <= 0 || image.height <= 0) return;
  const long long across = (image.width - 1) / kSquare + 1, down = (image.height - 1) / kSquare + 1;
  const long long all = across * down, wanted = std::min<long long>(all, kMostSquares);
  for (long long k = 0; k < wanted; ++k) {
    const long long square = (2 * k + 1) * all / (2 * wanted), row = square / across;
    // Every row is shifted by some squares, so that a few columns do not hold them all.
    const int x = static_cast<int>((square + 7 * row) % across) * kSquare,
              y = static_cast<int>(row) * kSquare;
    squares_.push_back(
        {x, y, std::min(kSquare, image.width - x), std::min(kSquare, image.height - y), {}});
  }
}

void SourceNoiseSamples::add(const SourceRows& rows, int first) {
  SourcePixel pixels[kSquare];
  for (Square& square : squares_)
    for (int y = std::max(first, square.y);
         y < std::min(first + rows.height(), square.y + square.height); ++y) {
      read_source_pixels(rows, y - first, square.x, square.x + square.width, 1, pixels);
      for (int x = 0; x < square.width; ++x) {
        const SourcePixel& pixel = pixels[x];
        square.values.push_back(pixel.valid() ? static_cast<float>(pixel.d / pixel.rms)
                                              : std::numeric_limits<float>::quiet_NaN());
      }
    }
}

void SourceNoiseSamples::leave_out(const std::vector<SourceRun>& runs) {
  for (Square& square : squares_)
    for (auto run = std::ranges::lower_bound(runs, square.y, {}, &SourceRun::y);
         run != runs.end() && run->y < square.y + square.height; ++run)
      for (int x = std::max(run->x0, square.x); x < std::min(run->x1, square.x + square.width); ++x)
        square.values[static_cast<std::size_t>((run->y - square.y) * square.width + x - square.x)] =
            std::numeric_limits<float>::quiet_NaN();
}

long long SourceNoiseSamples::bytes() const {
  return std::ssize(squares_) * kSquare * kSquare * static_cast<long long>(sizeof(float));
}

std::vector<SourceLag> SourceNoiseSamples::lags(int threads, long long& pixels) const {
  std::vector<SourceLag> wanted{{0, 0, 0}};
  for (int dy = 0; dy <= reach_; ++dy)
    for (int dx = dy == 0 ? 1 : -reach_; dx <= reach_; ++dx)
      if (dx * dx + dy * dy <= reach_ * reach_) wanted.push_back({dx, dy, 0});
  // The mean is what the background was off by, on average.
  double sum = 0;
  pixels = 0;
  for (const Square& square : squares_)
    for (const float value : square.values)
      if (std::abs(value) <= kFarthest) {
        sum += value;
        ++pixels;
      }
  if (pixels == 0) return {};
  const double mean = sum / static_cast<double>(pixels);
  std::vector<LagSums> of_squares(squares_.size());
  parallel_for(static_cast<int>(squares_.size()), threads, [&](int s) {
    const Square& square = squares_[static_cast<std::size_t>(s)];
    std::vector<float> noise, counts;
    for (const float value : square.values) {
      const bool counted = std::abs(value) <= kFarthest;
      counts.push_back(counted ? 1.0F : 0.0F);
      noise.push_back(counted ? static_cast<float>(value - mean) : 0.0F);
    }
    LagSums& sums = of_squares[static_cast<std::size_t>(s)];
    for (const SourceLag& lag : wanted) {
      double products = 0, both = 0;
      for (int y = 0; y + lag.dy < square.height; ++y) {
        const int begin = std::max(0, -lag.dx), end = square.width - std::max(0, lag.dx);
        const auto here = static_cast<std::ptrdiff_t>(y) * square.width;
        const auto there = here + static_cast<std::ptrdiff_t>(lag.dy) * square.width + lag.dx;
        float row = 0, count = 0;
        for (int x = begin; x < end; ++x) {
          row += noise[static_cast<std::size_t>(here + x)] *
                 noise[static_cast<std::size_t>(there + x)];
          count += counts[static_cast<std::size_t>(here + x)] *
                   counts[static_cast<std::size_t>(there + x)];
        }
        products += row;
        both += count;
      }
      sums.products.push_back(products);
      sums.counts.push_back(both);
    }
  });
  std::vector<SourceLag> found;
  double variance = 0;
  for (std::size_t l = 0; l < wanted.size(); ++l) {
    double products = 0, counts = 0;
    for (const LagSums& sums : of_squares) {
      products += sums.products[l];
      counts += sums.counts[l];
    }
    if (counts == 0) continue;
    if (l == 0) variance = products / counts;
    if (l == 0 || variance <= 0) continue;
    const double correlation = products / counts / variance;
    if (std::abs(correlation) * std::sqrt(counts) > kErrorsShown)
      found.push_back({wanted[l].dx, wanted[l].dy, std::clamp(correlation, -1.0, 1.0)});
  }
  return found;
}

std::vector<SourceLag> lags_of_beam(const SourceShape& beam, int reach) {
  // exp(-d^2 / 4 s^2): twice the variance of the beam, whose full width is s sqrt(8 ln 2).
  const double along = 2 * std::numbers::ln2 / (beam.major * beam.major),
               across = 2 * std::numbers::ln2 / (beam.minor * beam.minor),
               angle = beam.angle * std::numbers::pi / 180;
  std::vector<SourceLag> lags;
  for (int dy = 0; dy <= reach; ++dy)
    for (int dx = dy == 0 ? 1 : -reach; dx <= reach; ++dx) {
      const double u = -dx * std::sin(angle) + dy * std::cos(angle),
                   v = dx * std::cos(angle) + dy * std::sin(angle);
      const double correlation = std::exp(-(along * u * u + across * v * v));
      if (correlation > 1e-3) lags.push_back({dx, dy, correlation});
    }
  return lags;
}

void find_source_noise(const SourcesProblem& problem, const SourceNoiseSamples& samples,
                       int threads, SourceList& list) {
  const auto& beam = problem.scale.beam;
  const auto of_beam = [&] {
    if (beam) list.lags = lags_of_beam(*beam, problem.reach);
  };
  switch (problem.options.correlation) {
    case SourceNoise::white:
      list.noise_text = "white, as asked for";
      break;
    case SourceNoise::beam:
      of_beam();
      list.noise_text = "smoothed by the beam, as asked for";
      break;
    case SourceNoise::automatic:
      long long pixels = 0;
      list.lags = samples.lags(threads, pixels);
      list.noise_text = fmt::format("measured in {} pixels without sources", pixels);
      if (pixels >= kFewestPixels) break;
      list.lags.clear();
      of_beam();
      list.noise_is_known = false;
      list.noise_text = fmt::format("assumed {}, because only {} pixels have no source",
                                    beam ? "to be smoothed by the beam" : "to be white", pixels);
  }
  for (const SourceLag& lag : list.lags) list.noise_pixels += 2 * lag.correlation;
  list.noise_pixels = std::max(list.noise_pixels, 0.05);
}

}  // namespace tessera
