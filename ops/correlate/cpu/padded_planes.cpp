// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/cpu/padded_planes.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "ops/correlate/correlate_scale.hpp"

namespace tessera {
namespace {

constexpr int kRowsAtOnce = 64;

/// Converts a row to floats; false: some are not finite.
template <class T>
bool load_row(const T* from, long long pixel, int width, float* to) {
  float zero = 0;  // 0 times each sample: NaN where one is not finite
  if (pixel == 1) {
    for (int x = 0; x < width; ++x) to[x] = static_cast<float>(from[x]);
  } else {
    for (int x = 0; x < width; ++x) to[x] = static_cast<float>(from[x * pixel]);
  }
  float sums[16] = {};
  int x = 0;
  for (; x + 16 <= width; x += 16)
    for (int k = 0; k < 16; ++k) sums[k] += 0 * to[x + k];
  for (; x < width; ++x) zero += 0 * to[x];
  for (const float sum : sums) zero += sum;
  return zero == 0;
}

bool load_row_of(const AnyView& plane, int y, float* to) {
  const unsigned char* from = plane.address(0, y);
  switch (plane.type) {
    case Type::u8:
      return load_row(from, plane.pixel, plane.size.width, to);
    case Type::u16:
      return load_row(reinterpret_cast<const unsigned short*>(from), plane.pixel, plane.size.width,
                      to);
    case Type::f32:
      return load_row(reinterpret_cast<const float*>(from), plane.pixel, plane.size.width, to);
    default:
      return load_row(reinterpret_cast<const double*>(from), plane.pixel, plane.size.width, to);
  }
}

}  // namespace

PaddedPlanes::PaddedPlanes(const CorrelateProblem& problem, AnyView images, int image,
                           const std::vector<bool>& used, const Stream& stream)
    : row_((problem.image.size.width + 2LL * kRowPadding + 15) / 16 * 16), starts_(used.size()) {
  const int width = problem.image.size.width, height = problem.image.size.height;
  std::vector<int> planes;
  for (int k = 0; k < problem.planes; ++k)
    if (used[static_cast<std::size_t>(k)]) planes.push_back(k);
  memory_ = host_scratch(sizeof(float) * planes.size() * row_ * height);
  for (std::size_t k = 0; k < planes.size(); ++k)
    starts_[static_cast<std::size_t>(planes[k])] =
        memory_.as<float>() + static_cast<long long>(k) * row_ * height + kRowPadding;
  const int pieces = (height + kRowsAtOnce - 1) / kRowsAtOnce;
  std::vector<std::vector<SpecialSample>> found(planes.size() * pieces);
  parallel_for(static_cast<int>(found.size()), stream.threads(), [&](int index) {
    const int k = planes[static_cast<std::size_t>(index / pieces)];
    const AnyView plane = plane_view(problem, images, image, k);
    const int first = index % pieces * kRowsAtOnce, end = std::min(first + kRowsAtOnce, height);
    for (int y = first; y < end; ++y) {
      float* to = starts_[static_cast<std::size_t>(k)] + y * row_;
      std::fill(to - kRowPadding, to, 0.0F);
      std::fill(to + width, to - kRowPadding + row_, 0.0F);
      if (load_row_of(plane, y, to)) continue;
      for (int x = 0; x < width; ++x)
        if (!std::isfinite(to[x])) {
          found[static_cast<std::size_t>(index)].push_back({k, x, y});
          to[x] = 0;
        }
    }
  });
  for (const auto& piece : found) specials_.insert(specials_.end(), piece.begin(), piece.end());
}

}  // namespace tessera
