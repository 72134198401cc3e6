// SPDX-License-Identifier: Apache-2.0
#include "cli/study_pictures.hpp"

#include <fmt/format.h>

#include "cli/study_charts.hpp"
#include "jobs/picture.hpp"
#include "tessera/error.hpp"

namespace tessera {
namespace {

/// The search of convolution tries that many candidates (--search 110).
constexpr int kSearchOfSurfaces = 110;

bool draws_surfaces(const StudyOptions& options) { return options.search == kSearchOfSurfaces; }

std::string tiles_path(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return path.substr(0, dot) + "-tiles" + path.substr(dot);
}

std::string sentence(const Picture& picture) {
  return picture.note.empty()
             ? fmt::format("{} is drawn; its figures are in {}", picture.path, picture.numbers)
             : picture.note;
}

}  // namespace

void check_study_pictures(const StudyOptions& options, const std::string& path, bool force) {
  if (path.empty()) return;
  picture_format(path);
  std::vector<std::string> paths{path};
  if (draws_surfaces(options)) paths.push_back(tiles_path(path));
  check_pictures(paths, force);
}

std::vector<std::string> draw_study(const StudyResult& result, const StudyOptions& options,
                                    const std::string& path, bool force) {
  const PictureFormat format = picture_format(path);
  const std::string where = result.device.empty() ? result.cpu : result.device;
  const auto title = [&](const std::string& what) {
    return where.empty() ? what : what + " on " + where.substr(0, where.find(','));
  };
  if (!draws_surfaces(options))
    return {sentence(draw_picture(
        plot_study(title("Study " + result.study), study_panels(result), format), path, force))};
  const std::vector<FilterFigure> speeds = search_speeds(result, "8");
  if (speeds.empty())
    throw Error(ErrorKind::usage,
                "--picture: no kernel of rung 8 has a time; there is nothing to draw");
  return {
      sentence(draw_picture(
          plot_speed(title("Best unrolled kernels of the search"), speeds, format), path, force)),
      sentence(draw_picture(plot_tiles(title("Tile factors of the best unrolled kernels"),
                                       search_tiles(result, "8"), format),
                            tiles_path(path), force))};
}

}  // namespace tessera
