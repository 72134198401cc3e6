// SPDX-License-Identifier: Apache-2.0
#include "tune/trial_room.hpp"

#include <algorithm>
#include <random>

#include "core/samples.hpp"

namespace tessera {
namespace {

int stream_device(const TuneRequest& request) {
  return request.backend == Backend::cuda ? request.device : kHost;
}

constexpr unsigned char kPoison = 0xff;  // NaN, or the largest

ImageInfo on_host(ImageInfo info) {
  info.device = kHost;
  return info;
}

}  // namespace

TrialRoom::TrialRoom(const TuneRequest& request, Image in, ImageInfo out)
    : stream_(stream_device(request)), host_(std::move(in)), host_out_(on_host(out)) {
  if (request.backend == Backend::cpu) {
    in_ = host_.view();
    out_ = host_out_.view();
    return;
  }
  const auto place = [&](ImageInfo info, Scratch& memory) {
    info.device = request.device;
    memory = stream_.scratch(static_cast<std::size_t>(bytes_of(info)));
    return packed(memory.data(), info);
  };
  const AnyMutableView device_in = place(host_.info(), device_in_);
  device_stream(stream_).copy(host_.view(), device_in);
  in_ = device_in;
  out_ = place(host_out_.info(), device_out_);
  stream_.wait();
}

std::vector<int> TrialRoom::sampled_rows() const {
  const int height = host_out_.info().size.height;
  std::vector<int> rows{0, height / 3, std::min(height / 2 + height / 64 + 1, height - 1),
                        height - 1};
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

void TrialRoom::poison() {
  const ImageInfo& info = host_out_.info();
  constexpr long long kSmall = 1 << 18;
  if (info.size.samples() <= kSmall) return poison_rows(0, info.size.height);
  for (const int row : sampled_rows()) poison_rows(row, 1);
}

void TrialRoom::poison_rows(int first, int count) {
  ImageInfo info = host_out_.info();
  info.size.height = count;
  Image bad(info);
  std::fill_n(bad.view().address(0, 0, 0), bytes_of(info), kPoison);
  copy_rows(bad.view(), out_.rows(first, count));
}

Image TrialRoom::result() {
  if (out_.device != kHost) copy_rows(AnyView(out_), host_out_.view());
  return host_out_;
}

Image TrialRoom::sampled() {
  const std::vector<int> rows = sampled_rows();
  ImageInfo info = host_out_.info();
  info.size.height = static_cast<int>(rows.size());
  Image sampled(info);
  for (std::size_t i = 0; i < rows.size(); ++i)
    copy_rows(AnyView(out_).rows(rows[i], 1), sampled.view().rows(static_cast<int>(i), 1));
  return sampled;
}

void TrialRoom::copy_rows(AnyView from, AnyMutableView to) {
  if (from.device != kHost || to.device != kHost) {
    device_stream(stream_).copy(from, to);
    return stream_.wait();
  }
  for (int plane = 0; plane < from.size.planes; ++plane)
    for (int row = 0; row < from.size.height; ++row)
      std::copy_n(from.address(0, row, plane),
                  1LL * from.size.width * from.size.channels * bytes_of(from.type),
                  to.address(0, row, plane));
}

Trial trial_in(const std::shared_ptr<TrialRoom>& room, std::function<void(Stream&)> run,
               std::function<std::string()> wrong) {
  room->poison();
  return {[room, run = std::move(run)] { run(room->stream()); }, [room] { room->stream().wait(); },
          std::move(wrong)};
}

Image random_image_of(Size size, Type type) {
  Image image(size, type);
  std::mt19937 random(1);
  const double range = type == Type::u8 ? 255 : type == Type::u16 ? 65535 : 1;
  for (int plane = 0; plane < size.planes; ++plane)
    for (int y = 0; y < size.height; ++y)
      for (int x = 0; x < size.width; ++x)
        for (int channel = 0; channel < size.channels; ++channel)
          store_sample(image.view(), x, y, channel, plane,
                       range * static_cast<double>(random()) / 4294967296.0);
  return image;
}

}  // namespace tessera
