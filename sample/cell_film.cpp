// SPDX-License-Identifier: Apache-2.0
#include "sample/cell_film.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/counted.hpp"
#include "core/parallel.hpp"
#include "sample/random.hpp"
#include "sample/sample_checks.hpp"
#include "sample/store_row.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kRowsAPiece = 16;
/// Half the width of a cell's edge, a smooth step: as if a sharp disc were blurred by a standard
/// deviation of 1 px (that of the step's slope is the half width over the root of 5).
constexpr double kHalfEdge = 2.2360679774997896964;

ImageInfo film_info(Size frame, Type type, const CellFilmOptions& options) {
  if (frame.width < 1 || frame.height < 1 || frame.channels != 1 || frame.planes != 1)
    throw Error(ErrorKind::usage,
                fmt::format("cells: frames of {}x{} pixels with {} and {} cannot "
                            "be made; they need at least one pixel, 1 channel and 1 plane",
                            frame.width, frame.height, counted(frame.channels, "channel"),
                            counted(frame.planes, "plane")));
  constexpr long long kMostPixels = 1LL << 26;  // the ground is in memory, and larger than a frame
  if (frame.pixels() > kMostPixels)
    throw Error(ErrorKind::usage,
                fmt::format("cells: size: {}x{} is too large; a frame can have at most {} pixels",
                            frame.width, frame.height, kMostPixels));
  check_type("cells", type);
  return {{frame.width, frame.height, 1, *options.frames}, type, kHost};
}

/// Light from this side, in DIC.
constexpr double kShadeX = 0.70710678118654752, kShadeY = -0.70710678118654752;

/// 1 inside, 0 outside, one half at the radius.
double disc_at(double distance, double radius) {
  const double part = std::clamp((radius - distance) / (2 * kHalfEdge) + 0.5, 0.0, 1.0);
  return part * part * (3 - 2 * part);
}

/// The disc as DIC shows it: a rim that is light on one side and dark on the other.
double shaded(double part, double dx, double dy, double radius, double rim) {
  return part * ((1 - rim) + 2 * rim * (dx * kShadeX + dy * kShadeY) / radius);
}

constexpr auto kSample = []<class T>(float value) {
  if constexpr (std::is_integral_v<T>) {
    constexpr float kScale = sizeof(T) == 1 ? 1 : 256, kMost = std::numeric_limits<T>::max();
    return static_cast<T>(std::floor(std::clamp(value * kScale, 0.0f, kMost) + 0.5f));
  } else {
    return static_cast<T>(value);
  }
};

}  // namespace

CellFilm::CellFilm(Size frame, std::uint64_t seed, Type type, const CellFilmOptions& options,
                   int threads, CellFilmParts parts)
    : info_(film_info(frame, type, filled(options))),
      seed_(seed),
      options_(filled(options)),
      parts_(parts),
      threads_(threads > 0 ? threads : available_threads()),
      vessel_(frame, seed, options_),
      ground_(frame, seed, options_, vessel_, threads_),
      truth_(roll_cells(frame, seed, options_, vessel_)) {}

void CellFilm::read(Rows rows, AnyMutableView to) {
  for (int frame = 0; frame < info_.size.planes; ++frame)
    read_frame(frame, rows, to.only_plane(frame));
}

void CellFilm::read_frame(int frame, Rows rows, AnyMutableView to) const {
  const std::vector<Disc> discs = parts_.cells ? discs_in(frame) : std::vector<Disc>{};
  const int pieces = (rows.count() + kRowsAPiece - 1) / kRowsAPiece;
  parallel_for(pieces, threads_, [&](int piece) {
    std::vector<float> values(static_cast<size_t>(info_.size.width));
    const int first = rows.first + piece * kRowsAPiece;
    for (int row = first; row < std::min(rows.end, first + kRowsAPiece); ++row) {
      draw_row(frame, row, discs, values);
      store_row(values, to, row - rows.first, kSample);
    }
  });
}

std::vector<CellFilm::Disc> CellFilm::discs_in(int frame) const {
  std::vector<Disc> discs;
  for (const FilmCell& cell : truth_.cells)
    for (const auto* spots : {&cell.track.spots, &cell.outside}) {
      const auto spot = std::ranges::lower_bound(*spots, frame, {}, &CellSpot::frame);
      if (spot != spots->end() && spot->frame == frame)
        discs.push_back({spot->x, spot->y, spot->radius, cell.contrast});
    }
  return discs;
}

void CellFilm::draw_row(int frame, int row, const std::vector<Disc>& discs,
                        std::vector<float>& to) const {
  if (parts_.ground)
    ground_.row(row, vessel_.drift(frame, row), to.data());
  else
    std::ranges::fill(to, 0.0f);
  for (const Disc& disc : discs) {
    const double reach = disc.radius + kHalfEdge, dy = row - disc.y;
    if (std::abs(dy) >= reach) continue;
    const double half = std::sqrt(reach * reach - dy * dy);
    const int first = std::max(0, static_cast<int>(std::ceil(disc.x - half)));
    const int last = std::min(info_.size.width - 1, static_cast<int>(std::floor(disc.x + half)));
    for (int x = first; x <= last; ++x) {
      const double distance = std::sqrt((x - disc.x) * (x - disc.x) + dy * dy);
      double part = disc_at(distance, disc.radius);
      if (*options_.rim > 0) part = shaded(part, x - disc.x, dy, disc.radius, *options_.rim);
      to[static_cast<size_t>(x)] += static_cast<float>(disc.height * part);
    }
  }
  if (*options_.flicker > 0) {
    Random random{seed_, 15, static_cast<std::uint64_t>(frame)};
    const auto light = static_cast<float>(1 + *options_.flicker * (2 * random.unit() - 1));
    for (float& value : to) value *= light;
  }
  if (parts_.noise && *options_.noise > 0) {
    Random random{seed_, 14, static_cast<std::uint64_t>(frame), static_cast<std::uint64_t>(row)};
    normal_.add_to(to.data(), info_.size.width, static_cast<float>(*options_.noise), random);
  }
}

}  // namespace tessera
