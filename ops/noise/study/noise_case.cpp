// SPDX-License-Identifier: Apache-2.0
#include "ops/noise/study/noise_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/device.hpp"
#include "core/pools.hpp"
#include "sample/random.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// Number of values in the boxes of a band, for rungs of minutes and for rungs that need memory for
/// all of them.
constexpr double kHostBandValues = 1 << 26, kDeviceBandValues = 1 << 29;
/// Up to this side all rows are compared with the reference.
constexpr int kSmallSide = 96;

bool on_device(NoiseMade made) {
  return made == NoiseMade::device || made == NoiseMade::device_band;
}
NoiseMade made_by(const PreparedRung& rung) { return NoiseRungResult::of(rung).made; }

double normal(Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.unit()));
  return radius * std::cos(2 * std::numbers::pi * random.unit());
}

/// Noise between 0.5 and 1.5 on a slope of 2; one pixel in 200 belongs to a source.
float sky_value(int x, int y, int side, Random& random) {
  const double u = 1.0 * x / side, v = 1.0 * y / side;
  const double sigma = 1 + 0.5 * std::sin(5 * u + 3 * v);
  const double source = random.below(200) == 0 ? 50 * random.unit() : 0;
  return static_cast<float>(10 + u + v + sigma * normal(random) + source);
}

std::vector<int> rows_to_compare(int side, Rows band) {
  std::vector<int> rows;
  if (side <= kSmallSide)
    for (int y = 0; y < side; ++y) rows.push_back(y);
  else
    rows = {
        0,        1,       side / 7, side / 3, band.first, band.end - 1, 2 * side / 3, 6 * side / 7,
        side - 2, side - 1};
  return rows;
}

NoiseBins bins_of_image(View<float> image) {
  std::vector<float> values(image.data, image.data + image.size.samples());
  std::sort(values.begin(), values.end());
  const int n = static_cast<int>(values.size());
  const double median = sorted_quantile(values.data(), n, 0.5);
  const double s =
      (sorted_quantile(values.data(), n, 0.75) - sorted_quantile(values.data(), n, 0.25)) /
      kBoxStudyDivisor;
  return {median - 6 * s, 12 * s / kBoxStudyBins, kBoxStudyBins / (12 * s), kBoxStudyBins};
}

/// A row of background and noise from the sorted values at the positions of the quantiles.
void take_sorted_values(const BoxStudyArgs& args, int y, View<float> row) {
  std::vector<float> values;
  for (int x = 0; x < args.width; ++x) {
    const ClippedBox box = clipped_box(args, x, y);
    values.clear();
    for (int from = box.top; from < box.bottom; ++from)
      values.insert(values.end(), given_at(args, box.left, from), given_at(args, box.right, from));
    const auto value = [&](double order) {
      const auto place = values.begin() + quantile_place(order, box.values()).index;
      std::nth_element(values.begin(), place, values.end());
      return double{*place};
    };
    row.at(x, 0, 0, 0) = static_cast<float>(value(0.5));
    const double first = value(0.25);
    row.at(x, 0, 0, 1) = static_cast<float>((value(0.75) - first) / kBoxStudyDivisor);
  }
}

}  // namespace

NoiseCase::NoiseCase(int side, NoiseBox box, Stream* device) : side_(side), box_(box) {
  place_images(device);
  fill();
  bins_ = bins_of_image(host_given_.as<float>());
  truth_rows_ = rows_to_compare(side, rows(NoiseMade::host_band));
  if (!device) return;
  device_stream(*device).copy(host_given_, device_given_);
  device->wait();
}

const Image& NoiseCase::truth(int row, NoiseTruth kind) const {
  std::vector<Image>& made = truth_[static_cast<std::size_t>(kind)];
  if (made.empty())
    for (const int y : truth_rows_) made.push_back(made_truth(y, kind));
  return made[static_cast<std::size_t>(row)];
}

Image NoiseCase::made_truth(int y, NoiseTruth kind) const {
  Image row({side_, 1, 1, 2}, Type::f32);
  if (kind == NoiseTruth::sorted) {
    take_sorted_values(args(NoiseMade::host), y, row.as<float>());
    return row;
  }
  const Noise reference(host_given_.info(),
                        {.box = box_,
                         .mode = kind == NoiseTruth::binned ? NoiseMode::binned : NoiseMode::exact,
                         .bins = kBoxStudyBins,
                         .backend = Backend::cpu,
                         .method = "reference"});
  Stream stream;
  reference(Piece{host_given_, 0}, MutablePiece{row.view(), y}, stream);
  return row;
}

void NoiseCase::place_images(Stream* device) {
  const auto made = [&](int planes, bool there) {
    const ImageInfo info{{side_, side_, 1, planes}, Type::f32, there ? device->device() : kHost};
    const auto bytes = static_cast<std::size_t>(bytes_of(info));
    memory_.push_back(there    ? device->scratch(bytes)
                      : device ? device->pinned_scratch(bytes)
                               : host_scratch(bytes));
    return packed(memory_.back().data(), info);
  };
  host_given_ = made(1, false);
  host_maps_ = made(2, false);
  if (!device) return;
  device_given_ = made(1, true);
  device_maps_ = made(2, true);
}

void NoiseCase::fill() const {
  const View<float> image = host_given_.as<float>();
  for (int y = 0; y < side_; ++y) {
    Random random{static_cast<unsigned>(y)};
    for (int x = 0; x < side_; ++x) image.at(x, y) = sky_value(x, y, side_, random);
  }
}

std::string NoiseCase::name() const {
  return fmt::format("{}x{} pixels, box {}x{}", side_, side_, box_.width, box_.height);
}

Rows NoiseCase::rows(NoiseMade made) const {
  if (made == NoiseMade::host || made == NoiseMade::device) return {0, side_};
  const double values = made == NoiseMade::host_band ? kHostBandValues : kDeviceBandValues;
  const int count = static_cast<int>(
      std::clamp(values / (1.0 * side_ * box_.width * box_.height), 1.0, 1.0 * side_));
  const int first = (side_ - count) / 2;
  return {first, first + count};
}

AnyMutableView NoiseCase::given(bool there) const {
  if (there && !device_given_.data)
    throw Error(ErrorKind::resources, "noise: the case is not on a device");
  return there ? device_given_ : host_given_;
}
AnyMutableView NoiseCase::maps(bool there) const { return there ? device_maps_ : host_maps_; }

BoxStudyArgs NoiseCase::args(NoiseMade made) const {
  const AnyMutableView planes = maps(on_device(made));
  return {.given = given(on_device(made)).as<const float>().data,
          .background = planes.as<float>().data,
          .rms = planes.only_plane(1).as<float>().data,
          .room = nullptr,
          .width = side_,
          .height = side_,
          .left = box_.left(),
          .right = box_.right(),
          .above = box_.above(),
          .below = box_.below(),
          .made = rows(made),
          .bins = bins_};
}

void NoiseCase::poison(const PreparedRung&, Stream& stream) const {
  std::fill_n(host_maps_.as<float>().data, host_maps_.size.samples(),
              std::numeric_limits<float>::quiet_NaN());
  if (stream.device() != kHost) device_stream(stream).copy(host_maps_, device_maps_);
}

std::string NoiseCase::disagreement(const PreparedRung& rung, Stream& stream) const {
  if (on_device(made_by(rung))) {
    device_stream(stream).copy(device_maps_, host_maps_);
    stream.wait();
  }
  const Rows made = rows(made_by(rung));
  const View<float> maps = host_maps_.as<float>();
  for (int p = 0; p < 2; ++p)
    for (int y = made.first; y < made.end; ++y)
      for (int x = 0; x < side_; ++x)
        if (!std::isfinite(maps.at(x, y, 0, p)))
          return fmt::format("pixel {},{} is {}", x, y, maps.at(x, y, 0, p));
  for (int k = 0; k < static_cast<int>(truth_rows_.size()); ++k)
    if (made.contains(truth_rows_[static_cast<std::size_t>(k)]))
      if (std::string wrong = wrong_pixel(k, NoiseRungResult::of(rung).truth); !wrong.empty())
        return wrong;
  return "";
}

std::string NoiseCase::wrong_pixel(int truth_row, NoiseTruth kind) const {
  const Image& right_row = truth(truth_row, kind);
  const int y = truth_rows_[static_cast<std::size_t>(truth_row)];
  const double bound = kind == NoiseTruth::sorted ? bound_by_hand() : 0;
  for (int p = 0; p < 2; ++p)
    for (int x = 0; x < side_; ++x) {
      const double right{right_row.as<float>().at(x, 0, 0, p)};
      const double found{host_maps_.as<float>().at(x, y, 0, p)};
      if (!(std::abs(found - right) <= (p == 0 ? bound : 2 * bound / kBoxStudyDivisor)))
        return fmt::format("the {} of pixel {},{} is {:.9g} and should be {:.9g}",
                           p == 0 ? "background" : "noise", x, y, found, right);
    }
  return "";
}

}  // namespace tessera
