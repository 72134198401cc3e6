// SPDX-License-Identifier: Apache-2.0
#include "ops/cells/frames/cells_bins.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/device.hpp"
#include "core/parallel.hpp"
#include "core/samples.hpp"
#include "core/typed_samples.hpp"

namespace tessera {
namespace {

template <class T>
float mean_of_square(View<const T> frames, int left, int top, int plane, int factor) {
  double sum = 0;
  int count = 0;
  for (int y = top; y < top + factor; ++y)
    for (int x = left; x < left + factor; ++x) {
      const auto value = static_cast<double>(frames.at(x, y, 0, plane));
      if (!std::isfinite(value)) continue;
      sum += value;
      ++count;
    }
  return count == 0 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(sum / count);
}

template <class T>
void bin_frames(View<const T> frames, CellsBins bins, View<float> to, int threads) {
  const int factor = bins.factor, rows = to.size.height;
  const int last = frames.size.width / factor - 1, bottom = frames.size.height / factor - 1;
  parallel_for(rows * to.size.planes, threads, [&](int row) {
    const int plane = row / rows, y = row % rows;
    for (int x = 0; x < to.size.width; ++x)
      to.at(x, y, 0, plane) =
          mean_of_square(frames, factor * std::clamp(x - bins.margin, 0, last),
                         factor * std::clamp(y - bins.margin, 0, bottom), plane, factor);
  });
}

}  // namespace

Image binned(AnyView frames, CellsBins bins, int threads) {
  Image smaller(bins.size_of(frames.size), Type::f32);
  with_samples(frames, [&](auto view) { bin_frames(view, bins, smaller.as<float>(), threads); });
  return smaller;
}

Image host_copy(AnyView frames, Stream& stream) {
  ImageInfo info = frames.info();
  info.device = kHost;
  Image copy(info);
  if (frames.device == kHost) {
    copy_samples(frames, copy.view());
  } else {
    device_stream(stream).copy(frames, copy.view());
    stream.wait();
  }
  return copy;
}

Image doubled(AnyView frame) {
  const int width = frame.size.width, height = frame.size.height;
  Image twice({2 * width, 2 * height}, Type::f32);
  const auto to = twice.as<float>();
  const auto at = [&](int x, int y) {
    return sample_at(frame, std::clamp(x, 0, width - 1), std::clamp(y, 0, height - 1), 0, 0);
  };
  for (int y = 0; y < 2 * height; ++y)
    for (int x = 0; x < 2 * width; ++x) {
      const int i = x / 2 + (x % 2) - 1, j = y / 2 + (y % 2) - 1;
      const double a = x % 2 ? 0.25 : 0.75, b = y % 2 ? 0.25 : 0.75;
      to.at(x, y) = static_cast<float>((1 - b) * ((1 - a) * at(i, j) + a * at(i + 1, j)) +
                                       b * ((1 - a) * at(i, j + 1) + a * at(i + 1, j + 1)));
    }
  return twice;
}

}  // namespace tessera
