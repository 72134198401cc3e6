// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/cpu/fold_axis.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace tessera {
namespace {

constexpr int kLeastPoints = 16, kMostPoints = 4096;
/// A slab of this many points fills half of a first-level cache of 64 KB.
constexpr int kPointsInCache = 256;

/// exp(sign 2 pi i (q + half) n / length), with the angle reduced before it is rounded.
void add_factor(double frequency, long long n, int length, double sign, std::vector<float>& to) {
  const double turns = std::fmod(frequency * static_cast<double>(n), length) / length;
  to.push_back(static_cast<float>(std::cos(2 * std::numbers::pi * turns)));
  to.push_back(static_cast<float>(sign * std::sin(2 * std::numbers::pi * turns)));
}

}  // namespace

double fold_cost(FoldKind kind, FoldShape shape, int samples) {
  const double folds = std::ceil(1.0 * samples / shape.points);
  const double fold = (kind == FoldKind::real ? 2 : 4) * folds;
  const double passes = 3 * std::log2(shape.points) * (shape.points > kPointsInCache ? 1.3 : 1);
  return shape.length() * (fold + passes + 2) * (kind == FoldKind::real ? 0.5 : 1);
}

FoldShape fold_shape(FoldKind kind, int samples, int least) {
  FoldShape best;
  double cost = std::numeric_limits<double>::infinity();
  for (int points = kLeastPoints; points <= kMostPoints; points *= 2) {
    FoldShape shape{(least + points - 1) / points, points};
    if (kind == FoldKind::real) shape.classes += shape.classes % 2;
    if (const double now = fold_cost(kind, shape, samples); now < cost) {
      best = shape;
      cost = now;
    }
  }
  return best;
}

FoldAxis::FoldAxis(FoldKind kind_, int samples_, int first_, int count_, int most_radix)
    : kind(kind_),
      samples(samples_),
      first(first_),
      count(count_),
      // Results alias at a distance of the length: wanted ones must not coincide with any other.
      shape(fold_shape(kind, samples,
                       samples + (first + count > 1 - first ? first + count : 1 - first) - 1)),
      points(shape.points, most_radix) {
  const double half = kind == FoldKind::real ? 0.5 : 0;
  for (int q = 0; q < made_classes(); ++q) {
    for (int n = 0; n < samples; ++n) add_factor(q + half, n, shape.length(), -1, factors_in);
    for (int n = first; n < first + count; ++n)
      add_factor(q + half, n, shape.length(), 1, factors_out);
  }
}

}  // namespace tessera
