// SPDX-License-Identifier: Apache-2.0
#include "jobs/demo/draw_cell_tracks.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>

#include "io/formats.hpp"
#include "jobs/picture.hpp"
#include "report/cell_painter.hpp"
#include "report/cells_plot.hpp"
#include "tessera/cells.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

constexpr int kTailFrames = 30;
constexpr double kLineWidth = 1.3;
/// 200 frames of 640x480 pixels that noise makes hard to pack are 4 MB.
constexpr int kQuality = 35;

std::ifstream opened_table(const std::string& path, const std::string& first_names) {
  std::ifstream file(path);
  std::string names;
  std::getline(file, names);
  if (!names.starts_with(first_names))
    throw Error(ErrorKind::input, path + ": is no table that begins with " + first_names);
  return file;
}

void skip_line(std::ifstream& file) {
  file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
}

using TrackSpots = std::map<int, CellSpot>;  // by frame

std::map<int, TrackSpots> read_spots(const std::string& path) {
  std::ifstream file = opened_table(path, "TRACK_ID,FRAME,T,POSITION_X,POSITION_Y,RADIUS,");
  std::map<int, TrackSpots> tracks;
  int track = 0;
  CellSpot spot;
  double time = 0;
  char comma = 0;
  while (file >> track >> comma >> spot.frame >> comma >> time >> comma >> spot.x >> comma >>
         spot.y >> comma >> spot.radius) {
    tracks[track][spot.frame] = spot;
    skip_line(file);
  }
  return tracks;
}

void draw_tail(const TrackSpots& spots, int frame, Paint colour, const CellPainter& painter) {
  for (auto to = spots.upper_bound(frame - kTailFrames); to != spots.end(); ++to) {
    if (to == spots.begin()) continue;
    if (to->first > frame) break;
    const CellSpot &a = std::prev(to)->second, &b = to->second;
    const double opacity = 1 - static_cast<double>(frame - b.frame) / kTailFrames;
    painter.line(a.x, a.y, b.x, b.y, kLineWidth, colour, opacity);
  }
}

void draw_track(int id, const TrackSpots& spots, int frame, const CellPainter& painter) {
  const auto now = spots.find(frame);
  if (now == spots.end()) return;
  const CellSpot& spot = now->second;
  draw_tail(spots, frame, track_colour(id), painter);
  painter.circle(spot.x, spot.y, spot.radius, kLineWidth, track_colour(id));
  const double away = 0.75 * spot.radius;
  painter.number(static_cast<int>(std::lround(spot.x + away)) + 2,
                 static_cast<int>(std::lround(spot.y - away)) - 8, id, 1, track_colour(id));
}

Image in_colour(const Image& image) {
  const View<const std::uint8_t> grey = image.as<std::uint8_t>();
  Image picture({grey.size.width, grey.size.height, 3}, Type::u8);
  for (int y = 0; y < grey.size.height; ++y)
    for (int x = 0; x < grey.size.width; ++x)
      std::fill_n(&picture.as<std::uint8_t>().at(x, y), 3, grey.at(x, y));
  return picture;
}

}  // namespace

void draw_cell_tracks(const ShownFrames& shown) {
  const std::map<int, TrackSpots> tracks = read_spots(shown.tracks);
  const auto film = open_image(shown.film);
  const Size size = film->info().size;
  Image grey({size.width, size.height}, Type::u8);
  const WriteOptions writing{.force = true, .quality = kQuality};
  for (std::size_t k = 0; k < shown.plain.size(); ++k) {
    const int frame = static_cast<int>(k) * shown.every;
    film->read_plane(frame, {0, size.height}, grey.view());
    write_image(shown.plain[k], grey.view(), writing);
    Image picture = in_colour(grey);
    const CellPainter painter(picture.as<std::uint8_t>());
    for (const auto& [id, spots] : tracks) draw_track(id, spots, frame, painter);
    write_image(shown.drawn[k], picture.view(), writing);
  }
}

void draw_cell_speeds(const std::string& table, const std::string& film,
                      std::optional<double> median, const std::string& picture) {
  std::ifstream file =
      opened_table(table, "SPEED_FROM,SPEED_TO,TRACKS,SPOTS,SPEED_FROM_UM_S,SPEED_TO_UM_S");
  std::vector<PlottedSpeeds> bins;
  PlottedSpeeds bin;
  double pixels = 0;
  char comma = 0;
  while (file >> pixels >> comma >> pixels >> comma >> bin.tracks >> comma >> bin.spots >> comma >>
         bin.from >> comma >> bin.to)
    bins.push_back(bin);
  draw_picture(
      plot_speeds(film + ": mean speeds of cells", "µm/s", bins, median, picture_format(picture)),
      picture, true);
}

}  // namespace tessera
