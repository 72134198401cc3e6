// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_strip_clean.hpp"

#include <cmath>
#include <limits>

#include "core/device.hpp"
#include "core/ranks.hpp"
#include "core/refuse.hpp"
#include "jobs/faraday/faraday_planes.hpp"

namespace tessera {
namespace {

/// The noise times a factor below 0, as a map in the memory that the plan works in.
std::unique_ptr<FaradayBlock> multiple_of(AnyView noise, double factor, int device,
                                          Stream& stream) {
  FaradayBlock host(rows_of(noise.info(), noise.size.height, kHost), stream);
  for (int y = 0; y < noise.size.height; ++y)
    for (int x = 0; x < noise.size.width; ++x)
      host.view.as<float>().at(x, y) =
          static_cast<float>(-factor * noise.as<const float>().at(x, y));
  if (device == kHost) return std::make_unique<FaradayBlock>(std::move(host));
  auto there =
      std::make_unique<FaradayBlock>(rows_of(noise.info(), noise.size.height, device), stream);
  device_stream(stream).copy(AnyView(host.view), there->view);
  stream.wait();  // before the host's memory goes
  return there;
}

}  // namespace

void FaradayCleanCounts::add(AnyView map, int limit) {
  for (int y = 0; y < map.size.height; ++y)
    for (int x = 0; x < map.size.width; ++x) {
      const float value = map.as<const float>().at(x, y);
      const auto count = value > 0 ? static_cast<long long>(value) : 0;
      cleaned_pixels += count > 0;
      iterations += count;
      at_limit += count >= limit;
    }
}

void FaradayCleanCounts::join_ranks() {
  for (long long* count : {&cleaned_pixels, &iterations, &at_limit}) *count = sum_of_ranks(*count);
}

FaradayStripClean::FaradayStripClean(const ImageInfo& spectra, const FaradayAxes& axes,
                                     const FaradayRmsf& rmsf, const FaradayCleanOptions& options,
                                     Backend backend)
    : cutoff_(options.cutoff),
      window_(options.window.value_or(std::numeric_limits<double>::quiet_NaN())),
      by_noise_(cutoff_ < 0 || window_ < 0) {
  if (cutoff_ == 0)
    refuse("faraday",
           "there is no cutoff; give --cutoff, in the units of the spectra or, below 0, in "
           "multiples of "
           "each pixel's noise");
  FaradayCleanOptions own = options;
  own.backend = backend;
  own.cutoff = std::max(0.0, cutoff_);
  if (own.window && *own.window < 0) own.window.reset();
  plan_.emplace(spectra, rmsf, own);
  if (by_noise_)
    noise_.emplace(spectra, axes, rmsf.fwhm, std::vector{FaradayMap::noise},
                   FaradayMapsOptions{.backend = backend, .device = options.device});
}

std::size_t FaradayStripClean::bytes_a_row() const {
  return std::size_t{4} * plan_->input().size.width * 4;
}

FaradayBlock FaradayStripClean::noise_of(AnyView real, AnyView imaginary, AnyView bands,
                                         Stream& stream) const {
  const int rows = real.size.height, device = plan_->device();
  const ImageInfo map = rows_of(noise_->output(), rows, device);
  FaradayBlock noise(rows_of(map, rows, kHost), stream);
  if (device == kHost) {
    (*noise_)(real, imaginary, bands, noise.view, stream);
    return noise;
  }
  DeviceStream& copies = device_stream(stream);
  const FaradayBlock there(map, stream), bands_there(rows_of(bands.info(), rows, device), stream);
  copies.copy(bands, bands_there.view);
  (*noise_)(real, imaginary, bands_there.view, there.view, stream);
  copies.copy(AnyView(there.view), noise.view);
  stream.wait();
  return noise;
}

void FaradayStripClean::run(AnyView real, AnyView imaginary, AnyView bands,
                            const FaradayOwnRmsfs& own, const FaradayCleaned& cleaned,
                            AnyMutableView iterations, Stream& stream) {
  const int rows = real.size.height, device = plan_->device();
  FaradayDirty dirty{real, imaginary};
  dirty.own_rmsfs = own.rmsfs;
  dirty.rmsf_of_pixel = own.of_pixel;
  std::unique_ptr<FaradayBlock> cutoffs, windows;
  if (by_noise_) {
    const FaradayBlock noise = noise_of(real, imaginary, bands, stream);
    if (cutoff_ < 0) cutoffs = multiple_of(noise.view, cutoff_, device, stream);
    if (window_ < 0) windows = multiple_of(noise.view, window_, device, stream);
    if (cutoffs) dirty.cutoff = cutoffs->view;
    if (windows) dirty.window = windows->view;
  }
  FaradayCleaned out = cleaned;
  const ImageInfo map = with_planes(rows_of(plan_->input(), rows, device), 1);
  std::unique_ptr<FaradayBlock> there;
  if (device != kHost) there = std::make_unique<FaradayBlock>(map, stream);
  out.iterations = there ? there->view : iterations;
  (*plan_)(dirty, out, stream);
  if (there) device_stream(stream).copy(AnyView(there->view), iterations);
  stream.wait();
  counts_.add(iterations, plan_->options().iterations);
}

}  // namespace tessera
