// SPDX-License-Identifier: Apache-2.0
#include "study/report_ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/device.hpp"
#include "core/machine.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kPoison = 0xff;

void try_way(const std::string& operation, const WayPlace& place, const ReadyWay& ready) {
  Stream stream(place.backend == Backend::cuda ? 0 : kHost);
  ready.run(stream);
  stream.wait();
  if (const std::string wrong = ready.wrong(); !wrong.empty())
    throw Error(ErrorKind::failure,
                fmt::format("{}: {} {} differs from the reference: {}", operation,
                            name_of(place.backend), place.method, wrong));
}

/// Why a way is absent, without what its row already says.
std::string reason_alone(const std::string& text, const std::string& operation,
                         const WayPlace& place) {
  const std::string before = fmt::format("({} {}: ", name_of(place.backend), place.method);
  const std::size_t from = text.find(before), to = text.rfind("); give another");
  if (from != std::string::npos && to != std::string::npos && to > from)
    return text.substr(from + before.size(), to - from - before.size());
  return text.starts_with(operation + ": ") ? text.substr(operation.size() + 2) : text;
}

}  // namespace

void add_way(ReportWork& work, const std::string& operation, const WayPlace& place,
             const PrepareWay& prepare) {
  ReportWay way{place.backend, place.method, place.transfers, "", {}};
  const Machine& machine = this_machine();
  if (place.backend == Backend::cuda && machine.devices.empty()) {
    way.absent = "no GPU: " + machine.no_device_reason;
  } else {
    try {
      const ReadyWay ready = prepare(place);
      try_way(operation, place, ready);
      way.run = ready.run;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::failure) throw;
      way.absent = reason_alone(error.what(), operation, place);
    }
  }
  work.ways.push_back(std::move(way));
}

ReportImages::ReportImages(std::vector<Image> given, const std::vector<ImageInfo>& made)
    : given_(std::move(given)) {
  for (const Image& image : given_) host_.given.push_back(image.view());
  for (const ImageInfo& info : made) host_.made.push_back(made_.emplace_back(info).view());
}

const ReportImages::Side& ReportImages::at(const WayPlace& place) {
  if (!place.on_device()) return host_;
  if (stream_) return device_;
  stream_ = std::make_unique<Stream>(0);
  const auto room = [&](ImageInfo info) {
    info.device = stream_->device();
    memory_.push_back(stream_->scratch(static_cast<std::size_t>(bytes_of(info))));
    return packed(memory_.back().data(), info);
  };
  for (const AnyView& image : host_.given) {
    const AnyMutableView there = room(image.info());
    device_stream(*stream_).copy(image, there);
    device_.given.push_back(there);
  }
  for (const AnyMutableView& image : host_.made) device_.made.push_back(room(image.info()));
  stream_->wait();
  return device_;
}

void ReportImages::poison(const WayPlace& place) {
  for (std::size_t k = 0; k < host_.made.size(); ++k) {
    const AnyMutableView& here = host_.made[k];
    std::memset(here.data, kPoison, static_cast<std::size_t>(bytes_of(here.info())));
    if (place.on_device()) device_stream(*stream_).copy(here, at(place).made[k]);
  }
  if (place.on_device()) stream_->wait();
}

void ReportImages::fetch(const WayPlace& place) {
  if (!place.on_device()) return;
  for (std::size_t k = 0; k < host_.made.size(); ++k)
    device_stream(*stream_).copy(device_.made[k], host_.made[k]);
  stream_->wait();
}

PrepareWay on_images(const std::shared_ptr<ReportImages>& images, PlanOnImages plan) {
  return [images, plan = std::move(plan)](const WayPlace& place) {
    const ReadyWay planned = plan(place, images->at(place));
    images->poison(place);
    ReadyWay ready;
    ready.run = [images, run = planned.run](Stream& stream) { run(stream); };
    ready.wrong = [images, place, wrong = planned.wrong] {
      images->fetch(place);
      return wrong();
    };
    return ready;
  };
}

std::vector<Rows> some_rows(int height) {
  constexpr int kRows = 4;
  if (height <= 3 * kRows) return {{0, height}};
  return {{0, kRows}, {height / 2, height / 2 + kRows}, {height - kRows, height}};
}

double transform_flops(double points) { return 5 * points * std::log2(points); }

}  // namespace tessera
