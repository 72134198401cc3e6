// SPDX-License-Identifier: Apache-2.0
// The standard work of cells: a film of 36 cells followed, with detection every ten frames. The
// product's tests compare methods with the reference in double; here tracks are compared with the
// film's own truth.
#include <fmt/format.h>

#include "core/device.hpp"
#include "ops/cells/cells_problem.hpp"
#include "ops/cells/study/cells_spot_film.hpp"
#include "study/report_ways.hpp"

namespace tessera {
namespace {

/// Operations of a frame, counted roughly: fields of 49x49 pixels in 20 iterations of 20 operations
/// for every cell, 60 per pixel for smoothing and background, and circles of 150 points, 9 radii
/// and 4 operations in the side that cells come from, every tenth frame.
double operations_a_frame() {
  constexpr double kField = 49.0 * 49 * 20 * 20, kPixel = 60, kEntryWidth = 84;
  const double circles = kEntryWidth * kSpotFrame.height * 9 * 150 * 4 / 10;
  return kSpotCells * kField + kPixel * static_cast<double>(kSpotFrame.pixels()) + circles;
}

/// The film on the host and, once a way needs it there, on the device; and the tracks found.
struct WatchedFilm {
  SpotFilm film;
  std::unique_ptr<Stream> stream;  ///< outlives the memory borrowed from it
  Scratch memory;
  AnyMutableView on_device;
  std::vector<CellTrack> tracks;

  AnyView frames(bool there) {
    if (!there) return film.frames.view();
    if (!stream) {
      stream = std::make_unique<Stream>(0);
      ImageInfo info = film.frames.info();
      memory = stream->scratch(static_cast<std::size_t>(bytes_of(info)));
      info.device = stream->device();
      on_device = packed(memory.data(), info);
      device_stream(*stream).copy(film.frames.view(), on_device);
      stream->wait();
    }
    return on_device;
  }
};

void follow(const Cells& plan, AnyView frames, Stream& stream, std::vector<CellTrack>& tracks) {
  CellsState state = plan.start();
  for (int k = 0; k < frames.size.planes; ++k) plan.add(state, frames.only_plane(k), stream);
  plan.finish(state, stream);
  tracks = plan.tracks(state);
}

ReadyWay ready_way(const std::shared_ptr<WatchedFilm>& watched, const WayPlace& place) {
  const AnyView frames = watched->frames(place.on_device());
  CellsOptions options;
  options.flow = 0.0;
  options.backend = place.backend;
  options.method = place.method;
  const Cells plan(frames.only_plane(0).info(), options);
  watched->tracks.clear();
  return {
      [plan, watched, frames](Stream& stream) { follow(plan, frames, stream, watched->tracks); },
      [watched] { return lost_cells(watched->film, watched->tracks); }};
}

ReportWork make_cells_report(bool quick) {
  const int frames = quick ? 30 : 120;
  const auto watched = std::make_shared<WatchedFilm>();
  watched->film = spot_film(frames);
  ReportWork work{.what = fmt::format("{} frames of {}x{} u8, {} cells", frames, kSpotFrame.width,
                                      kSpotFrame.height, kSpotCells),
                  .counts = "frames",
                  .amount = 1.0 * frames,
                  .flops = frames * operations_a_frame(),
                  .bytes = static_cast<double>(bytes_of(watched->film.frames.info()))};
  add_ways(work, "cells", cells_methods(),
           [&](const WayPlace& place) { return ready_way(watched, place); });
  return work;
}

const bool report_entered = add_report_work(
    {"cells", make_cells_report,
     "GTX 280 199.9 times MATLAB, 21.6 frames/s; OpenMP with 4 threads 7.6 times MATLAB."});

}  // namespace
}  // namespace tessera
