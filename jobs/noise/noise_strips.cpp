// SPDX-License-Identifier: Apache-2.0
#include "jobs/noise/noise_strips.hpp"

#include <algorithm>
#include <utility>

#include "core/parallel.hpp"
#include "tessera/image.hpp"
#include "tessera/noise.hpp"

namespace tessera {
namespace {

AnyMutableView first_planes(AnyMutableView view, int count) {
  view.size.planes = count;
  return view;
}

void to_float(View<const double> from, View<float> to, int threads) {
  parallel_for(from.size.height, threads, [&](int y) {
    for (int p = 0; p < from.size.planes; ++p)
      for (int x = 0; x < from.size.width; ++x)
        to.at(x, y, 0, p) = static_cast<float>(from.at(x, y, 0, p));
  });
}

}  // namespace

StripPlan noise_file_rows(StripPlan maps, NoiseRatio snr, SeeNoise see) {
  const ImageInfo made = maps.outputs[0];
  ImageInfo files = made;
  files.type = Type::f32;
  files.size.planes += snr.wanted ? 1 : 0;
  StripPlan plan = maps;
  plan.outputs = {files};
  // Maps of another type are made in temporary memory.
  if (made.type != Type::f32) plan.outputs.push_back(made);
  plan.run = [maps = std::move(maps), snr, see = std::move(see)](
                 std::span<const Piece> in, std::span<const MutablePiece> out, Stream& stream) {
    const int planes = maps.outputs[0].size.planes, first = out[0].first_row;
    const MutablePiece rows =
        out.size() > 1 ? out[1] : MutablePiece{first_planes(out[0].view, planes), first};
    maps.run(in, {&rows, 1}, stream);
    stream.wait();
    const AnyView image = in[0].view.rows(first - in[0].first_row, out[0].view.size.height);
    if (out.size() > 1)
      to_float(AnyView(rows.view).as<const double>(), out[0].view.as<float>(), stream.threads());
    if (snr.wanted)
      signal_to_noise(image, rows.view.only_plane(0), rows.view.only_plane(1),
                      out[0].view.only_plane(planes), snr.zero_is_blank,
                      Stream(kHost, stream.threads()));
    see(image, out[0].view, first, stream.threads());
  };
  return plan;
}

StripPlan rows_at_hand(const ImageInfo& image, AnyView maps) {
  return {{image},
          {maps.info()},
          [](Rows rows) { return rows; },
          [](int row) { return row; },
          [maps](std::span<const Piece>, std::span<const MutablePiece> out, Stream&) {
            copy_samples(maps.rows(out[0].first_row, out[0].view.size.height), out[0].view);
          }};
}

std::size_t least_strip_bytes(const StripPlan& plan) {
  const auto row = [](const ImageInfo& image) { return bytes_of(image) / image.size.height; };
  const int middle = plan.outputs[0].size.height / 2;
  long long bytes = row(plan.inputs[0]) *
                    std::max(plan.needs({0, 1}).count(), plan.needs({middle, middle + 1}).count());
  for (const ImageInfo& output : plan.outputs) bytes += row(output);
  return static_cast<std::size_t>(3 * bytes);  // strips in flight (core/strips.cpp)
}

}  // namespace tessera
