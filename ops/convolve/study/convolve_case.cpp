// SPDX-License-Identifier: Apache-2.0
#include "ops/convolve/study/convolve_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <random>

#include "core/compare.hpp"
#include "core/device.hpp"
#include "core/machine.hpp"
#include "ops/convolve/study/ladder_args.cuh"
#include "tessera/convolve.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kRowStep = 32;  // floats: 128 bytes, which a warp reads at once

// Multiples of 1/64: the product of two is exact, so a 2-D filter and its two passes are one
// filter.
std::vector<float> random_weights(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> weights(static_cast<std::size_t>(count));
  for (float& weight : weights)
    weight = static_cast<float>(static_cast<int>(random() % 63) - 31) / 64;
  return weights;
}

Image outer_product(const std::vector<float>& column, const std::vector<float>& row) {
  Image filter({static_cast<int>(row.size()), static_cast<int>(column.size())}, Type::f32);
  float* to = filter.as<float>().data;
  for (const float down : column)
    for (const float across : row) *to++ = down * across;
  return filter;
}

// Some rows at the top, in the middle and at the bottom, because the reference is slow.
std::vector<Rows> rows_to_look_at(int height) {
  if (height <= 256) return {{0, height}};
  return {{0, 2}, {height / 2 - 1, height / 2 + 1}, {height - 2, height}};
}

long long padded_step(int columns) {
  return (columns + kLadderMargin + kRowStep - 1) / kRowStep * kRowStep;
}

/// The image and a border of its nearest pixels: `size` samples, of which (left, above) is its
/// first.
void copy_with_border(const Image& image, int left, int above, Size size, float* to,
                      long long row) {
  const View<const float> from = image.as<float>();
  const Size inside = image.info().size;
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      to[y * row + x] = from.at(std::clamp(x - left, 0, inside.width - 1),
                                std::clamp(y - above, 0, inside.height - 1));
}

Scratch upload(AnyView from, Stream& stream) {
  Scratch memory = stream.scratch(static_cast<std::size_t>(bytes_of(from.info())));
  device_stream(stream).copy(from, packed(memory.data(), {from.size, from.type, stream.device()}));
  return memory;
}

void copy_now(AnyView from, AnyMutableView to, Stream& stream) {
  if (stream.device() == kHost) return copy_samples(from, to);
  device_stream(stream).copy(from, to);
  stream.wait();
}

}  // namespace

ConvolveCase::ConvolveCase(const Image& image, StudySize filter, const LadderSettings& settings,
                           Stream* device)
    : image_(image),
      filter_size_(filter),
      settings_(settings),
      largest_pixel_(largest_magnitude(image.view())),
      row_weights_(random_weights(filter.width, 2)),
      column_weights_(random_weights(filter.height, 3)),
      filter_(outer_product(column_weights_, row_weights_)),
      looked_at_(rows_to_look_at(image.info().size.height)) {
  if (!device) return;
  const ImageInfo info{image.info().size, Type::f32, device->device()};
  const int left = filter.width / 2, above = filter.height / 2;
  on_device_ = {info, upload(image.view(), *device),
                device->scratch(static_cast<std::size_t>(bytes_of(info))),
                upload(filter_.view(), *device),
                pad(left, filter.width - 1 - left, above, filter.height - 1 - above, *device)};
}

const ConvolveCase::OnDevice& ConvolveCase::on_device() const {
  if (on_device_) return *on_device_;
  throw Error(ErrorKind::resources, "no GPU: " + this_machine().no_device_reason);
}

const HostPadded& ConvolveCase::padded_on_host() const {
  if (padded_on_host_) return *padded_on_host_;
  const int left = filter_size_.width / 2, above = filter_size_.height / 2;
  const int columns = width() + filter_size_.width - 1, rows = height() + filter_size_.height - 1;
  HostPadded made{Image({columns, rows}, Type::f32)};
  copy_with_border(image_, left, above, {columns, rows}, made.image.as<float>().data, columns);
  return padded_on_host_.emplace(std::move(made));
}

AnyMutableView ConvolveCase::host_out() const {
  if (!host_out_) host_out_ = Image(image_.info());
  return host_out_.view();
}

AnyMutableView ConvolveCase::out_of(const Stream& stream) const {
  return stream.device() == kHost ? host_out() : out();
}

std::string ConvolveCase::name() const {
  return fmt::format("{}x{}", filter_size_.width, filter_size_.height);
}

PaddedImage ConvolveCase::pad(int left, int right, int above, int below, Stream& stream) const {
  const int columns = width() + left + right, rows = height() + above + below;
  PaddedImage made;
  made.row = padded_step(columns);
  Image host({static_cast<int>(made.row), rows + kLadderMargin}, Type::f32);
  float* to = host.as<float>().data;
  std::fill_n(to, host.info().size.samples(), std::numeric_limits<float>::quiet_NaN());
  copy_with_border(image_, left, above, {columns, rows}, to, made.row);
  made.memory = upload(host.view(), stream);
  stream.wait();  // the copy may still be reading memory that is freed now
  return made;
}

const PaddedImage& ConvolveCase::padded_above_and_below(Stream& stream) const {
  const int above = filter_size_.height / 2;
  if (!rows_only_) rows_only_ = pad(0, 0, above, filter_size_.height - 1 - above, stream);
  return *rows_only_;
}

PaddedImage ConvolveCase::room_for_passes(Stream& stream) const {
  PaddedImage room;
  room.row = padded_step(width());
  const int rows = height() + filter_size_.height - 1 + kLadderMargin;
  // Blocks at the edges read beyond the rows that the first pass writes, and drop the results.
  Image nothing({static_cast<int>(room.row), rows}, Type::f32);
  std::fill_n(nothing.as<float>().data, nothing.info().size.samples(),
              std::numeric_limits<float>::quiet_NaN());
  room.memory = upload(nothing.view(), stream);
  stream.wait();  // the copy may still be reading memory that is freed now
  return room;
}

void ConvolveCase::poison(const PreparedRung&, Stream& stream) const {
  for (const Rows& rows : looked_at_) {
    Image nothing({width(), rows.count()}, Type::f32);
    std::fill_n(nothing.as<float>().data, nothing.info().size.samples(),
                std::numeric_limits<float>::quiet_NaN());
    copy_now(nothing.view(), out_of(stream).rows(rows.first, rows.count()), stream);
  }
}

Image ConvolveCase::filter_of(int which) const {
  if (which == kHorizontal) return outer_product({1.0F}, row_weights_);
  if (which == kVertical) return outer_product(column_weights_, {1.0F});
  return copy(filter_.view());
}

const std::vector<Image>& ConvolveCase::truth(int which) const {
  std::vector<Image>& truth = truths_[which];
  if (!truth.empty()) return truth;
  const Image filter = filter_of(which);
  const Convolve reference(image_.info(), filter.view(),
                           {.border = Border::replicate,
                            .output_type = Type::f64,
                            .backend = Backend::cpu,
                            .method = "reference"});
  for (const Rows& rows : looked_at_) {
    truth.emplace_back(Size{width(), rows.count()}, Type::f64);
    reference(Piece{image_.view(), 0}, MutablePiece{truth.back().view(), rows.first},
              thread_stream());
  }
  return truth;
}

std::string ConvolveCase::disagreement(const PreparedRung& rung, Stream& stream) const {
  const ConvolveOptions direct{
      .border = Border::replicate, .backend = Backend::cpu, .method = "direct"};
  const Image filter = filter_of(rung.truth);
  const double bound =
      rung.bound > 0 ? rung.bound
                     : Convolve(image_.info(), filter.view(), direct).error_bound(largest_pixel_);
  for (std::size_t band = 0; band < looked_at_.size(); ++band) {
    const Rows& rows = looked_at_[band];
    Image made({width(), rows.count()}, Type::f32);
    copy_now(out_of(stream).rows(rows.first, rows.count()), made.view(), stream);
    const std::string wrong =
        compare(truth(rung.truth)[band].view(), made.view(), bound).disagreement;
    if (!wrong.empty()) return fmt::format("{}, rows counted from {}", wrong, rows.first);
  }
  return "";
}

Image ladder_image(int side) {
  Image image({side, side}, Type::f32);
  std::mt19937 random(1);
  float* samples = image.as<float>().data;
  for (long long k = 0; k < image.info().size.samples(); ++k)
    samples[k] = static_cast<float>(random() % 4096) / 4096 - 0.5F;
  return image;
}

}  // namespace tessera
