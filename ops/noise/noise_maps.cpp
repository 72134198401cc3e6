// SPDX-License-Identifier: Apache-2.0
// Maps of a whole image at once, and signal-to-noise from them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "core/parallel.hpp"
#include "core/refuse.hpp"
#include "core/typed_samples.hpp"
#include "tessera/kept_plans.hpp"
#include "tessera/noise.hpp"
#include "tessera/noise_grid.hpp"

namespace tessera {
namespace {

constexpr int kPieceRows = 32;

void check_on_host(AnyView in) {
  if (in.device != kHost)
    refuse("noise", fmt::format("the image is on device {}; maps of a whole image are made of host "
                                "memory, and plans (Noise) of any",
                                in.device));
}

Image by_grid(AnyView in, const NoiseOptions& options) {
  const auto plan = kept_plan<NoiseGrid>(in.info(), options);
  Stream& stream = thread_stream(plan);
  const NoiseNodes nodes = plan.measured(in, stream);
  Image maps(plan.output());
  plan.draw(nodes, {0, in.size.height}, maps.view(), stream);
  plan.mask(in, maps.view(), stream);
  return maps;
}

Image by_pixels(AnyView in, const NoiseOptions& options) {
  const auto plan = kept_plan<Noise>(in.info(), options);
  Image maps(plan.output());
  plan(in, maps.view());
  return maps;
}

Image maps_of_plane(AnyView in, const NoiseOptions& options, bool fill) {
  Image maps = options.mode == NoiseMode::grid ? by_grid(in, options) : by_pixels(in, options);
  if (fill) fill_from_nearest(maps.view());
  return maps;
}

/// All planes of the first map, then all of the next.
Image all_maps(AnyView in, const NoiseOptions& options, bool fill) {
  check_on_host(in);
  const int planes = in.size.planes;
  if (planes <= 1) return maps_of_plane(in, options, fill);
  Image all;
  for (int plane = 0; plane < planes; ++plane) {
    const Image maps = maps_of_plane(in.only_plane(plane), options, fill);
    const int count = maps.info().size.planes;
    if (!all) {
      ImageInfo info = maps.info();
      info.size.planes *= planes;
      all = Image(info);
    }
    for (int map = 0; map < count; ++map)
      copy_samples(maps.view().only_plane(map), all.view().only_plane(map * planes + plane));
  }
  return all;
}

/// Planes [first, first + count) in their own memory, or shared if there is one.
Image some_planes(const Image& all, int first, int count) {
  if (count == 1) return all.only_plane(first);
  AnyView part = all.view().only_plane(first);
  part.size.planes = count;
  return copy(part);
}

void check_maps(AnyView in, AnyView background, AnyView rms, AnyMutableView out) {
  const auto fits = [&](const AnyView& view) {
    return view.size == in.size && view.device == kHost;
  };
  if (in.size.channels != 1 || !fits(in) || !fits(background) || !fits(rms) || !fits(out) ||
      is_integer(out.type))
    refuse("signal_to_noise",
           fmt::format("the image is {}, the background {}, the noise {}, the "
                       "result {}; they must be of one size and channel in host memory, and the "
                       "result f32 or f64",
                       image_text(in.info()), image_text(background.info()), image_text(rms.info()),
                       image_text(out.info())));
}

/// Maps may have values where the image is blank: filled ones, or without a mask.
double ratio(double value, double background, double rms, bool zero_is_blank) {
  const bool blank = !std::isfinite(value) || (zero_is_blank && value == 0);
  const double ratio = (value - background) / rms;
  return blank || rms == 0 || ratio != ratio ? std::numeric_limits<double>::quiet_NaN() : ratio;
}

void read_row(const AnyView& view, int y, int plane, std::vector<double>& row) {
  with_samples(view, [&](auto samples) {
    for (int x = 0; x < view.size.width; ++x)
      row[static_cast<std::size_t>(x)] = static_cast<double>(samples.at(x, y, 0, plane));
  });
}

template <class T>
void write_samples(const std::vector<double>& row, View<T> view, int y, int plane) {
  for (int x = 0; x < view.size.width; ++x)
    view.at(x, y, 0, plane) = static_cast<T>(row[static_cast<std::size_t>(x)]);
}

}  // namespace

NoiseMaps noise(AnyView in, const NoiseOptions& options, bool fill) {
  if (!options.quantiles.orders.empty())
    refuse("noise", fmt::format("quantiles {} are asked for; noise_quantiles makes maps of them",
                                to_text(options.quantiles)));
  const Image maps = all_maps(in, options, fill);
  const int planes = std::max(1, in.size.planes);
  return {some_planes(maps, 0, planes), some_planes(maps, planes, planes)};
}

Image noise_quantiles(AnyView in, const NoiseOptions& options, bool fill) {
  if (options.quantiles.orders.empty())
    refuse("noise", "no quantiles are asked for; give some, such as 0.25,0.5,0.75");
  return all_maps(in, options, fill);
}

void signal_to_noise(AnyView in, AnyView background, AnyView rms, AnyMutableView out,
                     bool zero_is_blank, const Stream& stream) {
  check_maps(in, background, rms, out);
  for_pieces({0, in.size.height}, kPieceRows, in.size.planes, stream, [&](int p, Rows rows) {
    const auto width = static_cast<std::size_t>(in.size.width);
    std::vector<double> signal(width), below(width), noise(width);
    for (int y = rows.first; y < rows.end; ++y) {
      read_row(in, y, p, signal);
      read_row(background, y, p, below);
      read_row(rms, y, p, noise);
      for (std::size_t x = 0; x < width; ++x)
        signal[x] = ratio(signal[x], below[x], noise[x], zero_is_blank);
      if (out.type == Type::f32)
        write_samples(signal, out.as<float>(), y, p);
      else
        write_samples(signal, out.as<double>(), y, p);
    }
  });
}

void signal_to_noise(AnyView in, AnyView background, AnyView rms, AnyMutableView out,
                     bool zero_is_blank) {
  signal_to_noise(in, background, rms, out, zero_is_blank, Stream());
}

}  // namespace tessera
