// SPDX-License-Identifier: Apache-2.0
#include "jobs/faraday/faraday_strips.hpp"

#include <algorithm>
#include <cmath>

#include "core/device.hpp"
#include "core/parallel.hpp"
#include "core/pools.hpp"
#include "jobs/faraday/faraday_planes.hpp"

namespace tessera {
namespace {

ImageInfo rows_of(ImageInfo info, int rows, int device) {
  info.size.height = rows;
  info.device = device;
  return info;
}

/// An image in memory of the stream's device, or of the host.
struct Block {
  Scratch memory;
  AnyMutableView view;

  Block(const ImageInfo& info, Stream& stream)
      : memory(info.device == kHost ? host_scratch(static_cast<std::size_t>(bytes_of(info)))
                                    : stream.scratch(static_cast<std::size_t>(bytes_of(info)))),
        view(packed(memory.data(), info)) {}
};

}  // namespace

FaradayStrips::FaradayStrips(const ImageInfo& cube, const FaradayAxes& axes,
                             const FaradayOptions& options, const std::vector<FaradayMap>& maps,
                             double fwhm, double noise, const FaradayLayout& layout,
                             FaradayPatterns* patterns)
    : layout_(layout), patterns_(patterns) {
  synth_.emplace(cube, axes, options);
  if (on_device()) {  // the same method, for memory on the device
    FaradayOptions chosen = options;
    chosen.backend = synth_->backend();
    chosen.method = synth_->method();
    ImageInfo there = cube;
    there.device = synth_->device();
    synth_.emplace(there, axes, chosen);
  }
  FaradayMapsOptions how;
  how.noise = noise;
  how.backend = synth_->backend();
  how.device = options.device;
  maps_.emplace(synth_->output(), axes, fwhm, maps, how);
}

std::size_t FaradayStrips::scratch_bytes_a_row() const {
  if (on_device() || layout_.real >= 0) return 0;
  const Size size = synth_->output().size;
  return std::size_t{8} * size.width * size.planes;
}

StripPlan FaradayStrips::plan() {
  ImageInfo in = rows_of(synth_->input(), synth_->input().size.height, kHost), out = in;
  in.size.planes *= 2;
  out.size.planes = layout_.planes;
  return {{in},
          {out},
          [](Rows rows) { return rows; },
          [](int row) { return row; },
          [this](std::span<const Piece> from, std::span<const MutablePiece> to, Stream& stream) {
            run(from[0], to[0], stream);
          }};
}

void FaradayStrips::run(const Piece& in, const MutablePiece& out, Stream& stream) {
  const int channels = synth_->input().size.planes;
  AnyView q = in.view, u = in.view;
  q.size.planes = u.size.planes = channels;
  u.data = in.view.address(0, 0, channels);
  if (on_device())
    through_device(in.view, out.view, stream);
  else
    on_host(q, u, out.view, stream);
  const AnyMutableView maps = planes_of(out.view, layout_.maps, maps_->output().size.planes);
  look(maps, out.first_row);
  const int depths = synth_->output().size.planes;
  if (layout_.total >= 0)
    faraday_magnitudes(planes_of(out.view, layout_.real, depths),
                       planes_of(out.view, layout_.imaginary, depths),
                       planes_of(out.view, layout_.total, depths), stream.threads());
  if (patterns_) add_rmsfs(q, u, out.view, stream);
}

void FaradayStrips::on_host(AnyView q, AnyView u, AnyMutableView out, Stream& stream) {
  const ImageInfo spectra = rows_of(synth_->output(), out.size.height, kHost);
  const int depths = spectra.size.planes;
  std::optional<Block> real, imaginary;
  if (layout_.real < 0) {
    real.emplace(spectra, stream);
    imaginary.emplace(spectra, stream);
  }
  const AnyMutableView re = real ? real->view : planes_of(out, layout_.real, depths);
  const AnyMutableView im = imaginary ? imaginary->view : planes_of(out, layout_.imaginary, depths);
  (*synth_)(q, u, re, im, stream);
  (*maps_)(re, im, planes_of(out, layout_.maps, maps_->output().size.planes), stream);
}

// Uploads once and downloads only what is needed: spectra that are not written never leave the
// device.
void FaradayStrips::through_device(AnyView both, AnyMutableView out, Stream& stream) {
  const int rows = out.size.height, device = synth_->device();
  ImageInfo in = rows_of(synth_->input(), rows, device);
  const int channels = in.size.planes, depths = synth_->output().size.planes;
  in.size.planes *= 2;
  const Block qu(in, stream), real(rows_of(synth_->output(), rows, device), stream),
      imaginary(real.view.info(), stream), made(rows_of(maps_->output(), rows, device), stream);
  DeviceStream& copies = device_stream(stream);
  copies.copy(both, qu.view);
  (*synth_)(planes_of(qu.view, 0, channels), planes_of(qu.view, channels, channels), real.view,
            imaginary.view, stream);
  (*maps_)(real.view, imaginary.view, made.view, stream);
  if (layout_.real >= 0) {
    copies.copy(real.view, planes_of(out, layout_.real, depths));
    copies.copy(imaginary.view, planes_of(out, layout_.imaginary, depths));
  }
  copies.copy(made.view, planes_of(out, layout_.maps, maps_->output().size.planes));
  stream.wait();
}

void FaradayStrips::look(AnyView maps, int first_row) {
  const View<const float> values = maps.as<const float>();
  for (int y = 0; y < maps.size.height; ++y)
    for (int x = 0; x < maps.size.width; ++x)
      if (const double pi = values.at(x, y, 0, 0);
          pi > seen_.max_pi || (std::isnan(seen_.max_pi) && !std::isnan(pi)))
        seen_ = {pi, values.at(x, y, 0, 1), {x, first_row + y}};
}

void FaradayStrips::add_rmsfs(AnyView q, AnyView u, AnyMutableView out, const Stream& stream) {
  const std::vector<int> patterns = patterns_->find(q, u, stream.threads());
  if (layout_.fwhm < 0 && layout_.pattern < 0 && layout_.rmsf_real < 0) return;
  const View<float> to = out.as<float>();
  const int width = out.size.width, length = static_cast<int>(patterns_->rmsf(0).value.size());
  parallel_for(out.size.height, stream.threads(), [&](int y) {
    for (int x = 0; x < width; ++x) {
      const int pattern = patterns[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                                   static_cast<std::size_t>(x)];
      if (layout_.fwhm >= 0)
        to.at(x, y, 0, layout_.fwhm) = static_cast<float>(patterns_->fwhm(pattern));
      if (layout_.pattern >= 0) to.at(x, y, 0, layout_.pattern) = static_cast<float>(pattern);
      if (layout_.rmsf_real < 0) continue;
      for (int p = 0; p < length; ++p) {
        std::complex<double> value = 0;
        if (pattern != FaradayPatterns::kEmpty)
          value = patterns_->rmsf(std::max(pattern, 0)).value[static_cast<std::size_t>(p)];
        to.at(x, y, 0, layout_.rmsf_real + p) = static_cast<float>(value.real());
        to.at(x, y, 0, layout_.rmsf_imaginary + p) = static_cast<float>(value.imag());
        to.at(x, y, 0, layout_.rmsf_total + p) = static_cast<float>(std::abs(value));
      }
    }
  });
}

}  // namespace tessera
