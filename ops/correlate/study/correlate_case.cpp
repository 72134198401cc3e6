// SPDX-License-Identifier: Apache-2.0
#include "ops/correlate/study/correlate_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "core/compare.hpp"
#include "core/device.hpp"
#include "core/parallel.hpp"
#include "ops/correlate/study/shift_args.cuh"
#include "tessera/error.hpp"

namespace tessera {
namespace {

Image channels_of(const Image& planes) {
  const int side = planes.info().size.width;
  Image image({side, side, kShiftPlanes}, Type::f32);
  const View<const float> from = planes.as<float>();
  for (int k = 0; k < kShiftPlanes; ++k)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) image.as<float>().at(x, y, k) = from.at(x, y, 0, k);
  return image;
}

double energy_of(const Image& planes) {
  const float* samples = planes.as<float>().data;
  double energy = 0;
  for (long long k = 0; k < planes.info().size.samples(); ++k)
    energy += static_cast<double>(samples[k]) * samples[k];
  return energy;
}

Scratch upload(const Image& image, Stream& stream) {
  Scratch memory = stream.scratch(static_cast<std::size_t>(bytes_of(image.info())));
  device_stream(stream).copy(
      image.view(), packed(memory.data(), {image.info().size, Type::f32, stream.device()}));
  stream.wait();
  return memory;
}

// The innermost loop goes over shifts side by side: the compiler can then work on several sums at
// once without changing their order.
void true_row(const double* planes, int side, int shifts, int dy, double* sums) {
  const int area = side * side;
  for (int plane = 0; plane < kShiftPlanes * area; plane += area)
    for (int row = 0; row < side - dy; ++row)
      for (int column = 0; column < side; ++column) {
        const double mask = planes[plane + row * side + column];
        const double* const src = planes + plane + (dy + row) * side + column;
        const int inside = std::min(shifts, side - column);
        for (int dx = 0; dx < inside; ++dx) sums[dx] += src[dx] * mask;
      }
}

}  // namespace

CorrelateCase::CorrelateCase(const Image& planes, Stream* device)
    : separate_(copy(planes.view())),
      together_(channels_of(planes)),
      energy_(energy_of(planes)),
      host_map_(map_info(kHost)) {
  if (!device) return;
  OnDevice& made = on_device_.emplace();
  made.separate = upload(separate_, *device);
  made.together = upload(together_, *device);
  made.map = device->scratch(static_cast<std::size_t>(bytes_of(map_info(kHost))));
  const long long samples = separate_.info().size.samples();
  made.separate_texture =
      make_texture(device->device(), made.separate.as<const float>(), samples, 1);
  made.together_texture =
      make_texture(device->device(), made.together.as<const float>(), samples, kShiftPlanes);
}

ImageInfo CorrelateCase::map_info(int device) const {
  return {{shifts(), shifts()}, Type::f32, device};
}

std::string CorrelateCase::name() const { return fmt::format("{0}x{0}", side()); }

double CorrelateCase::steps() const {
  double rows = 0;
  for (int dy = 0; dy < shifts(); ++dy) rows += side() - dy;
  return rows * rows;
}

// Roundings of a long sum go both ways: except with negligible probability they add up to less than
// kSigmas times the root of their number (Higham and Mary 2019), each half a unit of at most the
// sum of |products|, which is at most C(0, 0) by Cauchy and Schwarz. A product of two pixels has
// four roundings itself.
//
// At shift 0, 0 they do not quite: a plane's products are squares, small ones are frequent and
// always rounded away. SIMD, which adds each plane separately, is off by 5.6e-5 of C(0, 0) there at
// 500x500 (bound 1.8e-4), the four loops by 1.3e-5; the share of the bound falls with the side.
double CorrelateCase::chain_bound(double additions) const {
  constexpr double kSigmas = 6, kRounding = 0x1p-24, kInPixel = 4;
  return (kSigmas * std::sqrt(additions) + kInPixel) * kRounding * energy_;
}

const CorrelateCase::OnDevice& CorrelateCase::on_device() const {
  if (!on_device_) throw Error(ErrorKind::resources, "correlate: the case is not on a device");
  return *on_device_;
}

void CorrelateCase::poison(const PreparedRung&, Stream& stream) const {
  std::fill_n(host_map(), host_map_.info().size.samples(), std::numeric_limits<float>::quiet_NaN());
  if (stream.device() == kHost) return;
  device_stream(stream).copy(host_map_.view(),
                             packed(on_device().map.data(), map_info(stream.device())));
  stream.wait();
}

std::string CorrelateCase::disagreement(const PreparedRung& rung, Stream& stream) const {
  if (stream.device() != kHost) {
    device_stream(stream).copy(packed(on_device().map.data(), map_info(stream.device())),
                               host_map_.view());
    stream.wait();
  }
  const Comparison found = compare(truth().view(), host_map_.view(), rung.bound);
  largest_error_ = found.largest_error / energy_;
  return found.disagreement;
}

const Image& CorrelateCase::truth() const {
  if (truth_) return truth_;
  const Image planes = as_double(separate_.view());
  truth_ = Image({shifts(), shifts()}, Type::f64);
  parallel_for(shifts(), available_threads(), [&](int dy) {
    true_row(planes.as<double>().data, side(), shifts(), dy, &truth_.as<double>().at(0, dy));
  });
  return truth_;
}

Image scene_planes(int side) {
  Image planes({side, side, 1, kShiftPlanes}, Type::f32);
  std::mt19937 random(1);
  for (int k = 0; k < kShiftPlanes; ++k)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        const float wave = std::sin(0.031F * static_cast<float>(x * (k + 1) + y * (4 - k)));
        const float noise = static_cast<float>(random() % 4096) / 2048 - 1;
        planes.as<float>().at(x, y, 0, k) = wave + 1.2F * noise;
      }
  return planes;
}

}  // namespace tessera
