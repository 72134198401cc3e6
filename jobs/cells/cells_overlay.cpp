// SPDX-License-Identifier: Apache-2.0
#include "jobs/cells/cells_overlay.hpp"

#include <algorithm>
#include <cmath>

#include "io/formats.hpp"
#include "jobs/cells/cells_display.hpp"
#include "report/cell_painter.hpp"

namespace tessera {
namespace {

constexpr int kTailFrames = 30;
constexpr double kLineWidth = 1.3;
constexpr double kFaint = 0.45;  // cells that are expected but not seen
// Above this width of the film ids are drawn twice as large.
constexpr int kLargeFilm = 1000;
constexpr double kLeastRate = 0.001, kMostRate = 1000;

const CellSpot& spot_at(const CellTrack& track, int frame) {
  return track.spots[static_cast<std::size_t>(frame - track.spots.front().frame)];
}

// Older parts are fainter.
void draw_tail(const CellTrack& track, int frame, const CellPainter& painter) {
  const int first = std::max(track.spots.front().frame, frame - kTailFrames);
  for (int from = first; from < frame; ++from) {
    const CellSpot &a = spot_at(track, from), &b = spot_at(track, from + 1);
    const double opacity = 1 - static_cast<double>(frame - from) / (kTailFrames + 1);
    painter.line(a.x, a.y, b.x, b.y, kLineWidth, track_colour(track.id), opacity);
  }
}

void draw_id(const CellTrack& track, const CellSpot& spot, const CellPainter& painter, int scale) {
  const double away = 0.75 * spot.radius;
  if (!std::isfinite(spot.x + spot.y + away)) return;
  painter.number(static_cast<int>(std::lround(spot.x + away)) + 2 * scale,
                 static_cast<int>(std::lround(spot.y - away)) - 8 * scale, track.id, scale,
                 track_colour(track.id));
}

// Grey to RGB; the last column and row are repeated if sides are odd.
void colour(const View<const std::uint8_t>& grey, const View<std::uint8_t>& to) {
  for (int y = 0; y < to.size.height; ++y)
    for (int x = 0; x < to.size.width; ++x) {
      const std::uint8_t value =
          grey.at(std::min(x, grey.size.width - 1), std::min(y, grey.size.height - 1));
      std::fill_n(&to.at(x, y), 3, value);
    }
}

}  // namespace

TracksInTurn::TracksInTurn(const std::vector<CellTrack>& tracks) {
  for (const CellTrack& track : tracks)
    if (!track.spots.empty()) all_.push_back(&track);
  std::ranges::stable_sort(all_, {},
                           [](const CellTrack* track) { return track->spots.front().frame; });
}

const std::vector<const CellTrack*>& TracksInTurn::at(int frame) {
  for (; next_ < all_.size() && all_[next_]->spots.front().frame <= frame; ++next_)
    live_.push_back(all_[next_]);
  std::erase_if(live_, [&](const CellTrack* track) { return track->spots.back().frame < frame; });
  return live_;
}

void draw_tracks(const std::vector<const CellTrack*>& tracks, int frame,
                 const View<std::uint8_t>& picture) {
  const CellPainter painter(picture);
  const int scale = picture.size.width > kLargeFilm ? 2 : 1;
  for (const CellTrack* track : tracks) draw_tail(*track, frame, painter);
  for (const CellTrack* track : tracks) {
    const CellSpot& spot = spot_at(*track, frame);
    painter.circle(spot.x, spot.y, spot.radius, kLineWidth, track_colour(track->id),
                   spot.seen ? 1 : kFaint);
    draw_id(*track, spot, painter, scale);
  }
}

void write_cells_overlay(const CellsFilmResult& result, const std::string& input,
                         const FilmReading& reading, const std::string& path, bool force,
                         const Progress& progress) {
  CellsDisplay display(input, reading);
  Image picture({(display.width() + 1) / 2 * 2, (display.height() + 1) / 2 * 2, 3}, Type::u8);
  ImageInfo movie = picture.info();
  movie.size.planes = result.film.frames;
  const auto sink = create_image(
      path, movie,
      {.force = force,
       .frame_rate = std::clamp(result.calibration.frame_rate, kLeastRate, kMostRate)});
  TracksInTurn tracks(result.tracks);
  for (int i = 0; i < result.film.frames; ++i) {
    colour(display.next(), picture.as<std::uint8_t>());
    const int frame = result.film.first_frame + i;
    draw_tracks(tracks.at(frame), frame, picture.as<std::uint8_t>());
    sink->write_plane(i, {0, movie.size.height}, picture.view());
    if (progress) progress(i + 1, result.film.frames);
  }
  sink->finish();
}

}  // namespace tessera
