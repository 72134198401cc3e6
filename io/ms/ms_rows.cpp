// SPDX-License-Identifier: Apache-2.0
#include "io/ms/ms_rows.hpp"

#include <algorithm>
#include <cstdint>

#include "core/parallel.hpp"

namespace tessera {
namespace {

constexpr long long kDataBytes = 8 << 20;
constexpr long long kBlockRows = 32;  // of a thread: neighbours share the lines of the cache
constexpr int kMostThreads = 8;

}  // namespace

// The second antenna of our baselines, b, is not after a: it is the first of a row, which holds the
// conjugate, as in UVFITS.
MsRows::MsRows(int antennas, int polarisations, int channels)
    : polarisations_(polarisations), products_(polarisations * polarisations), channels_(channels) {
  for (int a = 0; a < antennas; ++a)
    for (int b = 0; b <= a; ++b) {
      first_.push_back(b);
      second_.push_back(a);
    }
  const long long row = channels_ * products_ * 2 * static_cast<long long>(sizeof(float));
  most_ = std::clamp(kDataBytes / row, 1LL, baselines());
  data_ = host_scratch(static_cast<std::size_t>(most_ * row));
  weights_.resize(static_cast<std::size_t>(most_ * products_));
  uvw_.resize(static_cast<std::size_t>(3 * most_));
}

long long MsRows::samples_of(const UvfitsIntegration& in, long long place) const {
  return in.valid.empty() ? in.samples : in.valid[static_cast<std::size_t>(place)];
}

template <class Part>
void MsRows::fill(const UvfitsIntegration& in, long long row, long long count) {
  const auto* const parts = static_cast<const Part*>(in.values);
  auto* const data = static_cast<float*>(data_.data());
  const long long values = baselines() * products_;
  const auto fill_block = [&](int block) {
    const long long begin = block * kBlockRows, end = std::min(count, begin + kBlockRows);
    for (long long c = 0; c < channels_; ++c)
      for (long long r = begin; r < end; ++r)
        for (int k = 0; k < products_; ++k) {
          const int p1 = k / polarisations_, p2 = k % polarisations_;
          const long long place = ((row + r) * polarisations_ + p2) * polarisations_ + p1;
          const auto samples = static_cast<double>(samples_of(in, place));
          const double divisor = in.means ? 1 : samples;
          const Part* const value = parts + 2 * (c * values + place);
          float* const to = data + 2 * ((r * channels_ + c) * products_ + k);
          to[0] = samples > 0 ? static_cast<float>(static_cast<double>(value[0]) / divisor) : 0;
          to[1] = samples > 0  // no -0
                      ? static_cast<float>(0.0 - static_cast<double>(value[1]) / divisor)
                      : 0;
        }
  };
  const auto blocks = static_cast<int>((count + kBlockRows - 1) / kBlockRows);
  parallel_for(blocks, std::min(available_threads(), kMostThreads), fill_block);
}

TesseraMsRows MsRows::make(const UvfitsIntegration& in, long long row) {
  const long long count = std::min(most_, baselines() - row);
  switch (in.type) {
    case VisibilityType::i32:
      fill<std::int32_t>(in, row, count);
      break;
    case VisibilityType::f32:
      fill<float>(in, row, count);
      break;
    case VisibilityType::f64:
      fill<double>(in, row, count);
      break;
    default:
      fill<std::int64_t>(in, row, count);
  }
  for (long long r = 0; r < count; ++r) {
    for (int k = 0; k < products_; ++k) {
      const int p1 = k / polarisations_, p2 = k % polarisations_;
      const long long place = ((row + r) * polarisations_ + p2) * polarisations_ + p1;
      weights_[static_cast<std::size_t>(r * products_ + k)] =
          static_cast<float>(samples_of(in, place));
    }
    for (std::size_t i = 0; i < 3; ++i)
      uvw_[static_cast<std::size_t>(3 * r) + i] =
          in.uvw.empty() ? 0 : in.uvw[static_cast<std::size_t>(row + r)][i];
  }
  return {.count = count,
          .time = in.middle * 86400,
          .seconds = in.seconds,
          .field = 0,
          .scan = 1,
          .antenna1 = first_.data() + row,
          .antenna2 = second_.data() + row,
          .uvw = uvw_.data(),
          .data = static_cast<const float*>(data_.data()),
          .weights = weights_.data()};
}

}  // namespace tessera
