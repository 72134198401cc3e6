// SPDX-License-Identifier: Apache-2.0
#include "ops/noise/cpu/noise_estimate.hpp"

namespace tessera {
namespace {

struct Moments {
  double mean, deviation;
};

/// Sums always go through the list in order: the reference's bits.
Moments moments_of(const double* values, int count) {
  double sum = 0, squares = 0;
  for (int k = 0; k < count; ++k) sum += values[k];
  const double mean = sum / count;
  for (int k = 0; k < count; ++k) squares += (values[k] - mean) * (values[k] - mean);
  return {mean, std::sqrt(squares / count)};
}

/// Keeps the values within this many deviations of the middle, in order; false if that changes
/// nothing, or would leave none.
bool clip_list(double* values, int& count, double middle, double deviation) {
  const double low = middle - kClipSigmas * deviation, high = middle + kClipSigmas * deviation;
  int kept = 0;
  for (int k = 0; k < count; ++k) kept += (low < values[k]) & (values[k] < high);
  if (kept == 0 || kept == count) return false;
  int to = 0;
  for (int k = 0; k < count; ++k) {
    const double value = values[k];
    values[to] = value;
    to += (low < value) & (value < high);
  }
  count = kept;
  return true;
}

}  // namespace

double NoiseListEstimator::median(const double* values, int count) {
  if (std::ssize(keys_) < count) keys_.resize(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) keys_[k] = Keys::of(values[k]);
  const QuantilePlace place = quantile_place(0.5, count);
  const int ranks[] = {place.index, place.index + 1};
  Keys::Key found[2] = {};
  selector_.select(keys_.data(), count, ranks, place.fraction == 0 ? 1 : 2, found);
  return between(Keys::value(found[0]), Keys::value(found[1]), place.fraction);
}

void NoiseListEstimator::clip(double* values, int count, double* planes) {
  Moments m = moments_of(values, count);
  for (int round = 0; round < kClipRounds && clip_list(values, count, m.mean, m.deviation); ++round)
    m = moments_of(values, count);
  planes[0] = m.mean;
  planes[1] = m.deviation;
}

void NoiseListEstimator::mode(double* values, int count, double* planes) {
  Moments m = moments_of(values, count);
  double middle = median(values, count);
  for (int round = 0; round < kModeRounds && clip_list(values, count, middle, m.deviation);
       ++round) {
    m = moments_of(values, count);
    middle = median(values, count);
  }
  planes[0] = noise_mode_of(m.mean, middle, m.deviation);
  planes[1] = m.deviation;
}

}  // namespace tessera
