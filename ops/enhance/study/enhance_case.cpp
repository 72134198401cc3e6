// SPDX-License-Identifier: Apache-2.0
#include "ops/enhance/study/enhance_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/device.hpp"
#include "ops/enhance/study/step_args.cuh"
#include "sample/scene.hpp"
#include "tessera/enhance.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr long long kPitch = 256;
constexpr unsigned kNoCount = ~0U;

EnhanceResult result_of(const PreparedRung& rung) {
  return static_cast<EnhanceResult>(rung.truth % 4);
}
EnhancePlace place_of(const PreparedRung& rung) {
  return static_cast<EnhancePlace>(rung.truth / 4);
}

Image by_reference(const Image& in, const char* steps) {
  return enhance(in.view(), {.steps = steps, .backend = Backend::cpu, .method = "reference"});
}

void copy_to(AnyView from, AnyMutableView to, Stream& device) {
  device_stream(device).copy(from, to);
  device.wait();
}

/// The gaps after rows get values too: kernels that fetch words read them.
void fill_room(const Image& image, const AnyMutableView& room, Stream& device) {
  Image padded({static_cast<int>(room.row), image.info().size.height}, Type::u8);
  AnyMutableView inside = room;
  inside.data = padded.view().data;
  inside.device = kHost;
  copy_samples(image.view(), inside);
  copy_to(padded.view(), packed(room.data, {padded.info().size, Type::u8, room.device}), device);
}

/// Views have no type of 32-bit integers; f32 has as many bytes.
AnyMutableView counts_view(unsigned* counts, int device) {
  return packed(static_cast<void*>(counts), {{kStepLevels, 1}, Type::f32, device});
}

std::string wrong_pixel(View<const unsigned char> truth, View<const unsigned char> found) {
  for (int y = 0; y < truth.size.height; ++y) {
    const unsigned char* const right = &truth.at(0, y);
    if (std::memcmp(right, &found.at(0, y), static_cast<std::size_t>(truth.size.width)) == 0)
      continue;
    for (int x = 0; x < truth.size.width; ++x)
      if (right[x] != found.at(x, y))
        return fmt::format("pixel {}, {} is {} and should be {}", x, y, int{found.at(x, y)},
                           int{right[x]});
  }
  return "";
}

}  // namespace

EnhanceCase::EnhanceCase(const Image& scan, Stream* device)
    : scan_(copy(scan.view())), host_counts_(kStepLevels) {
  make_truths();
  const Size grey{size().width, size().height};
  images_[0] = {scan_.view(), grey_.view(), contrast_.view(), {}};
  if (!device) {
    host_out_ = Image(grey, Type::u8);
    images_[0].out = host_out_.view();
    return;
  }
  const auto pinned = [&](const ImageInfo& info) {
    memory_.push_back(device->pinned_scratch(static_cast<std::size_t>(bytes_of(info))));
    return packed(memory_.back().data(), info);
  };
  images_[0].out = pinned(grey_.info());
  pinned_scan_ = pinned(scan_.info());
  copy_samples(scan_.view(), pinned_scan_);
  for (const EnhancePlace place : {EnhancePlace::packed, EnhancePlace::pitched})
    images_[static_cast<int>(place)] = placed(place, *device);
  memory_.push_back(device->scratch(kStepLevels * sizeof(unsigned)));
  device_counts_ = memory_.back().as<unsigned>();
}

void EnhanceCase::make_truths() {
  grey_ = by_reference(scan_, "grey");
  const Enhance contrast(grey_.info(),
                         {.steps = "contrast", .backend = Backend::cpu, .method = "reference"});
  Stream stream;
  const EnhanceFinding found = contrast.examine(grey_.view(), stream).findings().at(0);
  counts_ = found.counts;
  if (!found.low || !found.high)
    throw Error(ErrorKind::usage, "enhance: the scan has one value only; it needs two");
  low_ = static_cast<int>(*found.low);
  high_ = static_cast<int>(*found.high);
  contrast_ = by_reference(grey_, "contrast");
  smooth_ = by_reference(contrast_, "smooth");
}

// A thread of 16 pixels may read and write the gap between a row and the next.
AnyMutableView EnhanceCase::room(Size size, EnhancePlace place, Stream& device) {
  AnyMutableView view = packed(nullptr, {size, Type::u8, device.device()});
  if (place == EnhancePlace::pitched)
    view.row = (view.row + kPitch - 1 + 16 * size.channels) / kPitch * kPitch;
  view.plane = view.row * size.height;
  memory_.push_back(device.scratch(static_cast<std::size_t>(view.plane)));
  view.data = memory_.back().data();
  return view;
}

EnhanceCase::Images EnhanceCase::placed(EnhancePlace place, Stream& device) {
  const Size grey = grey_.info().size;
  const Images made{room(size(), place, device), room(grey, place, device),
                    room(grey, place, device), room(grey, place, device)};
  fill_room(scan_, made.scan, device);
  fill_room(grey_, made.grey, device);
  fill_room(contrast_, made.contrast, device);
  return made;
}

const EnhanceCase::Images& EnhanceCase::at(EnhancePlace place) const {
  if (place != EnhancePlace::host && !has_device())
    throw Error(ErrorKind::resources, "enhance: the case is not on a device");
  return images_[static_cast<int>(place)];
}

std::string EnhanceCase::name() const { return fmt::format("{}x{}", size().width, size().height); }

AnyView EnhanceCase::before(EnhanceResult result, EnhancePlace place) const {
  const Images& images = at(place);
  return result == EnhanceResult::grey     ? images.scan
         : result == EnhanceResult::smooth ? images.contrast
                                           : images.grey;
}

unsigned* EnhanceCase::counts(EnhancePlace place) const {
  return place == EnhancePlace::host ? host_counts_.data() : device_counts_;
}

AnyView EnhanceCase::pinned_scan() const {
  at(EnhancePlace::packed);
  return pinned_scan_;
}

const Image& EnhanceCase::truth(EnhanceResult result) const {
  return result == EnhanceResult::grey       ? grey_
         : result == EnhanceResult::contrast ? contrast_
                                             : smooth_;
}

// Every sample is one more than it should be, so that none is right by chance.
void EnhanceCase::poison(const PreparedRung& rung, Stream& stream) const {
  if (result_of(rung) == EnhanceResult::histogram) {
    std::fill(host_counts_.begin(), host_counts_.end(), kNoCount);
    if (place_of(rung) != EnhancePlace::host)
      copy_to(counts_view(host_counts_.data(), kHost), counts_view(device_counts_, stream.device()),
              stream);
    return;
  }
  const View<unsigned char> out = this->out(EnhancePlace::host).as<unsigned char>();
  const unsigned char* const right = truth(result_of(rung)).as<unsigned char>().data;
  for (long long k = 0; k < pixels(); ++k) out.data[k] = static_cast<unsigned char>(right[k] + 1);
  if (place_of(rung) != EnhancePlace::host)
    copy_to(AnyView(out), this->out(place_of(rung)), stream);
}

std::string EnhanceCase::disagreement(const PreparedRung& rung, Stream& stream) const {
  const EnhancePlace place = place_of(rung);
  if (result_of(rung) == EnhanceResult::histogram) {
    if (place != EnhancePlace::host)
      copy_to(counts_view(device_counts_, stream.device()), counts_view(host_counts_.data(), kHost),
              stream);
    return wrong_count();
  }
  if (place != EnhancePlace::host) copy_to(out(place), out(EnhancePlace::host), stream);
  return wrong_pixel(truth(result_of(rung)).as<unsigned char>(),
                     AnyView(out(EnhancePlace::host)).as<const unsigned char>());
}

std::string EnhanceCase::wrong_count() const {
  for (std::size_t v = 0; v < host_counts_.size(); ++v)
    if (host_counts_[v] != counts_[v])
      return fmt::format("the count of {} is {} and should be {}", v, host_counts_[v], counts_[v]);
  return "";
}

Image made_scan(int width, int height) {
  constexpr unsigned char kPaper[] = {236, 233, 225};
  const int margin = std::max(2, std::min(width, height) / 24);
  Image scan({width, height, 3}, Type::u8);
  const View<unsigned char> pixels = scan.as<unsigned char>();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c) pixels.at(x, y, c) = kPaper[c];
  const Size inside{width - 2 * margin, height - 2 * margin, 3};
  Scene(inside, 1).read({0, inside.height},
                        scan.view().region(margin, margin, inside.width, inside.height));
  return scan;
}

}  // namespace tessera
