// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/stokes_noise.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "jobs/faraday/faraday_planes.hpp"

namespace tessera {
namespace {

/// NaN if there are none.
double median_of(std::vector<float>& values) {
  if (values.empty()) return std::nan("");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (static_cast<double>(*std::max_element(values.begin(), middle)) + *middle) / 2;
}

struct Sky {
  double median, deviation;
};

/// The median of the pixels that `is_sky`, and their deviation from it as a standard deviation.
template <class IsSky>
Sky sky_of(View<const float> plane, const IsSky& is_sky, std::vector<float>& values) {
  values.clear();
  for (int y = 0; y < plane.size.height; ++y)
    for (int x = 0; x < plane.size.width; ++x)
      if (const float value = plane.at(x, y); !std::isnan(value) && is_sky(value))
        values.push_back(value);
  const double median = median_of(values);
  for (float& value : values) value = static_cast<float>(std::abs(value - median));
  return {median, median_of(values) / 0.6745};
}

/// One channel; marks its emission.
double measure_channel(View<const float> plane, std::optional<double> threshold,
                       AnyMutableView emission) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(plane.size.width) *
                 static_cast<std::size_t>(plane.size.height));
  const double absolute = threshold.value_or(0);
  const Sky first = sky_of(
      plane, [&](float v) { return absolute > 0 ? v < absolute : v != 0; }, values);
  const double high = first.median + 3 * first.deviation;
  const Sky sky = sky_of(
      plane, [&](float v) { return v < high; }, values);
  if (!emission.data) return sky.deviation;
  const double above = absolute > 0 ? absolute : sky.median - sky.deviation * absolute;
  const View<unsigned char> marks = emission.as<unsigned char>();
  for (int y = 0; y < plane.size.height; ++y)
    for (int x = 0; x < plane.size.width; ++x)
      if (plane.at(x, y) > above) marks.at(x, y) = 1;
  return sky.deviation;
}

}  // namespace

StokesNoise measure_stokes_noise(FaradayCubeSource& cube, std::optional<double> threshold,
                                 FaradayMemory& memory) {
  const Size size = cube.info().size;
  StokesNoise found;
  found.sigma.resize(static_cast<std::size_t>(size.planes));
  const double pixels = 1.0 * size.width * size.height;
  if (threshold) {
    memory.hold("the map of emission", pixels);
    found.emission = Image({size.width, size.height}, Type::u8);
  }
  // Channels at the same time: each has its pixels twice, and marks of its own.
  const bool by_plane = cube.axes().has_planes();
  const double whole = by_plane ? 0 : 4 * pixels * size.planes, each = 9 * pixels;
  const int threads = memory.settings().stream(kHost).threads();
  const int at_once =
      static_cast<int>(std::clamp(std::floor((memory.left() - whole) / each), 1.0,
                                  static_cast<double>(std::min(threads, size.planes))));
  memory.hold("the noise of channels", 0, whole + each * at_once);
  ImageInfo held = cube.info();
  if (by_plane) held.size.planes = at_once;
  Image planes(held);
  if (!by_plane) cube.read({0, size.height}, planes.view());
  std::vector<Image> marks;
  for (int n = 0; threshold && n < at_once; ++n)
    marks.emplace_back(Size{size.width, size.height}, Type::u8);
  for (int first = 0; first < size.planes; first += at_once) {
    const int count = std::min(at_once, size.planes - first);
    for (int n = 0; by_plane && n < count; ++n)
      cube.read_plane(first + n, {0, size.height}, planes_of(planes.view(), n, 1));
    parallel_for(count, threads, [&](int n) {
      const AnyView plane = planes_of(AnyView(planes.view()), by_plane ? n : first + n, 1);
      const AnyMutableView mark =
          threshold ? marks[static_cast<std::size_t>(n)].view() : AnyMutableView();
      found.sigma[static_cast<std::size_t>(first + n)] =
          measure_channel(plane.as<const float>(), threshold, mark);
    });
  }
  for (const Image& mark : marks)
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x)
        found.emission.as<unsigned char>().at(x, y) |= mark.as<unsigned char>().at(x, y);
  return found;
}

}  // namespace tessera
