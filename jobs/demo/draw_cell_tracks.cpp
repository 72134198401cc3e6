// SPDX-License-Identifier: Apache-2.0
#include "jobs/demo/draw_cell_tracks.hpp"

#include <algorithm>
#include <fstream>

#include "io/formats.hpp"
#include "jobs/cells/cell_track_file.hpp"
#include "jobs/cells/cells_overlay.hpp"
#include "jobs/picture.hpp"
#include "report/cells_plot.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// 200 frames of 640x480 pixels, which noise makes hard to compress, are 4 MB.
constexpr int kQuality = 35;

std::ifstream opened_histogram(const std::string& path) {
  constexpr const char* kNames = "SPEED_FROM,SPEED_TO,TRACKS,SPOTS,SPEED_FROM_UM_S,SPEED_TO_UM_S";
  std::ifstream file(path);
  std::string names;
  std::getline(file, names);
  if (!names.starts_with(kNames))
    throw Error(ErrorKind::input, path + ": it is not a table that begins with " + kNames);
  return file;
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
  const std::vector<CellTrack> tracks = read_tracks(shown.tracks);
  TracksInTurn in_turn(tracks);
  const auto film = open_image(shown.film);
  const Size size = film->info().size;
  Image grey({size.width, size.height}, Type::u8);
  const WriteOptions writing{.force = true, .quality = kQuality};
  for (std::size_t k = 0; k < shown.plain.size(); ++k) {
    const int frame = static_cast<int>(k) * shown.every;
    film->read_plane(frame, {0, size.height}, grey.view());
    write_image(shown.plain[k], grey.view(), writing);
    Image picture = in_colour(grey);
    draw_tracks(in_turn.at(frame), frame, picture.as<std::uint8_t>());
    write_image(shown.drawn[k], picture.view(), writing);
  }
}

void draw_cell_speeds(const std::string& table, const std::string& film,
                      std::optional<double> median, const std::string& picture) {
  std::ifstream file = opened_histogram(table);
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
