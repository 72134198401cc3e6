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

void to_float(AnyView from, AnyMutableView to) {
  const View<const double> values = from.as<const double>();
  const View<float> floats = to.as<float>();
  for (int p = 0; p < from.size.planes; ++p)
    for (int y = 0; y < from.size.height; ++y)
      for (int x = 0; x < from.size.width; ++x)
        floats.at(x, y, 0, p) = static_cast<float>(values.at(x, y, 0, p));
}

/// Everything about rows of maps that are there, on all threads.
void finish_rows(AnyView image, AnyView maps, bool snr, AnyMutableView files, int threads) {
  parallel_for(maps.size.height, threads, [&](int y) {
    const AnyView row = maps.rows(y, 1);
    const AnyMutableView to(files.rows(y, 1));
    if (maps.type == Type::f64) to_float(row, first_planes(to, maps.size.planes));
    if (snr)
      signal_to_noise(image.rows(y, 1), row.only_plane(0), row.only_plane(1),
                      to.only_plane(maps.size.planes));
  });
}

}  // namespace

StripPlan noise_file_rows(StripPlan maps, bool snr, SeeNoise see) {
  const ImageInfo made = maps.outputs[0];
  ImageInfo files = made;
  files.type = Type::f32;
  files.size.planes += snr ? 1 : 0;
  StripPlan plan = maps;
  plan.outputs = {files};
  // Maps of another type are made beside: an output that no sink takes.
  if (made.type != Type::f32) plan.outputs.push_back(made);
  plan.run = [maps = std::move(maps), snr, see = std::move(see)](
                 std::span<const Piece> in, std::span<const MutablePiece> out, Stream& stream) {
    const int planes = maps.outputs[0].size.planes, first = out[0].first_row;
    const MutablePiece rows =
        out.size() > 1 ? out[1] : MutablePiece{first_planes(out[0].view, planes), first};
    maps.run(in, {&rows, 1}, stream);
    stream.wait();
    const AnyView image = in[0].view.rows(first - in[0].first_row, out[0].view.size.height);
    finish_rows(image, rows.view, snr, out[0].view, stream.threads());
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
