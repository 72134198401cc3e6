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
  std::fill_n(host_out_.view().address(0, 0, 0), bytes_of(host_out_.info()),
              static_cast<unsigned char>(0xa5));
  if (out_.device != kHost) device_stream(stream_).copy(AnyView(host_out_.view()), out_);
  stream_.wait();
}

Image TrialRoom::result() {
  if (out_.device != kHost) device_stream(stream_).copy(AnyView(out_), host_out_.view());
  stream_.wait();
  return host_out_;
}

Image TrialRoom::sampled() { return rows_of_image(result(), sampled_rows()); }

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

Image rows_of_image(const Image& image, const std::vector<int>& rows) {
  const ImageInfo info = image.info();
  Image some({info.size.width, static_cast<int>(rows.size()), info.size.channels, info.size.planes},
             info.type);
  const long long bytes = 1LL * info.size.width * info.size.channels * bytes_of(info.type);
  for (int plane = 0; plane < info.size.planes; ++plane)
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::copy_n(image.view().address(0, rows[i], plane), bytes,
                  some.view().address(0, static_cast<int>(i), plane));
  return some;
}

}  // namespace tessera
